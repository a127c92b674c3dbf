import * as v from 'valibot'
import { toWire } from '../../../domain/money.ts'
import { unitTypeUnavailable } from '../../../domain/texts/reserve.ts'
import { integer, locationCode, optional } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { discountsOf, facilityFacts, feesOf } from '../../facilities/facts.ts'
import { noFacility, number, trueFalse } from '../../facilities/units.ts'
import { quoteUnitTypes } from '../unit-type-prices.ts'

const unitType = v.object({
  UnitTypeId: number(),
  UnitTypeCode: v.string(),
  CategoryName: v.string(),
  Length: number(),
  Breadth: number(),
  Rent: v.string(),
  IsAvailable: v.string(),
  ApproximateSize: v.string(),
  SizeLabel: v.string(),
  Discount: v.string(),
  DiscountId: number(),
  InternetPrice: v.string(),
  InternetPriceAvailable: v.string(),
  UnitTypeDescription: v.string(),
  UnitTypeDetailedDescription: v.string(),
  DueToday: v.string(),
  ThenPerMonth: v.string(),
  /** What the two prices take for granted. */
  PriceAssumes: v.string(),
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
  async run(services, { location_code }) {
    const facility = await quoteUnitTypes(services, location_code)
    if (!facility) return noFacility()
    return succeed({
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
  input: v.object({ location_code: locationCode(), unit_type_id: integer() }),
  output: v.object({
    Discount: v.array(
      v.object({
        discount_id: number(),
        description: v.string(),
        /** Percent for type 1, else the price of the first period; two decimals. */
        amount: v.string(),
        type: number(),
        displayable: v.string(),
        revenue_managed: v.string(),
        available: v.string(),
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
  async run(services, { location_code, unit_type_id }) {
    const facts = (await facilityFacts(services, [location_code])).get(location_code)
    if (!facts?.unitTypes.some((one) => one.unit_type_id === unit_type_id)) return succeed({ Discount: [] })
    return succeed({
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

export const GetInsuranceSchemes = operation({
  name: 'GetInsuranceSchemes',
  summary: 'The insurance schemes a facility offers; none where it offers no insurance.',
  access: 'anyone',
  input: v.object({ location_code: locationCode() }),
  output: v.object({
    InsuranceScheme: v.array(
      v.object({ SchemeId: number(), SchemeName: v.string(), CoverageAmount: v.string(), PremiumAmount: v.string() }),
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
  async run(services, { location_code }) {
    const facts = (await facilityFacts(services, [location_code])).get(location_code)
    return succeed({
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
    InsuranceTerminology: v.array(v.object({ SchemeId: number(), SchemeName: v.string(), Terminology: v.string() })),
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
  async run(services, { location_code }) {
    const facts = (await facilityFacts(services, [location_code])).get(location_code)
    return succeed({
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
  Description: v.string(),
  Amount: v.string(),
  /** 'move_in', 'period', 'on_choice', 'card', 'late' or 'returned'. */
  Charged: v.string(),
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
  async run(services, { location_code }) {
    const facts = (await facilityFacts(services, [location_code])).get(location_code)
    return succeed({
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
  input: v.object({ location_code: locationCode(), unit_type_id: integer() }),
  output: v.object({
    UnitTypeId: number(),
    UnitTypeCode: v.string(),
    CategoryName: v.string(),
    Fee: v.array(wireFee),
  }),
  writes: false,
  example: {
    input: { location_code: 'ATL01', unit_type_id: 3 },
    output: { UnitTypeId: 3, UnitTypeCode: 'CC1010', CategoryName: 'Climate Controlled', Fee: [feeExample] },
  },
  async run(services, { location_code, unit_type_id }) {
    const facts = (await facilityFacts(services, [location_code])).get(location_code)
    const type = facts?.unitTypes.find((one) => one.unit_type_id === unit_type_id)
    if (!facts || !type) return refuse(404, 'unit_type_not_found', unitTypeUnavailable)
    return succeed({
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

export const moveInCost = v.object({
  RentDetails: v.object({
    TotalRentAmount: v.string(),
    TaxOnRent: v.string(),
    FromDate: v.string(),
    ToDate: v.string(),
  }),
  InsuranceDetails: v.object({ InsuranceAmount: v.string(), TaxOnInsurance: v.string() }),
  FeeDetails: v.object({ FeesAmount: v.string(), TaxOnFees: v.string(), Description: v.string() }),
  DiscountDetails: v.object({ DiscountValue: v.string(), Description: v.string() }),
  TotalDue: v.string(),
})
