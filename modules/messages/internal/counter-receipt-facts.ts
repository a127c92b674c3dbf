import type { Services } from '../../../platform/operations/services.ts'
import { loadCounterReceiptFacts } from '../../cash-drawers/views/receipt-details.ts'
import { loadMessageFacility } from './message-facts.ts'

/** Loads a counter receipt and its facility; null if the receipt is unknown or its tenant has no e-mail address. */
export async function loadCounterReceiptMailFacts(services: Services, receiptId: string) {
  const facts = await loadCounterReceiptFacts(services, receiptId)
  const place = facts && (await loadMessageFacility(services, facts.receipt.location_code))
  return facts && place && facts.to !== '' ? { facts, place } : null
}
