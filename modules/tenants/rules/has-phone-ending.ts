import { lastFour } from '../../../domain/phone.ts'

type Phones = Record<'cell_phone' | 'home_phone' | 'work_phone', string>

/** Returns whether one of the tenant's own phone numbers, cell, home or work, ends in these four digits. */
export const hasPhoneEnding = (tenant: Phones, lastFourDigits: string): boolean =>
  lastFourDigits !== '' &&
  [tenant.cell_phone, tenant.home_phone, tenant.work_phone].some((phone) => lastFour(phone) === lastFourDigits)
