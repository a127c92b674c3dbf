/** Payers who pay by card, for tests. */

import { makeAuctionLink, makeSettlementLink } from '../../modules/links/auction-and-settlement-link-records.ts'
import type { PayingServices } from '../../modules/payments/testing.ts'
import { readyToPay } from '../../modules/payments/testing-rent-until-card-page.ts'
import { postCharge } from '../../modules/standing/post-entries.ts'
import { addRecord, change } from '../../tests/support/rows.ts'
import { lease } from '../../tests/support/small-operator.ts'
import { Renter } from '../reserve/testing.ts'
import { Browser } from '../testing.ts'
import { payers } from './payer-page-addresses.ts'
import { beginTestCheckout, chooseCard, cyDues, signInGuestBrowser, signInTenantBrowser } from './testing.ts'

export interface PaymentWalk {
  browser: Browser
  /** Paths of the methods page (left out for payment links) and the card page, in order of visit. */
  steps: string[]
  returns: string
}

type BeginPaying = (services: PayingServices) => Promise<PaymentWalk>

const withCheckout =
  (payer: 'tenant' | 'guest'): BeginPaying =>
  async (services) => {
    const browser =
      payer === 'guest' ? await signInGuestBrowser(services, 1002) : await signInTenantBrowser(services, 'cy')
    await beginTestCheckout(browser, services, { ...cyDues, payer })
    await chooseCard(browser, payer)
    const { method, card, returns } = payers[payer]
    return { browser, steps: [method, card], returns }
  }

const beginByPayer: Record<string, BeginPaying> = {
  'a tenant': withCheckout('tenant'),
  'a guest': withCheckout('guest'),
  async 'a tenant who pays for several units'(services) {
    await addRecord(services, 'leases', lease({ lease_number: 10003, tenant_id: 1002, unit_id: 3, unit_number: '103' }))
    await change(services, 'units', { location_code: 'GA1', unit_id: 3 }, { status: 'rented' })
    await services.db.transaction((tx) =>
      postCharge(tx, services, {
        locationCode: 'GA1',
        leaseNumber: 10003,
        kind: 'fee',
        cents: 80_00,
        description: 'Rent',
        once: 'of 10003',
      }),
    )
    const browser = await signInTenantBrowser(services, 'cy')
    await beginTestCheckout(browser, services, { ...cyDues, payer: 'units', leaseNumbers: [10002, 10003] })
    await chooseCard(browser, 'units')
    const { method, card, returns } = payers.units
    return { browser, steps: [method, card], returns }
  },
  async 'an auction winner'(services) {
    const link = await makeAuctionLink(services, {
      locationCode: 'GA1',
      unitNumber: '302',
      name: 'Wim Tesh',
      email: 'wim@example.com',
      city: 'Atlanta',
      zip: '30308',
    })
    if (!link.ok) throw new Error(link.why)
    const browser = new Browser(services, { auction: link.uuid })
    await browser.post(`/auction-winner/${link.uuid}`, { understood: '1' })
    const { card, returns } = payers.auction
    return { browser, steps: [card], returns }
  },
  async 'a past-due tenant'(services) {
    const link = await makeSettlementLink(services, { locationCode: 'GA1', unitNumber: '302', cents: 90_00 })
    if (!link.ok) throw new Error(link.why)
    const { card, returns } = payers.settlement
    return { browser: new Browser(services, { settlement: link.uuid }), steps: [card], returns }
  },
  async 'a renter who moves in'(services) {
    const browser = new Renter(services, { draftId: (await readyToPay(services)).draftId })
    await browser.press()
    const { method, card, returns } = payers.move_in
    return { browser, steps: [method, card], returns }
  },
}

export const cardPayerNames: readonly string[] = Object.keys(beginByPayer)

/** Prepares a browser of the payer, which can open the card page next. */
export function beginPaying(who: string, services: PayingServices): Promise<PaymentWalk> {
  const start = beginByPayer[who]
  if (!start) throw new Error(`There is no payer ${who}`)
  return start(services)
}
