import { keysOf } from '../../../domain/typed-keys.ts'

const requiredFieldLabels = {
  email: 'e-mail',
  first: 'first name',
  address: 'address',
  city: 'city',
  zip: 'zip code',
  state: 'state',
} as const

export const profileFields = keysOf(requiredFieldLabels)

/** Returns the labels of the required fields that are empty in a tenant's profile. */
export const missingInProfile = (profile: Record<keyof typeof requiredFieldLabels, string>): string[] =>
  profileFields.filter((field) => profile[field].trim() === '').map((field) => requiredFieldLabels[field])
