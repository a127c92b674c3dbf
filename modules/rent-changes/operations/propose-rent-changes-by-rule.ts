import * as v from 'valibot'
import { staffOf } from '../../../platform/operations/callers.ts'
import { locationCode } from '../../../platform/operations/input-fields.ts'
import { internalOperation, recordNotFound } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { mayAnywhere } from '../../../platform/operations/staff-scope.ts'
import { facilityFacts } from '../../facilities/facility-price-facts.ts'
import { proposeByRule } from '../internal/propose-rent-changes.ts'
import { isRefusal, mayProposeRentsAt, reason, wantedFrom } from '../rent-change-operation-parts.ts'
import { noRentFits } from '../texts/rent.ts'

const percent = (most: number) =>
  v.pipe(v.number(), v.minValue(0.1, 'More than 0 %.'), v.maxValue(most, `${most} % at most.`))

export const ProposeRentChangesByRule = internalOperation({
  name: 'ProposeRentChangesByRule',
  access: { staff: mayAnywhere('rent.propose') },
  input: v.object({
    location_codes: v.pipe(v.array(locationCode()), v.minLength(1, 'Choose a facility.'), v.maxLength(500)),
    months: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(240, '240 months at most.')),
    percent: percent(100),
    most: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(100, '$1.00 at least.'))),
    of_street_rate: v.nullable(percent(300)),
    wanted_from: wantedFrom,
    reason,
  }),
  example: {
    input: {
      location_codes: ['ATL01'],
      months: 12,
      percent: 8,
      most: 2000,
      of_street_rate: 100,
      wanted_from: '',
      reason: 'Yearly increase',
    },
  },
  async run(services, input, callers) {
    if (!mayProposeRentsAt(staffOf(callers), input.location_codes)) return recordNotFound
    const { months, most, percent: by, of_street_rate: ofStreetRate } = input
    const rule = { months, most, percent: by, ofStreetRate }
    const facts = await facilityFacts(services, [...new Set(input.location_codes)].sort())
    const terms = { wantedFrom: input.wanted_from, reason: input.reason }
    const done = await services.db.transaction((tx) =>
      proposeByRule(tx, services, callers, { facilities: [...facts.values()], rule }, terms),
    )
    if (done === null) return refuse(409, 'none', noRentFits)
    return isRefusal(done) ? done : succeed({ batch_id: done.batchId, proposed: done.proposed })
  },
})
