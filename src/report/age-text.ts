import type { Lang } from './words.ts'

const units = [
  { ms: 86_400_000, en: 'd', zh: '天' },
  { ms: 3_600_000, en: 'h', zh: '小时' },
  { ms: 60_000, en: 'min', zh: '分钟' },
  { ms: 1000, en: 's', zh: '秒' },
] as const

/** How long something lasted, in the largest unit that fits: `3 h`. What lies in the future, and what is no time at all, is now. */
export function ageText(ms: number, lang: Lang): string {
  const unit = units.find((one) => ms >= one.ms)
  if (unit === undefined) return `0 ${units[3][lang]}`
  return `${Math.floor(ms / unit.ms)} ${unit[lang]}`
}
