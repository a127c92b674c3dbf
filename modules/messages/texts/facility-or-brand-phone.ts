import { formatPhone } from '../../../domain/phone.ts'

/**
 * Returns the phone number that a message names, formatted: the facility's, else the brand's; '' without either.
 * @param facility the facility or a letter; `phone` is empty for none
 */
export const phoneToCall = (brand: { phone: string }, facility: { phone?: string | undefined }): string =>
  formatPhone(facility.phone || brand.phone)
