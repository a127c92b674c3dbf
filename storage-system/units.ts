/** What a facility lets and what it costs: unit types, units, discounts, insurance, fees, the cost of a move-in. */
import type { Selectable } from 'kysely'
import * as v from 'valibot'
import { ContentCache } from '../database/content-cache.ts'
import { toWire } from '../domain/money.ts'
import { formatUs } from '../domain/plain-date.ts'
import { unitTypeUnavailable } from '../domain/texts/reserve.ts'
import type { ReservationsTable } from '../platform/schema/tables.ts'
import { type Callers, done, type House, type Outcome, operation, refuse } from './operation.ts'
import {
  agreedTerms,
  type DiscountTerms,
  discountsOf,
  facilityFacts,
  feesOf,
  MAX_CACHED_FACILITIES,
  priceMoveIn,
  quoteUnitTypes,
} from './pricing.ts'
import { date, locationCode, optional, whole } from './wire.ts'

/** The same for a facility that does not exist and for the office, which lets nothing. */
const noFacility = () => refuse(404, 'location_not_found', 'There is no such location.')

const trueFalse = (value: boolean) => (value ? 'True' : 'False')
const number = () => v.number()
const word = () => v.string()

const unitType = v.object({
  UnitTypeId: number(),
  UnitTypeCode: word(),
  CategoryName: word(),
  Length: number(),
  Breadth: number(),
  /** Street rate per period. */
  Rent: word(),
  IsAvailable: word(),
  ApproximateSize: word(),
  SizeLabel: word(),
  /** Description of the discount in the price, '' without. */
  Discount: word(),
  DiscountId: number(),
  InternetPrice: word(),
  InternetPriceAvailable: word(),
  UnitTypeDescription: word(),
  UnitTypeDetailedDescription: word(),
  DueToday: word(),
  ThenPerMonth: word(),
  /** What the two prices take for granted. */
  PriceAssumes: word(),
})

export const GetLocationUnitTypes = operation({
  name: 'GetLocationUnitTypes',
  summary: 'The unit types of a facility with rates, discount, what is due today and what comes every 30 days.',
  access: 'anyone',
  input: v.object({ location_code: locationCode(), new_data: optional(10) }),
  output: v.object({ UnitType: v.array(unitType) }),
  writes: false,
  example: {
    input: { location_code: 'ATL01' },
    output: {
      UnitType: [
        {
          UnitTypeId: 3,
          UnitTypeCode: 'CC1010',
          CategoryName: 'Climate Controlled',
          Length: 10,
          Breadth: 10,
          Rent: '161.00',
          IsAvailable: 'True',
          ApproximateSize: '10 × 10',
          SizeLabel: 'MEDIUM',
          Discount: '50% Off First Month',
          DiscountId: 13,
          InternetPrice: '140.00',
          InternetPriceAvailable: 'True',
          UnitTypeDescription: 'Half a one-car garage: a one-bedroom home.',
          UnitTypeDetailedDescription:
            'Room for a sofa, a bed, a refrigerator, a washer and dryer, and about 60 boxes …',
          DueToday: '120.29',
          ThenPerMonth: '164.94',
          PriceAssumes: 'with Tenant Protection $2,000 insurance, autopay on, no 24-hour access',
        },
      ],
    },
  },
  async run(house, { location_code }) {
    const facility = await quoteUnitTypes(house, location_code)
    if (!facility) return noFacility()
    return done({
      UnitType: facility.unitTypes.map((one) => ({
        UnitTypeId: one.unitTypeId,
        UnitTypeCode: one.unitTypeCode,
        CategoryName: one.categoryName,
        Length: one.length,
        Breadth: one.breadth,
        Rent: toWire(one.streetRent),
        IsAvailable: trueFalse(one.free > 0),
        ApproximateSize: one.size,
        SizeLabel: one.band,
        Discount: one.charges.discountDescription,
        DiscountId: one.discount?.id ?? 0,
        InternetPrice: toWire(one.internetPrice),
        InternetPriceAvailable: trueFalse(one.internetPriceAvailable),
        UnitTypeDescription: one.description,
        UnitTypeDetailedDescription: one.detailedDescription,
        DueToday: toWire(one.dueToday),
        ThenPerMonth: toWire(one.thenPerMonth),
        PriceAssumes: one.assumptions.join(', '),
      })),
    })
  },
})

export const GetAllDiscounts = operation({
  name: 'GetAllDiscounts',
  summary: 'The discounts of a unit type; the first that is displayable, revenue-managed and available is used.',
  access: 'anyone',
  input: v.object({ location_code: locationCode(), unit_type_id: whole() }),
  output: v.object({
    Discount: v.array(
      v.object({
        discount_id: number(),
        description: word(),
        /** Percent for type 1, else the price of the first period; two decimals. */
        amount: word(),
        type: number(),
        displayable: word(),
        revenue_managed: word(),
        available: word(),
      }),
    ),
  }),
  writes: false,
  example: {
    input: { location_code: 'ATL01', unit_type_id: 3 },
    output: {
      Discount: [
        {
          discount_id: 13,
          description: '50% Off First Month',
          amount: '50.00',
          type: 1,
          displayable: 'True',
          revenue_managed: 'True',
          available: 'True',
        },
      ],
    },
  },
  async run(house, { location_code, unit_type_id }) {
    const facts = (await facilityFacts(house, [location_code])).get(location_code)
    if (!facts?.unitTypes.some((one) => one.unit_type_id === unit_type_id)) return done({ Discount: [] })
    return done({
      Discount: discountsOf(facts, unit_type_id).map((row) => ({
        discount_id: row.discount_id,
        description: row.description,
        amount: toWire(row.amount),
        type: row.type,
        displayable: trueFalse(row.displayable === 1),
        revenue_managed: trueFalse(row.revenue_managed === 1),
        available: trueFalse(row.available === 1),
      })),
    })
  },
})

const listedUnit = v.object({
  UnitId: number(),
  UnitNumber: word(),
  UnitTypeId: number(),
  UnitTypeCode: word(),
  CategoryName: word(),
  Length: number(),
  Breadth: number(),
  FloorNo: number(),
  IsAvailable: word(),
})

type ListedUnit = v.InferInput<typeof listedUnit>

const readUnits = (house: House, location: string) =>
  house.db.read
    .selectFrom('units')
    .select(['unit_id', 'unit_number', 'unit_type_id', 'floor_no'])
    .select(['left_coordinate', 'top_coordinate', 'length', 'width', 'rotate'])
    .where('location_code', '=', location)
    .orderBy('unit_number')
    .execute()

const cachedUnits = new ContentCache<Awaited<ReturnType<typeof readUnits>>>(MAX_CACHED_FACILITIES)

/** The units of a facility by number: what they are and where they stand. Whether they are free changes all the time. */
export const facilityUnits = async (house: House, location: string) =>
  (await cachedUnits.one(house.db, location, () => readUnits(house, location))) ?? []

/** Never who is in a unit or how to open it: these lists are for everybody. None where nothing is let. */
async function listUnits(house: House, location: string, freeOnly: boolean): Promise<ListedUnit[]> {
  const [facts, units, live] = await Promise.all([
    facilityFacts(house, [location]),
    facilityUnits(house, location),
    house.db.read
      .selectFrom('units')
      .select(['unit_id', 'status', 'held_until'])
      .where('location_code', '=', location)
      .where('status', 'in', ['free', 'held', 'off'])
      .execute(),
  ])
  const types = new Map(facts.get(location)?.unitTypes.map((type) => [type.unit_type_id, type]))
  const now = house.clock.now()
  const isFree = (unit: (typeof live)[number]) =>
    unit.status === 'free' || (unit.status === 'held' && unit.held_until !== null && unit.held_until <= now)
  const free = new Set(live.filter(isFree).map((unit) => unit.unit_id))
  const off = new Set(live.filter((unit) => unit.status === 'off').map((unit) => unit.unit_id))
  return units.flatMap((unit): ListedUnit[] => {
    const type = types.get(unit.unit_type_id)
    const available = free.has(unit.unit_id)
    if (!type || (freeOnly ? !available : off.has(unit.unit_id))) return []
    return [
      {
        UnitId: unit.unit_id,
        UnitNumber: unit.unit_number,
        UnitTypeId: unit.unit_type_id,
        UnitTypeCode: type.unit_type_code,
        CategoryName: type.category_name,
        Length: type.length,
        Breadth: type.breadth,
        FloorNo: unit.floor_no,
        IsAvailable: trueFalse(available),
      },
    ]
  })
}

const unitExample = {
  UnitId: 214,
  UnitNumber: '427',
  UnitTypeId: 2,
  UnitTypeCode: 'CC0510',
  CategoryName: 'Climate Controlled',
  Length: 5,
  Breadth: 10,
  FloorNo: 4,
  IsAvailable: 'True',
}

export const GetUnitsList = operation({
  name: 'GetUnitsList',
  summary: 'The units of a facility that can be rented now.',
  access: 'anyone',
  input: v.object({ location_code: locationCode() }),
  output: v.object({ Unit: v.array(listedUnit) }),
  writes: false,
  example: { input: { location_code: 'ATL01' }, output: { Unit: [unitExample] } },
  run: async (house, { location_code }) => done({ Unit: await listUnits(house, location_code, true) }),
})

export const GetAllUnits = operation({
  name: 'GetAllUnits',
  summary: 'All units of a facility; never names, addresses or codes.',
  access: 'anyone',
  input: v.object({ location_code: locationCode() }),
  output: v.object({ Unit: v.array(listedUnit) }),
  writes: false,
  example: { input: { location_code: 'ATL01' }, output: { Unit: [unitExample] } },
  run: async (house, { location_code }) => done({ Unit: await listUnits(house, location_code, false) }),
})

export const GetInsuranceSchemes = operation({
  name: 'GetInsuranceSchemes',
  summary: 'The insurance schemes a facility offers; none where it offers no insurance.',
  access: 'anyone',
  input: v.object({ location_code: locationCode() }),
  output: v.object({
    InsuranceScheme: v.array(
      v.object({ SchemeId: number(), SchemeName: word(), CoverageAmount: word(), PremiumAmount: word() }),
    ),
  }),
  writes: false,
  example: {
    input: { location_code: 'ATL01' },
    output: {
      InsuranceScheme: [
        { SchemeId: 1, SchemeName: 'Tenant Protection $2,000', CoverageAmount: '2000.00', PremiumAmount: '12.00' },
      ],
    },
  },
  async run(house, { location_code }) {
    const facts = (await facilityFacts(house, [location_code])).get(location_code)
    return done({
      InsuranceScheme: (facts?.schemes ?? []).map((row) => ({
        SchemeId: row.scheme_id,
        SchemeName: row.scheme_name,
        CoverageAmount: toWire(row.coverage),
        PremiumAmount: toWire(row.premium),
      })),
    })
  },
})

export const GetInsuranceTerminology = operation({
  name: 'GetInsuranceTerminology',
  summary: 'What each insurance scheme of a facility covers, in words.',
  access: 'anyone',
  input: v.object({ location_code: locationCode() }),
  output: v.object({
    InsuranceTerminology: v.array(v.object({ SchemeId: number(), SchemeName: word(), Terminology: word() })),
  }),
  writes: false,
  example: {
    input: { location_code: 'ATL01' },
    output: {
      InsuranceTerminology: [
        { SchemeId: 1, SchemeName: 'Tenant Protection $2,000', Terminology: 'Pays up to $2,000 for your belongings …' },
      ],
    },
  },
  async run(house, { location_code }) {
    const facts = (await facilityFacts(house, [location_code])).get(location_code)
    return done({
      InsuranceTerminology: (facts?.schemes ?? []).map((row) => ({
        SchemeId: row.scheme_id,
        SchemeName: row.scheme_name,
        Terminology: row.terminology,
      })),
    })
  },
})

const wireFee = v.object({
  FeeId: number(),
  Description: word(),
  Amount: word(),
  /** 'move_in', 'period', 'on_choice', 'card' or 'late'. */
  Charged: word(),
})

const feeExample = { FeeId: 1, Description: 'Administration Fee', Amount: '29.00', Charged: 'move_in' }

export const GetFeesandCharges = operation({
  name: 'GetFeesandCharges',
  summary: 'All fees of a facility.',
  access: 'anyone',
  input: v.object({ location_code: locationCode() }),
  output: v.object({ Fee: v.array(wireFee) }),
  writes: false,
  example: { input: { location_code: 'ATL01' }, output: { Fee: [feeExample] } },
  async run(house, { location_code }) {
    const facts = (await facilityFacts(house, [location_code])).get(location_code)
    return done({
      Fee: (facts?.fees ?? []).map((row) => ({
        FeeId: row.fee_id,
        Description: row.description,
        Amount: toWire(row.amount),
        Charged: row.charged,
      })),
    })
  },
})

export const GetFeesandCharges_V1 = operation({
  name: 'GetFeesandCharges_V1',
  summary: 'A unit type and the fees that go with it, among them the Credit Card Processing Fee.',
  access: 'anyone',
  input: v.object({ location_code: locationCode(), unit_type_id: whole() }),
  output: v.object({
    UnitTypeId: number(),
    UnitTypeCode: word(),
    CategoryName: word(),
    Fee: v.array(wireFee),
  }),
  writes: false,
  example: {
    input: { location_code: 'ATL01', unit_type_id: 3 },
    output: { UnitTypeId: 3, UnitTypeCode: 'CC1010', CategoryName: 'Climate Controlled', Fee: [feeExample] },
  },
  async run(house, { location_code, unit_type_id }) {
    const facts = (await facilityFacts(house, [location_code])).get(location_code)
    const type = facts?.unitTypes.find((one) => one.unit_type_id === unit_type_id)
    if (!facts || !type) return refuse(404, 'unit_type_not_found', unitTypeUnavailable)
    return done({
      UnitTypeId: type.unit_type_id,
      UnitTypeCode: type.unit_type_code,
      CategoryName: type.category_name,
      Fee: feesOf(facts, unit_type_id).map((row) => ({
        FeeId: row.fee_id,
        Description: row.description,
        Amount: toWire(row.amount),
        Charged: row.charged,
      })),
    })
  },
})

const moveInCost = v.object({
  RentDetails: v.object({
    TotalRentAmount: word(),
    TaxOnRent: word(),
    FromDate: word(),
    ToDate: word(),
  }),
  InsuranceDetails: v.object({ InsuranceAmount: word(), TaxOnInsurance: word() }),
  FeeDetails: v.object({ FeesAmount: word(), TaxOnFees: word(), Description: word() }),
  DiscountDetails: v.object({ DiscountValue: word(), Description: word() }),
  /** The sum of all of the above. */
  TotalDue: word(),
})

/** The reservation of a unit where this very rental session has made or found it. */
async function reservedBy(
  house: House,
  { rental }: Callers,
  of: { location_code: string; UnitId: number },
): Promise<Selectable<ReservationsTable> | null> {
  if (rental?.locationCode !== of.location_code || rental.reservationCode === null) return null
  const reservation = await house.db.read
    .selectFrom('reservations')
    .selectAll()
    .where('location_code', '=', of.location_code)
    .where('reservation_code', '=', rental.reservationCode)
    .where('unit_id', '=', of.UnitId)
    .executeTakeFirst()
  return reservation ?? null
}

export const GetMoveInCostAll = operation({
  name: 'GetMoveInCostAll',
  summary:
    'What moving into a unit costs on a day, with a discount and an insurance scheme, 0 for none. To the rental session that has reserved the unit: at the rent and the discount that were agreed with it.',
  access: 'anyone',
  input: v.object({
    location_code: locationCode(),
    UnitId: whole(),
    MoveInDate: date(),
    DiscountId: v.optional(whole(), 0),
    InsuranceId: v.optional(whole(), 0),
  }),
  output: moveInCost,
  writes: false,
  example: {
    input: { location_code: 'ATL01', UnitId: 214, MoveInDate: '11/20/2026', DiscountId: 0, InsuranceId: 1 },
    output: {
      RentDetails: { TotalRentAmount: '81.00', TaxOnRent: '7.21', FromDate: '11/20/2026', ToDate: '12/19/2026' },
      InsuranceDetails: { InsuranceAmount: '12.00', TaxOnInsurance: '0.48' },
      FeeDetails: { FeesAmount: '29.00', TaxOnFees: '2.58', Description: 'Administration Fee' },
      DiscountDetails: { DiscountValue: '0.00', Description: '' },
      TotalDue: '132.27',
    },
  },
  async run(house, input, callers): Promise<Outcome<v.InferInput<typeof moveInCost>>> {
    const [gathered, unit] = await Promise.all([
      facilityFacts(house, [input.location_code]),
      house.db.read
        .selectFrom('units')
        .select('unit_type_id')
        .where('location_code', '=', input.location_code)
        .where('unit_id', '=', input.UnitId)
        .executeTakeFirst(),
    ])
    const facts = gathered.get(input.location_code)
    if (!facts) return noFacility()
    const type = unit && facts.unitTypes.find((one) => one.unit_type_id === unit.unit_type_id)
    const fields: Record<string, string> = {}
    if (!type) fields.UnitId = 'is not a unit of this location'
    const terms = type && agreedTerms(facts, type, await reservedBy(house, callers, input))
    const discount: DiscountTerms | undefined =
      terms?.discount?.discount_id === input.DiscountId
        ? terms.discount
        : type &&
          discountsOf(facts, type.unit_type_id).find(
            (row) => row.discount_id === input.DiscountId && row.available === 1,
          )
    if (input.DiscountId !== 0 && !discount) fields.DiscountId = 'is not available for this unit'
    const scheme = facts.schemes.find((row) => row.scheme_id === input.InsuranceId)
    if (input.InsuranceId !== 0 && !scheme) fields.InsuranceId = 'is not offered at this location'
    if (!type || !terms || Object.keys(fields).length > 0) {
      return refuse(400, 'invalid_input', 'Some fields are missing or not valid.', { fields })
    }
    const charges = priceMoveIn(facts, type, {
      moveInDate: input.MoveInDate,
      discount: discount ?? null,
      scheme: scheme ?? null,
      access24: false,
      cardFee: false,
      agreed: terms,
    })
    return done({
      RentDetails: {
        TotalRentAmount: toWire(charges.rent.amount),
        TaxOnRent: toWire(charges.rent.tax),
        FromDate: formatUs(charges.periodStart),
        ToDate: formatUs(charges.periodEnd),
      },
      InsuranceDetails: {
        InsuranceAmount: toWire(charges.insurance.amount),
        TaxOnInsurance: toWire(charges.insurance.tax),
      },
      FeeDetails: {
        FeesAmount: toWire(charges.fees.amount),
        TaxOnFees: toWire(charges.fees.tax),
        Description: charges.fees.description,
      },
      DiscountDetails: { DiscountValue: toWire(charges.rent.discount), Description: charges.discountDescription },
      TotalDue: toWire(charges.dueToday),
    })
  },
})

export const unitOperations = [
  GetLocationUnitTypes,
  GetAllDiscounts,
  GetUnitsList,
  GetAllUnits,
  GetInsuranceSchemes,
  GetInsuranceTerminology,
  GetFeesandCharges,
  GetFeesandCharges_V1,
  GetMoveInCostAll,
]
