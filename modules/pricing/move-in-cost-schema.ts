import * as v from 'valibot'

/** Output schema of the cost of a move-in. */
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
