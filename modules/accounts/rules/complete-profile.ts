import { keysOf } from '../../../domain/typed-keys.ts'

export const neededInProfile = {
  email: 'e-mail',
  first: 'first name',
  address: 'address',
  city: 'city',
  zip: 'zip code',
  state: 'state',
} as const

export const profileFields = keysOf(neededInProfile)
