/**
 * Normalizes a security answer: case and spaces are ignored. Only its hash is stored. It never recovers an
 * account.
 */
export const normalizeSecurityAnswer = (answer: string) => answer.toLowerCase().replace(/\s+/g, ' ').trim()
