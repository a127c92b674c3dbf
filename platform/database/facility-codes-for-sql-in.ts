/** Returns facility codes for an SQL `in`, which accepts no empty list: [''] for none. Nothing is queried by 'all'. */
export const facilityCodesForSqlIn = (codes: 'all' | readonly string[]): string[] =>
  codes === 'all' || codes.length === 0 ? [''] : [...codes]
