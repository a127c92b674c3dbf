/**
 * Returns facility codes for an SQL `in`, which accepts no empty list. For an empty list returns [''], a code that no
 * facility has. For 'all' callers add no such condition, so the result, also [''], is not used.
 */
export const facilityCodesForSqlIn = (codes: 'all' | readonly string[]): string[] =>
  codes === 'all' || codes.length === 0 ? [''] : [...codes]
