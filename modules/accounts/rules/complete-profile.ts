import { keysOf } from '../../../domain/typed-keys.ts'

const neededInProfile = {
  email: 'e-mail',
  first: 'first name',
  address: 'address',
  city: 'city',
  zip: 'zip code',
  state: 'state',
} as const

export const profileFields = keysOf(neededInProfile)

/** Returns the words for the fields that a tenant's profile lacks. */
export const missingInProfile = (profile: Record<keyof typeof neededInProfile, string>): string[] =>
  profileFields.filter((field) => profile[field].trim() === '').map((field) => neededInProfile[field])
