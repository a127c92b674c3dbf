import type { Services } from '../../../platform/operations/services.ts'
import { contactTextConsent } from '../../messages/texts/sms-consent.ts'
import { recordTextConsent } from '../../tenants/sms-consent.ts'

/**
 * Records the renter's consent to text messages.
 * @param phone ten digits
 */
export async function recordRentalTextConsent(services: Services, phone: string): Promise<void> {
  await services.db.transaction((tx) =>
    recordTextConsent(tx, services, { phone, askedAt: 'rental', wording: contactTextConsent }),
  )
}
