import * as v from 'valibot'
import { staffOf } from '../../../platform/operations/callers.ts'
import { mayAnywhere } from '../../../platform/operations/facilities-of-staff.ts'
import { locationCode } from '../../../platform/operations/input-fields.ts'
import { refusalError } from '../../../platform/operations/outcome.ts'
import { loadFacilityFacts } from '../../facilities/facility-facts-for-pricing.ts'
import { loadSetting } from '../../facilities/operator-settings-and-brand.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { loadLeasesForRentChange, type NewRent, type RentLease } from '../internal/rent-change-facts.ts'
import { checkMayProposeRentsAt, reason, wantedFrom } from '../internal/rent-change-operation-parts.ts'
import { writeProposals } from '../internal/write-proposals.ts'
import { eligibleRent } from '../rules/eligible-leases.ts'
import { parseRentRules, RENT_BATCH_MAX, type RentRule } from '../rules/rent-change.ts'
import { noRentFits, tooManyRents } from '../texts/rent.ts'

const percentUpTo = (most: number) =>
  v.pipe(v.number(), v.minValue(0.1, 'More than 0 %.'), v.maxValue(most, `${most} % at most.`))

const LOCK_BATCH_SIZE = 500

/** Proposes the new rents that a rule gives for leases of the facilities. */
export const ProposeRentChangesByRule = officeOperation({
  name: 'ProposeRentChangesByRule',
  permission: 'rent.propose',
  access: mayAnywhere('rent.propose'),
  input: v.object({
    location_codes: v.pipe(v.array(locationCode()), v.minLength(1, 'Choose a facility.'), v.maxLength(500)),
    /** Minimum number of months since the last change, or since move-in. */
    months: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(240, '240 months at most.')),
    percent: percentUpTo(100),
    /** Maximum increase in cents; null for none besides the operator's cap. */
    most: v.nullable(v.pipe(v.number(), v.safeInteger(), v.minValue(100, '$1.00 at least.'))),
    /** Maximum new rent in percent of the street rate; null for none. */
    of_street_rate: v.nullable(percentUpTo(300)),
    wanted_from: wantedFrom,
    reason,
  }),
  example: {
    location_codes: ['ATL01'],
    months: 12,
    percent: 8,
    most: 2000,
    of_street_rate: 100,
    wanted_from: '',
    reason: 'Yearly increase',
  },
  before(services, { location_codes: codes }, callers) {
    checkMayProposeRentsAt(staffOf(callers), codes)
    return loadFacilityFacts(services, [...new Set(codes)].sort())
  },
  async work(act, input, facilities) {
    const { tx } = act
    const { months, most, percent, of_street_rate: ofStreetRate, wanted_from: wantedFrom } = input
    const rule = { months, most, percent, ofStreetRate }
    const rules = parseRentRules(await loadSetting(tx, 'rent_rules'))
    const chosen: NewRent[] = []
    for (const { location, today, unitTypes } of facilities.values()) {
      const { location_code: locationCode } = location
      const streetRates = new Map(unitTypes.map((type) => [type.unit_type_id, type.rent]))
      const context = { rules, today, streetRates, locationCode, wantedFrom }
      const eligible = newRentsAt(await loadLeasesForRentChange(tx, locationCode, null), rule, context)
      if (chosen.length + eligible.length > RENT_BATCH_MAX) throw refusalError(409, 'too_many', tooManyRents)
      // The rule is checked again with the leases locked, because another form may have proposed a change meanwhile.
      const numbers = eligible.map(({ lease }) => lease.lease_number)
      for (let from = 0; from < numbers.length; from += LOCK_BATCH_SIZE) {
        const which = { numbers: numbers.slice(from, from + LOCK_BATCH_SIZE), units: [] }
        chosen.push(...newRentsAt(await loadLeasesForRentChange(tx, locationCode, which), rule, context))
      }
    }
    if (chosen.length === 0) throw refusalError(409, 'none', noRentFits)
    return writeProposals(act, chosen, input)
  },
})

function newRentsAt(
  leases: readonly RentLease[],
  rule: RentRule,
  context: Parameters<typeof eligibleRent>[2] & { locationCode: string },
): NewRent[] {
  return leases.flatMap((lease) => {
    const newRent = eligibleRent(lease, rule, context)
    return newRent === null ? [] : [{ locationCode: context.locationCode, lease, newRent }]
  })
}
