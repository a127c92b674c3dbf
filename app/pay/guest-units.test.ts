import { beforeEach, describe, expect, it } from 'vitest'
import { movingOut } from '../../domain/texts/payment.ts'
import { loadCheckout } from '../../modules/payments/views/own-checkout.ts'
import { openerForTests } from '../../tests/support/databases.ts'
import { addRecord, change } from '../../tests/support/rows.ts'
import { lease, openTestServices, type TestServices, tenant } from '../../tests/support/small-operator.ts'
import { Browser } from '../testing.ts'
import { guestToken } from './testing.ts'

class Guest extends Browser {
  see = (query = '?email=cy@example.com') => this.get(`/guest/find-units${query}`)
  pay = (form: Record<string, string>) => this.post('/guest/find-units', form)
}

const open = openerForTests()
let services: TestServices

const signInGuest = async (locationCode: string, tenantId: number) =>
  new Guest(services, { guestToken: await guestToken(services, tenantId, locationCode) })

beforeEach(async () => {
  services = await openTestServices(await open())
})

describe('/guest/find-units', () => {
  it('shows unit and lease numbers, facility and balance due, and nothing else about the tenant', async () => {
    const guest = await signInGuest('GA1', 1002)
    const response = await guest.see()
    const { data } = response
    expect(data).toMatchObject({ selected: null, units: [{ key: 'GA1:10002', unitNumber: '302', leaseNumber: 10002 }] })
    expect(data.units[0]).toMatchObject({ facility: 'Storage GA1', balance: 151_37 })
    const page = response.html()
    expect(page).toContain('Storage GA1')
    expect(page).toContain('$151.37')
    const chosen = (await guest.see('?email=cy@example.com&unit=GA1:10002')).data
    expect(chosen.selected).toMatchObject({
      unitNumber: '302',
      leaseNumber: 10002,
      offer: { pays: 'dues', balance: 151_37, cardFee: 2_14, numericUnit: true },
    })
    for (const secret of ['Cy', 'Dorn', '591734', '4821', 'Elm Street', '4045550122']) {
      expect(JSON.stringify([data, chosen])).not.toContain(secret)
    }
  })

  it('continues to the payment methods with the chosen dues, periods and autopay', async () => {
    const cy = await signInGuest('GA1', 1002)
    expect(await cy.pay({ unit: 'GA1:10002', autopay: '0' })).toMatchObject({ to: '/guest/select-method' })
    expect(await loadCheckout(services, cy.ids.checkout)).toMatchObject({
      payer: 'guest',
      tenantId: 1002,
      leaseNumber: 10002,
      pays: 'dues',
      autopay: false,
      price: { CC: { total: 153_51 } },
    })
    expect(cy.ids.lease).toBe('GA1:1002:10002')
    const ada = await signInGuest('GA1', 1001)
    expect((await ada.see('?unit=GA1:10001&periods=2&ask=1')).data).toMatchObject({ ask: true })
    await ada.pay({ unit: 'GA1:10001', periods: '2', autopay: '1' })
    expect(await loadCheckout(services, ada.ids.checkout)).toMatchObject({ pays: 'prepay', periods: 2, autopay: true })
  })

  it('formats the paid-through date like every date of the page', async () => {
    await change(services, 'leases', { lease_number: 10002 }, { paid_through: '2026-10-05' })
    const guest = await signInGuest('GA1', 1002)
    const response = await guest.see()
    expect(response.data.units[0].paidThrough).toBe('10/05/2026')
    expect(response.html()).toContain('10/05/2026')
  })

  it('explains in the specified words why a unit cannot be paid online', async () => {
    const guest = await signInGuest('GA1', 1002)
    await change(services, 'leases', { lease_number: 10002 }, { auction_prepped: 1 })
    const sentence = 'Please contact customer service to make a payment - (404) 555-0199'
    expect((await guest.see('?unit=GA1:10002')).data.selected.offer.blocked).toBe(sentence)
    expect(await guest.pay({ unit: 'GA1:10002' })).toMatchObject({ status: 409, data: { message: sentence } })
    expect(guest.ids.checkout).toBeUndefined()
  })

  it('offers only the dues of a unit with a scheduled move-out, without asking about autopay', async () => {
    const leaving = (number: number) =>
      change(services, 'leases', { lease_number: number }, { scheduled_move_out: '2026-11-21' })
    await Promise.all([leaving(10001), leaving(10002)])
    const ada = await signInGuest('GA1', 1001)
    expect((await ada.see('?unit=GA1:10001')).data.selected.offer.blocked).toBe(movingOut)
    expect(await ada.pay({ unit: 'GA1:10001', autopay: '1' })).toMatchObject({
      status: 409,
      data: { message: movingOut },
    })
    expect(ada.ids.checkout).toBeUndefined()
    const cy = await signInGuest('GA1', 1002)
    expect((await cy.see('?unit=GA1:10002')).data.selected.offer).toMatchObject({ blocked: '', asksAutopay: false })
    await cy.pay({ unit: 'GA1:10002', autopay: '1' })
    expect(await loadCheckout(services, cy.ids.checkout)).toMatchObject({
      pays: 'dues',
      autopay: false,
      price: { CC: { total: 153_51 } },
    })
  })

  it('skips office units and ended leases', async () => {
    await addRecord(services, 'tenants', tenant({ tenant_id: 1001, first: 'Cy', last: 'Dorn', location_code: 'HQ' }))
    await addRecord(services, 'units', {
      location_code: 'HQ',
      unit_id: 1,
      unit_number: '1',
      unit_type_id: 1,
      status: 'rented',
      held_by: null,
      held_until: null,
      floor_no: 1,
      left_coordinate: null,
      top_coordinate: null,
      length: 1,
      width: 1,
      rotate: 0,
    })
    await addRecord(
      services,
      'leases',
      lease({ lease_number: 1, tenant_id: 1001, unit_id: 1, unit_number: '1', location_code: 'HQ' }),
    )
    expect((await (await signInGuest('HQ', 1001)).see()).data.units).toMatchObject([{ unitNumber: '302' }])
    await change(services, 'leases', { lease_number: 10002 }, { status: 'Closed' })
    expect((await (await signInGuest('HQ', 1001)).see()).data.units).toEqual([])
  })

  it('requires a guest found by e-mail and shows their units only', async () => {
    for (const ids of [{}, { guestToken: 'f'.repeat(64) }]) {
      const stranger = new Guest(services, ids)
      expect(await stranger.see()).toMatchObject({ status: 302, to: '/guest/find-email' })
      expect(stranger.alert).toBe('guestSessionNotFound')
      expect((await stranger.pay({ unit: 'GA1:10001' })).to).toBe('/guest/find-email')
    }
    const guest = await signInGuest('GA1', 1002)
    for (const unit of ['GA1:10001', 'GA1:99999', 'x', '']) {
      expect((await guest.see(`?unit=${unit}`)).to).toBe('/guest/find-units')
      expect(guest.alert).toBe('invalidGuestSession')
      expect((await guest.pay({ unit, autopay: '1' })).to).toBe('/guest/find-email')
    }
    expect(guest.ids.checkout).toBeUndefined()
  })
})
