// Words that people should look at before a model reads them. Honest texts shout and give orders as well, so that a
// flag is never a reason to leave a tool out.

export type TextFlag = 'markup' | 'instruction-like'

/** Blocks that prompts are made of, in the forms of the usual harnesses and chat templates. Of 2,543 real tools none has one. */
const markup =
  /<\/?(?:antml:)?(?:system|assistant|developer|human|important|system[_-](?:reminder|prompt|message|instructions?)|(?:available[_-])?(?:deferred[_-])?(?:tools|functions|skills)|(?:tool|function)[_-](?:call|use|result|response)s?)(?:\s[^<>]{0,100})?\/?>|<\/(?:user|tool|function)>|<\|[\w /]{1,40}\|>|\[\/?INST\]|<<\/?SYS>>/i

/** Words against what was said before, against the person who asks, or for keys that belong to nobody else. */
const instruction =
  /\b(?:ignore|disregard|forget|override)\b[^.\n]{0,40}\b(?:previous|prior|earlier|above|all|other)\b[^.\n]{0,20}\b(?:instruction|rule|prompt|message|guideline)|\b(?:do not|don't|never|without)\s+(?:tell|inform|mention|reveal|show|let)[^.\n]{0,40}\buser\b|\bid_(?:rsa|ed25519|ecdsa)\b|\.aws\/credentials/i

/** What is remarkable about a text. Reads it once; a text of a stranger cannot make it slow. */
export function textFlags(text: string): readonly TextFlag[] {
  if (text.length < shortest) return none
  const isMarkup = (text.includes('<') || text.includes('[')) && markup.test(text)
  const isInstruction = text.includes(' ') && instruction.test(text)
  if (!isMarkup && !isInstruction) return none
  return [...(isMarkup ? (['markup'] as const) : []), ...(isInstruction ? (['instruction-like'] as const) : [])]
}

const none: readonly TextFlag[] = []
/** `[INST]` */
const shortest = 6
