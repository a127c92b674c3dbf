/**
 * Returns facility codes for an SQL `in`, which accepts no empty list. For an empty list returns [''], a code that no
 * facility has.
 * @throws RangeError for 'all', for which the caller adds no condition
 */
export function facilityCodesForSqlIn(codes: 'all' | readonly string[]): string[] {
  if (codes === 'all') throw new RangeError('All facilities need no condition')
  return codes.length === 0 ? [''] : [...codes]
}
