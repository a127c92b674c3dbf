/** Holds of renters without proof of identity: how long they last, and how many units they may take. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { Callers } from '../../platform/operations/callers.ts'
import { perform } from '../../platform/operations/operation.ts'
import { describeOnBothEngines, openerForTests } from '../../tests/support/databases.ts'
import { recordOf, recordsOf } from '../../tests/support/rows.ts'
import { asAda, contact, openTestServices, type TestServices, visitor } from '../../tests/support/small-operator.ts'
import { countFreeUnits } from '../facilities/availability.ts'
import { openOrder } from '../payments/payment-orders.ts'
import { reloadDraft, saveTestAnswers } from '../payments/testing-rent-until-card-page.ts'
import { draftAfterSignIn } from './draft-sessions-across-browsers.ts'
import { openReservationLink } from './operations/open-reservation-link.ts'
import { SaveReservationDetails_WEB } from './operations/reserve-unit-for-new-tenant.ts'
import { SaveReservationDetailsForExistingTenants } from './operations/save-reservation-for-existing-tenant.ts'
import { maxUnprovenHolds } from './rules/unproven-holds-limit.ts'
import { lastUnitsKept, tooManyRentals } from './texts/reserve.ts'

const minute = 60_000
const day = 24 * 60 * minute
const phone = '(404) 555-0199'

let services: TestServices

const rent = (callers: Callers, input: object = {}) =>
  perform(
    services,
    SaveReservationDetails_WEB,
    { location_code: 'GA1', unit_type_id: 1, rent_now: 1, ...contact, ...input },
    callers,
  )

/** Returns '' if a unit was held, otherwise the error message. */
async function rentFrom(address: string, input: object = {}): Promise<string> {
  const outcome = await rent(visitor(address), input)
  return outcome.ok ? outcome.value.ErrorMessage : outcome.message
}

const countHeld = (answers: readonly string[]) => answers.filter((answer) => answer === '').length
const countFree = async (at = 'GA1') => (await countFreeUnits(services, [at])).get(at)?.get(1) ?? 0

/** Adds units of type 1 until this number of them is free. */
async function fillStock(units: number, at = 'GA1') {
  const unitRow = await services.db.read
    .selectFrom('units')
    .selectAll()
    .where('location_code', '=', at)
    .where('unit_type_id', '=', 1)
    .where('status', '=', 'free')
    .executeTakeFirstOrThrow()
  const more = Array.from({ length: units - (await countFree(at)) }, (_, n) => ({
    ...unitRow,
    unit_id: 5000 + n,
    unit_number: `S${n}`,
  }))
  await services.db.write.insertInto('units').values(more).execute()
}

describeOnBothEngines('A facility under attack', (open) => {
  beforeEach(async () => {
    services = await openTestServices(await open())
  })

  it('is not sold out by two or by twelve addresses; a tenant can rent at once, an unknown renter 20 minutes later', async () => {
    await fillStock(16)
    const two: string[] = []
    for (let n = 0; n < 8; n += 1) for (const from of ['203.0.113.9', '203.0.113.10']) two.push(await rentFrom(from))
    expect(countHeld(two)).toBe(8)
    expect(new Set(two)).toEqual(new Set(['', tooManyRentals(phone)]))
    const botnet = await Promise.all(Array.from({ length: 12 }, (_, n) => rentFrom(`192.0.2.${n}`)))
    expect(countHeld(botnet)).toBe(4)
    expect(new Set(botnet)).toEqual(new Set(['', lastUnitsKept(phone)]))
    expect(await countFree()).toBe(4)
    const ada = { location_code: 'GA1', unit_type_id: 1, rent_now: 1 }
    expect(await perform(services, SaveReservationDetailsForExistingTenants, ada, asAda)).toMatchObject({
      ok: true,
      value: { ErrorMessage: '' },
    })
    expect(await rentFrom('198.51.100.77')).toBe(lastUnitsKept(phone))
    services.clock.advance(20 * minute)
    expect(await countFree()).toBe(15)
    expect(await rentFrom('198.51.100.77')).toBe('')
  })
})

describe('A renter without proof of identity', () => {
  const open = openerForTests()
  beforeEach(async () => {
    services = await openTestServices(await open())
  })

  const rentUnit = async (input: object = {}) => {
    const outcome = await rent(visitor(), input)
    if (!outcome.ok) throw new Error(outcome.message)
    const draft = await reloadDraft(services, outcome.grants?.draftId)
    const loadRemainingMs = async () => {
      const reservation = await recordOf(services, 'reservations', { reservation_code: outcome.value.reservationCode })
      return Number(reservation?.hold_until) - services.clock.now()
    }
    return { draft, loadRemainingMs }
  }

  it('keeps a unit for 20 minutes after each step of a rental', async () => {
    const { draft, loadRemainingMs } = await rentUnit()
    expect(await loadRemainingMs()).toBe(20 * minute)
    services.clock.advance(19 * minute)
    await saveTestAnswers(services, draft, { vehicle: false })
    expect(await loadRemainingMs()).toBe(20 * minute)
  })

  it('keeps a unit for 24 hours once the mailed link was opened', async () => {
    const { draft, loadRemainingMs } = await rentUnit()
    const [mailed] = await recordsOf(services, 'prospects', { res_code: draft.reservationCode ?? '' })
    services.clock.advance(5 * minute)
    expect(await openReservationLink(services, String(mailed?.uuid), '127.0.0.1')).toMatchObject({
      value: { ErrorMessage: '' },
    })
    expect(await loadRemainingMs()).toBe(day)
    services.clock.advance(minute)
    await saveTestAnswers(services, draft, { vehicle: false })
    expect(await loadRemainingMs()).toBe(day)
  })

  it('keeps a unit for 20 minutes after the card page was opened, since a script can open it', async () => {
    const { draft, loadRemainingMs } = await rentUnit()
    services.clock.advance(5 * minute)
    await openOrder(services, {
      payer: 'move_in',
      locationCode: 'GA1',
      subject: { draftId: draft.draftId },
      tenantId: draft.tenantId,
      leaseNumber: null,
      amount: 100,
      autopay: false,
      quoteId: null,
      plan: '{}',
    })
    expect(await loadRemainingMs()).toBe(20 * minute)
    const [reservation] = await recordsOf(services, 'reservations', { status: 'active' })
    expect(reservation?.unproven_from).toEqual(expect.any(String))
  })

  it('keeps a unit for 24 hours once its tenant has signed in', async () => {
    const { draft, loadRemainingMs } = await rentUnit()
    const tenants = [{ locationCode: 'GA1', tenantId: draft.tenantId ?? 0 }]
    expect(await draftAfterSignIn(services, draft.draftId, { accountId: 'rae', tenants }, async () => false)).toBe(
      draft.draftId,
    )
    expect(await loadRemainingMs()).toBe(day)
  })

  it('keeps a reservation to the end of the move-in day, as specified', async () => {
    const { loadRemainingMs } = await rentUnit({ rent_now: 0, move_in_date: '11/22/2026' })
    expect(services.clock.now() + (await loadRemainingMs())).toBe(Date.parse('2026-11-23T05:00:00Z'))
  })

  it('holds at most 40 units at once from one network over all facilities', async () => {
    await fillStock(200)
    await fillStock(200, 'HI1')
    const from = (n: number) => `2001:db8:7:7::${n.toString(16)}`
    const at = async (location_code: string, n: number, more: object = {}) =>
      rentFrom(from(n), { location_code, state: location_code.slice(0, 2), ...more })
    const answers: string[] = []
    const later = { rent_now: 0, move_in_date: '11/22/2026' }
    for (let n = 0; n < 20; n += 1) answers.push(await at('GA1', n))
    for (let n = 0; n < 10; n += 1) answers.push(await at('GA1', n, later))
    for (let n = 0; n < 12; n += 1) answers.push(await at('HI1', n))
    expect(countHeld(answers)).toBe(40)
    expect(answers.slice(40)).toEqual(Array(2).fill(tooManyRentals('(888) 555-0100')))
    expect(await rentFrom('198.51.100.77', { location_code: 'HI1', state: 'HI' })).toBe('')
  })

  it('may hold the only unit, but not the last of several', () => {
    expect([1, 2, 3, 4, 8, 38, 200].map(maxUnprovenHolds)).toEqual([
      { all: 1, network: 1 },
      { all: 1, network: 1 },
      { all: 2, network: 2 },
      { all: 3, network: 3 },
      { all: 6, network: 3 },
      { all: 28, network: 9 },
      { all: 150, network: 50 },
    ])
  })
})
