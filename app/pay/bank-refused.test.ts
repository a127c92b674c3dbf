import { beforeEach, describe, expect, it } from 'vitest'
import { achFailed } from '../../domain/texts/payment.ts'
import { openPayingHouse, type PayingHouse, readyToPay, tillForTests } from '../../modules/payments/testing.ts'
import { openerForTests } from '../../tests/support/databases.ts'
import * as moveInMethod from '../move-in/payment-method.tsx'
import * as moveInBank from '../move-in/process-payment-ach.tsx'
import { Browser } from '../testing.ts'
import * as findEmail from './guest-email.tsx'
import * as findUnits from './guest-units.tsx'
import { begin, cyDues, guestBank, guestMethod, tenantBank, tenantIn, tenantMethod } from './testing.ts'

const { till, folder } = tillForTests('bank-refused')

/** Refused when it is debited. */
const refused = {
  ...{ routing_number: '061000104', account_number: '000123452222', confirm_account: '000123452222' },
  ...{ account_name: 'Somebody', account_type: 'Checking' },
}

interface Lane {
  who: string
  method: { path: string; page: { loader: unknown } }
  bank: { path: string; page: { loader: unknown; action: unknown } }
  begin(services: PayingHouse): Promise<Browser>
}

const lanes: Lane[] = [
  {
    who: 'a tenant',
    method: { path: '/online-payment-method', page: tenantMethod },
    bank: { path: '/online-payment-ach', page: tenantBank },
    async begin(services) {
      const browser = await tenantIn(services, 'cy')
      await begin(browser, services, cyDues)
      return browser
    },
  },
  {
    who: 'a guest',
    method: { path: '/guest/select-method', page: guestMethod },
    bank: { path: '/guest/process-payment-ach', page: guestBank },
    async begin(services) {
      const browser = new Browser(services)
      await browser.ask(findEmail.action, { path: '/guest/find-email', form: { email: 'cy@example.com' } })
      await browser.ask(findUnits.action, { path: '/guest/find-units', form: { unit: 'GA1:10002' } })
      return browser
    },
  },
  {
    who: 'a renter who moves in',
    method: { path: '/payment-method', page: moveInMethod },
    bank: { path: '/process-payment-ach', page: moveInBank },
    async begin(services) {
      const draft = await readyToPay(services, { answers: { paymentMethod: 'ACH' } })
      const browser = new Browser(services, { draftId: draft.draftId })
      const { quoteId } = (await browser.ask(moveInMethod.loader, { path: '/payment-method' })).data
      const form = { method: 'ACH', quote: quoteId }
      await browser.ask(moveInMethod.action, { path: '/payment-method', form })
      return browser
    },
  },
]

describe('a bank payment that is refused', () => {
  const open = openerForTests()
  let services: PayingHouse
  beforeEach(async () => {
    services = await openPayingHouse(await open(), till, folder)
    services.bank = till.bank
  })

  it.each(lanes)('$who: for the last time leads to the choice of another way, with the notice', async (lane) => {
    const browser = await lane.begin(services)
    const press = async () => {
      const { data } = await browser.ask(lane.bank.page.loader, { path: lane.bank.path })
      const { name, value } = data.entry.agreed
      return browser.ask(lane.bank.page.action, { path: lane.bank.path, form: { ...refused, [name]: value } })
    }
    expect(await press()).toMatchObject({ status: 409, data: { fields: { form: achFailed } } })
    expect((await press()).to).toBe(lane.method.path)
    const { data } = await browser.ask(lane.method.page.loader, { path: lane.method.path })
    expect(data).toMatchObject({ failure: achFailed, retriesUsedUp: true })
  })
})
