/** Contact fields that `isContactComplete` requires, and the last name. */
export const contactFields = ['first', 'last', 'email', 'cell_phone', 'address', 'city', 'state', 'zip'] as const

export type ContactField = (typeof contactFields)[number]
