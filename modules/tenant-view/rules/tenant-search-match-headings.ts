/** Headings of search results, by the field that matched, in display order. */
export const matchHeadings = {
  phone: 'By phone',
  'e-mail': 'By e-mail',
  unit: 'By unit',
  'gate code': 'By gate code',
  name: 'By name',
  lease: 'By lease',
  receipt: 'By receipt',
  reservation: 'By reservation',
} as const

export type MatchedField = keyof typeof matchHeadings
