/** Lowercases English letters only, like SQLite's `lower()`, and PostgreSQL's with the collation C of our columns. */
const lowerEnglish = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/**
 * Returns the forms in which `lower()` of a database may return a text of any case: other letters, such as 'Ü', stay
 * as stored, so they may be as in `text`, all lower case, all capitals, or capitals at the beginning of words.
 */
export function lowerCaseForms(text: string): string[] {
  const lower = text.toLowerCase()
  const capitalized = lower.replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase())
  return [...new Set([lower, ...[text, capitalized, text.toUpperCase()].map(lowerEnglish)])]
}
