/** Lowercases English letters only, like SQLite's `lower()`, and PostgreSQL's with the collation C of our columns. */
const lowerEnglish = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/**
 * Returns what a database's `lower()` returns for a text stored as in `text`, in lower case, in capitals, or with
 * capitals at the beginning of words: `lower()` leaves letters other than A to Z, such as 'Ü', as stored.
 */
export function lowerCaseForms(text: string): string[] {
  const lower = text.toLowerCase()
  const capitalized = lower.replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase())
  return [...new Set([lower, ...[text, capitalized, text.toUpperCase()].map(lowerEnglish)])]
}
