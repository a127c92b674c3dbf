import { formatPhone } from '../../../domain/phone.ts'

/**
 * Returns the phone number that a message names, formatted: the facility's, else the brand's; '' without either.
 * @param facility `phone` is empty or absent where the message is about no facility, or the facility has no number
 */
export const phoneToCall = (brand: { phone: string }, facility: { phone?: string | undefined }): string =>
  formatPhone(facility.phone || brand.phone)
