/** Contact fields that `isContactComplete` requires, and the last name. */
export const requiredContactFields = [
  'first',
  'last',
  'email',
  'cell_phone',
  'address',
  'city',
  'state',
  'zip',
] as const

export type RequiredContactField = (typeof requiredContactFields)[number]
