/**
 * Returns facility codes for an SQL `in`, which accepts no empty list. For an empty list returns [''], a code that no
 * facility has. If the codes are 'all', the caller adds no condition, so the result, also [''], is not used.
 */
export const facilityCodesForSqlIn = (codes: 'all' | readonly string[]): string[] =>
  codes === 'all' || codes.length === 0 ? [''] : [...codes]
