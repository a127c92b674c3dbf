/** Letters that Unicode does not decompose into a base letter and a mark. */
const baseLetters: Readonly<Record<string, string>> = {
  ł: 'l',
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  ß: 'ss',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ŧ: 't',
  ŋ: 'n',
}

const GENERATIONAL_SUFFIX = /^(?:jr|sr|ii|iii|iv|2nd|3rd|4th)$/

/**
 * Returns the words of a name for comparison: lower case, without accents, apostrophes and dots, split at spaces,
 * commas, hyphens, dashes and middle dots, without a generational suffix. 'García-López Jr.' → ['garcia', 'lopez']
 */
export function nameWords(name: string): string[] {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[łøæœßđðþħıŧŋ]/g, (letter) => baseLetters[letter] ?? letter)
    .replace(/['\u2018\u2019\u201b\u02b9\u02bb\u02bc\u2032\uff07`´.]/g, '')
    .split(/[\s,\-\u00ad\u2010-\u2015\u2212\u30fb\u00b7]+/)
    .filter((word) => word !== '')
  while (words.length > 1 && GENERATIONAL_SUFFIX.test(words.at(-1) ?? '')) words.pop()
  return words
}

/** Returns the key by which a first or last name is looked up. "O’Brien", "O Brien" and "OBrien" → 'obrien' */
export function nameKey(name: string): string {
  // A name of punctuation alone stays as it is, because '' is the key of erased tenants.
  return nameWords(name).join('') || name.trim().toLowerCase()
}

/** Returns an e-mail address as a look-up key: trimmed, lower case. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase()
}
