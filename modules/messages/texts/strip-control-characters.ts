/**
 * Replaces each run of white space and of characters of the Unicode category C, such as control characters and marks of
 * text direction, by one space. The zero-width joiner and non-joiner stay, since Persian, Hindi and emoji need them.
 */
export const stripControlCharacters = (text: string): string => text.replace(/(?:(?![\u200c\u200d])[\p{C}\s])+/gu, ' ')
