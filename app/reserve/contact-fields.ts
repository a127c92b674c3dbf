/** What a contact form needs and a tenant found again may lack, as `isContactComplete` names it; and the last name. */
export const contactFields = ['first', 'last', 'email', 'cell_phone', 'address', 'city', 'state', 'zip'] as const

export type ContactField = (typeof contactFields)[number]
