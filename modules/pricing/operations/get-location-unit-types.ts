import * as v from 'valibot'
import { toWire } from '../../../domain/money.ts'
import { locationCode, optionalText } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { facilityNotFound, wireBoolean } from '../../facilities/facility-not-found-and-wire-boolean.ts'
import { quoteUnitTypes } from '../views/unit-type-quotes.ts'

const unitType = v.object({
  UnitTypeId: v.number(),
  UnitTypeCode: v.string(),
  CategoryName: v.string(),
  Length: v.number(),
  Breadth: v.number(),
  Rent: v.string(),
  IsAvailable: v.string(),
  ApproximateSize: v.string(),
  SizeLabel: v.string(),
  Discount: v.string(),
  DiscountId: v.number(),
  InternetPrice: v.string(),
  InternetPriceAvailable: v.string(),
  UnitTypeDescription: v.string(),
  UnitTypeDetailedDescription: v.string(),
  DueToday: v.string(),
  ThenPerMonth: v.string(),
  /** Assumptions behind `DueToday` and `ThenPerMonth`. */
  PriceAssumes: v.string(),
})

export const GetLocationUnitTypes = operation({
  name: 'GetLocationUnitTypes',
  summary: 'The unit types of a facility with rates, discount, what is due today and what comes every 30 days.',
  access: 'anyone',
  input: v.object({ location_code: locationCode(), new_data: optionalText(10) }),
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
    if (!facility) return facilityNotFound()
    return succeed({
      UnitType: facility.unitTypes.map((unitType) => ({
        UnitTypeId: unitType.unitTypeId,
        UnitTypeCode: unitType.unitTypeCode,
        CategoryName: unitType.categoryName,
        Length: unitType.length,
        Breadth: unitType.breadth,
        Rent: toWire(unitType.streetRent),
        IsAvailable: wireBoolean(unitType.free > 0),
        ApproximateSize: unitType.size,
        SizeLabel: unitType.band,
        Discount: unitType.charges.discountDescription,
        DiscountId: unitType.discount?.id ?? 0,
        InternetPrice: toWire(unitType.internetPrice),
        InternetPriceAvailable: wireBoolean(unitType.internetPriceAvailable),
        UnitTypeDescription: unitType.description,
        UnitTypeDetailedDescription: unitType.detailedDescription,
        DueToday: toWire(unitType.dueToday),
        ThenPerMonth: toWire(unitType.thenPerMonth),
        PriceAssumes: unitType.assumptions.join(', '),
      })),
    })
  },
})
