/**
 * Returns facility codes for an SQL `in`, which accepts no empty list: [''], which no facility has, for none. Callers
 * add no such condition for 'all'.
 */
export const facilityCodesForSqlIn = (codes: 'all' | readonly string[]): string[] =>
  codes === 'all' || codes.length === 0 ? [''] : [...codes]
