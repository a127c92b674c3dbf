/**
 * Normalizes the answer to a security question: letter case and surplus spaces are ignored. Only the answer's hash is
 * stored, and nothing accepts the answer as proof of the account.
 */
export const normalizeSecurityAnswer = (answer: string) => answer.toLowerCase().replace(/\s+/g, ' ').trim()
