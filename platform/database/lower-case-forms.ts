/** Lowercases English letters only, like SQLite's `lower()`, and PostgreSQL's with the collation C of our columns. */
const lowerEnglish = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/**
 * Returns the usual forms in which a database's `lower()` may return a stored text. Letters other than A to Z, such as
 * 'Ü', stay as stored: as in `text`, all lower case, all capitals, or capitals at the beginning of words.
 */
export function lowerCaseForms(text: string): string[] {
  const lower = text.toLowerCase()
  const capitalized = lower.replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase())
  return [...new Set([lower, ...[text, capitalized, text.toUpperCase()].map(lowerEnglish)])]
}
