/** Returns facility codes for an SQL `in`, which accepts no empty list; [''] for 'all' or none. */
export const facilityCodesForSqlIn = (codes: 'all' | readonly string[]): string[] =>
  codes === 'all' || codes.length === 0 ? [''] : [...codes]
