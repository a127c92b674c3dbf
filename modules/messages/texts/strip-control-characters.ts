/**
 * Replaces white space, such as line breaks, and control and bidirectional characters by single spaces. The two joiners
 * stay, since Persian, Hindi and emoji need them.
 */
export const stripControlCharacters = (text: string): string => text.replace(/(?:(?![\u200c\u200d])[\p{C}\s])+/gu, ' ')
