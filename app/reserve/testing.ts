import { payAtHostedPage } from '../../sandbox/pay-hosted-page.ts'
import type { TestCardName } from '../../sandbox/test-cards.ts'
import { contact } from '../../tests/support/small-operator.ts'
import { Browser } from '../testing.ts'

const { active_military: _, designated_agent: __, ...form } = contact
export const contactFormValues: Record<string, string> = form

export const agent = {
  agent_name: 'Bo Agent',
  agent_email: 'bo@example.com',
  agent_address: '1 A Street',
  agent_state: 'GA',
  agent_city: 'Macon',
  agent_zip: '31201',
}

export const nameAndDigits = { location_code: 'GA1', last_name: "O'NEILL", phone_last_four: '0147' }

export class Renter extends Browser {
  begin = (query = '', unitTypeId: number | string = 1) => this.get(`/rent/GA1/${unitTypeId}${query}`)
  find = (fields = nameAndDigits) => this.post('/find-reservation?state=GA&location=GA1', fields)

  method = () => this.get('/payment-method')
  press = async (quote?: string, method = 'CC') =>
    this.post('/payment-method', { method, quote: quote ?? (await this.method()).data.quoteId })
  card = (query = '') => this.get(`/process-payment${query}`)
  back = (order: string) => this.get(`/confirm-rental-payment?order=${order}`)
  done = (query = '') => this.get(`/rental-completed${query}`)

  /** Presses 'Pay' and submits the card page, without returning from it. */
  async cardFilledIn(name: TestCardName = 'visa') {
    const pressed = await this.press()
    if (pressed.to !== '/process-payment') throw new Error(`Not to be paid: ${pressed.status} ${pressed.to}`)
    const { card } = (await this.card()).data
    await payAtHostedPage(card.payPageUrl, name)
    return card
  }

  payWith = async (name: TestCardName) => this.back((await this.cardFilledIn(name)).orderId)
}
