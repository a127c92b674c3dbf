import type { Services } from '../../../platform/operations/services.ts'
import type { FacilityFacts } from '../../facilities/facility-facts-for-pricing.ts'
import { loadSupportPhone } from '../../facilities/views/support-phone.ts'
import { loadTenant } from '../../tenants/tenant.ts'
import { debitAuthorizationText } from '../bank/bank-debit.ts'
import type { Checkout } from '../rules/checkout-terms.ts'

/** What the site's page for paying from a bank account shows: the likely account holder, a phone number and the debit's text. */
export interface BankPaymentPage {
  /** Name of the account's likely holder; '' where the payer may not see it. */
  holder: string
  /** Phone number to call about the facility, formatted; '' when none is known. */
  phone: string
  /** Authorization text of the debit, to be shown beside the button. */
  authorization: string
}

/** Loads what the page for paying a checkout from a bank account shows. */
export async function loadBankPaymentPage(
  services: Services,
  checkout: Checkout,
  facts: FacilityFacts,
  brand: { name: string },
): Promise<BankPaymentPage> {
  const { locationCode, tenantId } = checkout
  // A guest payer may see the unit and the sums, but no personal data of its tenant.
  const tenant = checkout.payer !== 'guest' ? await loadTenant(services.db.read, locationCode, tenantId) : undefined
  const phone = await loadSupportPhone(services, facts.location)
  const consent = checkout.autopay ? checkout.autopayConsent : null
  return {
    holder: tenant ? `${tenant.first} ${tenant.last}`.trim() : '',
    phone,
    authorization: await debitAuthorizationText(services, facts, { amount: checkout.price.ACH.total, brand, consent }),
  }
}
