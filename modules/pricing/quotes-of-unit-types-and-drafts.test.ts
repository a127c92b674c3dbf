import { beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../platform/database/open.ts'
import { perform } from '../../platform/operations/operation.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { openTestServices, type TestServices, today, visitor } from '../../tests/support/small-operator.ts'
import { consentToQuote, priceChanges, quoteDraft, storeQuote } from '../reservations/draft-quote.ts'
import { insertDraft } from '../reservations/insert-draft.ts'
import { GetMoveInCostAll } from '../reservations/operations/get-move-in-cost-of-unit.ts'
import type { Draft } from '../reservations/rules/journey/draft.ts'
import type { Answers } from '../reservations/rules/journey/journey-answers.ts'
import { GetAllDiscounts } from './operations/get-discounts-of-unit-type.ts'
import { GetLocationUnitTypes } from './operations/get-location-unit-types.ts'
import { QUOTE_MS } from './rules/quote-duration.ts'
import { quoteFacilities, quoteUnitTypes } from './views/unit-type-quotes.ts'

const sum = (lines: readonly { cents: number }[]) => lines.reduce((total, line) => total + line.cents, 0)

describeOnBothEngines('The pricing', (open) => {
  let db: Database
  let services: TestServices
  const draft = (answers: Answers, unitTypeId = 1, rentNow = true): Promise<Draft> =>
    insertDraft(services.db.write, services, { locationCode: 'GA1', unitTypeId, rentNow, answers })

  beforeAll(async () => {
    db = await open()
    services = await openTestServices(db)
  })

  it('quotes every unit type with the cheapest insurance, autopay and the first usable discount', async () => {
    const facility = await quoteUnitTypes(services, 'GA1')
    expect(facility?.today).toBe(today)
    expect(
      facility?.unitTypes.map((unitType) => [
        unitType.band,
        unitType.free,
        unitType.discount?.id ?? 0,
        unitType.dueToday,
        unitType.thenPerMonth,
      ]),
    ).toEqual([
      ['MEDIUM', 3, 2, 43_51, 163_85],
      ['MEDIUM', 1, 4, 125_19, 175_83],
      ['PARKING', 1, 0, 124_90, 93_87],
    ])
    expect(facility?.unitTypes[0]?.assumptions).toEqual([
      'with Cover $2,000 insurance',
      'autopay on',
      'no 24-hour access',
    ])
    for (const unitType of facility?.unitTypes ?? []) expect(sum(unitType.charges.lines)).toBe(unitType.dueToday)
  })

  it('prices a facility without insurance, fees or taxes, and leaves out the office and an unknown facility', async () => {
    const quoted = await quoteFacilities(services, ['HI1', 'HQ', 'NOPE'])
    expect([...quoted.keys()]).toEqual(['HI1'])
    expect(quoted.get('HI1')?.unitTypes[0]).toMatchObject({
      dueToday: 139_00,
      thenPerMonth: 139_00,
      assumptions: ['without insurance', 'autopay on', 'no 24-hour access'],
    })
  })

  it('returns the same amounts from the public operations, with two decimals', async () => {
    const outcome = await perform(services, GetLocationUnitTypes, { location_code: 'GA1' }, visitor())
    expect(outcome).toMatchObject({
      ok: true,
      value: {
        UnitType: [
          {
            UnitTypeId: 1,
            Rent: '150.00',
            InternetPrice: '139.00',
            InternetPriceAvailable: 'True',
            IsAvailable: 'True',
            SizeLabel: 'MEDIUM',
            Discount: 'First Month Free',
            DueToday: '43.51',
            ThenPerMonth: '163.85',
          },
          { UnitTypeId: 2, DueToday: '125.19' },
          { UnitTypeId: 3, SizeLabel: 'PARKING', Discount: '' },
        ],
      },
    })
    expect(await perform(services, GetLocationUnitTypes, { location_code: 'HQ' }, visitor())).toMatchObject({
      ok: false,
      status: 404,
    })
    const discounts = await perform(services, GetAllDiscounts, { location_code: 'GA1', unit_type_id: '2' }, visitor())
    expect(discounts).toMatchObject({
      ok: true,
      value: { Discount: [{ discount_id: 4, amount: '50.00', available: 'True' }, { available: 'False' }] },
    })
  })

  it('prices the chosen insurance, and none for an own policy or a vehicle', async () => {
    const dear = await quoteDraft(services, await draft({ insurance: { status: 1, schemeId: 1 } }))
    expect(dear?.charges.insurance).toEqual({ amount: 24_00, tax: 96 })
    const own = await quoteDraft(services, await draft({ insurance: { status: 2 } }))
    expect(own?.charges.insurance.amount).toBe(0)
    const vehicle = await quoteDraft(services, await draft({ vehicle: true }, 3))
    expect(vehicle?.charges.insurance.amount).toBe(0)
    expect(vehicle?.assumptions).toEqual(['autopay on', 'no 24-hour access'])
  })

  it('drops First Month Free and adds the card fee if autopay is declined', async () => {
    const off = await quoteDraft(
      services,
      await draft({ insurance: { status: 2 }, autopay: false, fullDayAccess: true }),
    )
    expect(off?.discountDropped).toBe(true)
    // 139.00 + 12.37 tax; fees 29.00 + 20.00 + 2.00 with 2.03 + 1.40 + 0.14 tax.
    expect(off?.charges.dueToday).toBe(139_00 + 12_37 + 51_00 + 3_57)
    expect(off?.assumptions).toEqual([])
    const byBank = await quoteDraft(services, await draft({ autopay: false, paymentMethod: 'ACH' }))
    expect(byBank?.charges.lines.some((line) => line.kind === 'card_fee')).toBe(false)
    const halfOff = await quoteDraft(services, await draft({ autopay: false }, 2))
    expect(halfOff?.discountDropped).toBe(false)
    expect(halfOff?.charges.rent.discount).toBe(75_00)
  })

  it('prices the requested day until the move-in begins, then today', async () => {
    const later = await quoteDraft(services, await draft({ moveInDate: '2026-11-25' }, 1, false))
    expect(later?.charges.periodStart).toBe('2026-11-25')
    const begun = await quoteDraft(services, await draft({ moveInDate: '2026-11-25', vehicle: false }, 1, false))
    expect(begun?.charges).toMatchObject({ periodStart: today, periodEnd: '2026-12-19' })
  })

  it('has no price for a unit type that the facility does not have', async () => {
    expect(await quoteDraft(services, await draft({}, 99))).toBeNull()
  })

  it('returns the cost of a move-in for a unit, and refuses what the facility does not offer', async () => {
    const input = { location_code: 'GA1', UnitId: '1', MoveInDate: '11/20/2026', DiscountId: '2', InsuranceId: '1' }
    expect(await perform(services, GetMoveInCostAll, input, visitor())).toEqual({
      ok: true,
      value: {
        RentDetails: { TotalRentAmount: '139.00', TaxOnRent: '0.00', FromDate: '11/20/2026', ToDate: '12/19/2026' },
        InsuranceDetails: { InsuranceAmount: '24.00', TaxOnInsurance: '0.96' },
        FeeDetails: { FeesAmount: '29.00', TaxOnFees: '2.03', Description: 'Administration Fee' },
        DiscountDetails: { DiscountValue: '139.00', Description: 'First Month Free' },
        TotalDue: '55.99',
      },
    })
    for (const invalid of [{ DiscountId: 2 }, { DiscountId: 5 }, { InsuranceId: 9 }, { UnitId: 99 }]) {
      const refused = await perform(
        services,
        GetMoveInCostAll,
        { ...input, DiscountId: 0, UnitId: 4, ...invalid },
        visitor(),
      )
      expect(refused).toMatchObject({
        ok: false,
        status: 400,
        fields: { [Object.keys(invalid)[0]!]: expect.any(String) },
      })
    }
  })
})

describeOnBothEngines('Consent to a price', (open) => {
  it('holds for the draft that it was shown to, while nothing has changed, for 30 minutes', async () => {
    const services = await openTestServices(await open())
    const draft = await insertDraft(services.db.write, services, {
      locationCode: 'GA1',
      unitTypeId: 1,
      rentNow: true,
      answers: { insurance: { status: 2 } },
    })
    const quote = await storeQuote(services, draft)
    if (!quote) throw new Error('no quote')
    expect(quote.total).toBe(31_03)
    expect(await consentToQuote(services, draft, quote.quoteId)).toEqual({ ok: true, quote })
    expect(await consentToQuote(services, { ...draft, draftId: 'another' }, quote.quoteId)).toEqual({
      ok: false,
      why: 'unknown',
    })

    const without = { ...draft, answers: { ...draft.answers, autopay: false } }
    const changed = await consentToQuote(services, without, quote.quoteId)
    if (changed.ok || changed.why !== 'changed') throw new Error('the change went unnoticed')
    expect(changed.changes).toContainEqual({ label: 'First Month Free', before: -139_00, now: null })
    expect(changed.changes).toContainEqual({ label: 'Credit Card Processing Fee', before: null, now: 2_00 })
    expect(await consentToQuote(services, without, changed.now.quoteId)).toMatchObject({ ok: true })

    services.clock.advance(QUOTE_MS - 1)
    expect(await consentToQuote(services, draft, quote.quoteId)).toMatchObject({ ok: true })
    services.clock.advance(1)
    const late = await consentToQuote(services, draft, quote.quoteId)
    expect(late).toMatchObject({ ok: false, why: 'expired', changes: [] })

    // A fee increase makes the displayed price outdated.
    await services.db.write.updateTable('fees').set({ amount: 39_00 }).where('fee_id', '=', 1).execute()
    if (late.ok || late.why !== 'expired') throw new Error('did not expire')
    expect(await consentToQuote(services, draft, late.now.quoteId)).toMatchObject({
      ok: false,
      why: 'changed',
      changes: expect.arrayContaining([{ label: 'Administration Fee', before: 29_00, now: 39_00 }]),
    })
  })
})

describe('The differences between two prices', () => {
  it('include a first day that has moved on, although every amount is the same', async () => {
    const line = { kind: 'rent' as const, label: 'Rent', explain: '', cents: 100 }
    const price = { lines: [line], thenLines: [line], periodStart: '2026-11-20' }
    const before = price as unknown as Parameters<typeof priceChanges>[0]
    expect(priceChanges(before, before)).toEqual([])
    expect(priceChanges(before, { ...before, periodStart: '2026-11-21' })).toHaveLength(1)
  })
})
