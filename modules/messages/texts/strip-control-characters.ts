/**
 * Removes line breaks, control and bidirectional characters. The two joiners stay, since Persian, Hindi and emoji need
 * them.
 */
export const stripControlCharacters = (text: string): string => text.replace(/(?:(?![\u200c\u200d])[\p{C}\s])+/gu, ' ')
