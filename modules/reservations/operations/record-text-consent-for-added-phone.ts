import type { Services } from '../../../platform/operations/services.ts'
import { contactTextConsent } from '../../messages/texts/sms-consent.ts'
import { recordTextConsent } from '../../tenants/sms-consent.ts'
import type { Draft } from '../rules/journey/draft.ts'
import { loadRenterOnFile } from '../views/unmasked-renter-contact.ts'

/** Records that the draft's tenant consents to text messages to the cell phone on file. */
export async function recordTextConsentForAddedPhone(services: Services, draft: Draft): Promise<void> {
  const renter = await loadRenterOnFile(services, draft)
  if (!renter) return
  const phone = renter.contact.cell_phone
  await services.db.transaction((tx) =>
    recordTextConsent(tx, services, { phone, askedAt: 'rental', wording: contactTextConsent }),
  )
}
