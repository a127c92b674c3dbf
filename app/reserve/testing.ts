import { payAtHostedPage } from '../../sandbox/submit-card-page-in-tests.ts'
import type { TestCardName } from '../../sandbox/test-cards.ts'
import { contact } from '../../tests/support/small-operator.ts'
import { Browser } from '../testing.ts'

// A browser sends a checkbox only when it is checked.
const { active_military: _, designated_agent: __, ...form } = contact
export const contactFormValues: Record<string, string> = form

export const designatedAgentForm = {
  agent_name: 'Bo Agent',
  agent_email: 'bo@example.com',
  agent_address: '1 A Street',
  agent_state: 'GA',
  agent_city: 'Macon',
  agent_zip: '31201',
}

export const reservationLookupForm = { location_code: 'GA1', last_name: "O'NEILL", phone_last_four: '0147' }

/** A visitor's browser that reserves, rents and pays at facility GA1. */
export class Renter extends Browser {
  startRental = (query = '', unitTypeId: number | string = 1) => this.get(`/rent/GA1/${unitTypeId}${query}`)
  findReservation = (fields = reservationLookupForm) => this.post('/find-reservation?state=GA&location=GA1', fields)

  openPaymentMethod = () => this.get('/payment-method')
  press = async (quote?: string, method = 'CC') =>
    this.post('/payment-method', { method, quote: quote ?? (await this.openPaymentMethod()).data.quoteId })
  openCardPage = (query = '') => this.get(`/process-payment${query}`)
  returnFromCard = (order: string) => this.get(`/confirm-rental-payment?order=${order}`)
  openCompleted = (query = '') => this.get(`/rental-completed${query}`)

  /**
   * Presses 'Pay' and pays on the card page, without returning to the site.
   * @returns the card page's order and address
   */
  async submitCard(name: TestCardName = 'visa') {
    const response = await this.press()
    if (response.to !== '/process-payment')
      throw new Error(`Expected /process-payment: ${response.status} ${response.to}`)
    const { card } = (await this.openCardPage()).data
    await payAtHostedPage(card.payPageUrl, name)
    return card
  }

  payWith = async (name: TestCardName) => this.returnFromCard((await this.submitCard(name)).orderId)
}
