/**
 * Tools that no skill's list takes away unless the configuration says otherwise. Without them a skill cuts the
 * branch it sits on: `read_file` loads the body of the skill and the files beside it, `tool_search` reads the
 * schema of a deferred tool that the skill does allow, `ask_clarification` is how the agent asks the person,
 * `present_files` is how it hands over what it made. None of them reaches further than the thread's own folders
 * and conversation. What acts (shell, editing, delegation, every tool of a server) must be declared.
 */
export const defaultReachable: readonly string[] = Object.freeze([
  'tool_search',
  'read_file',
  'ask_clarification',
  'present_files',
])
