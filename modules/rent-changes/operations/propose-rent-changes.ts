import * as v from 'valibot'
import { staffOf } from '../../../platform/operations/callers.ts'
import { locationCode, plainLine } from '../../../platform/operations/input-fields.ts'
import { internalOperation, recordNotFound } from '../../../platform/operations/operation.ts'
import { type Refusal, succeed } from '../../../platform/operations/outcome.ts'
import { mayAnywhere } from '../../../platform/operations/staff-scope.ts'
import { proposeRents } from '../internal/propose-rent-changes.ts'
import { isRefusal, mayProposeRentsAt, reason, wantedFrom } from '../rent-change-operation-parts.ts'
import { RENT_BATCH_MAX, RENT_MAX } from '../rules/rent-change.ts'

const rent = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(100, 'The rent is $1.00 at least.'),
  v.maxValue(RENT_MAX, 'The rent is $10,000.00 at most.'),
)

/** Thrown to roll the transaction back with a refusal. */
class Refused extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.code)
    this.refusal = refusal
  }
}

async function catchRefusal<Done extends object>(work: () => Promise<Done | Refusal>): Promise<Done | Refusal> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refused) return error.refusal
    throw error
  }
}

export const ProposeRentChanges = internalOperation({
  name: 'ProposeRentChanges',
  button: { label: 'Rent', key: 'e', place: 12, page: 'rent', permission: 'rent.propose', about: 'lease' },
  access: { staff: mayAnywhere('rent.propose') },
  input: v.object({
    changes: v.pipe(
      v.array(
        v.object({
          location_code: locationCode(),
          lease_number: v.nullable(v.pipe(v.number(), v.integer())),
          unit_number: v.pipe(plainLine, v.trim(), v.maxLength(20)),
          new_rent: rent,
          rent_before: v.nullable(v.pipe(v.number(), v.integer())),
        }),
      ),
      v.minLength(1, 'Name a lease.'),
      v.maxLength(RENT_BATCH_MAX, `At most ${RENT_BATCH_MAX} leases at once.`),
    ),
    wanted_from: wantedFrom,
    reason,
  }),
  example: {
    input: {
      changes: [{ location_code: 'ATL01', lease_number: 10001, unit_number: '', new_rent: 14900, rent_before: null }],
      wanted_from: '',
      reason: 'Yearly increase',
    },
  },
  async run(services, { changes, wanted_from, reason: why }, callers) {
    if (
      !mayProposeRentsAt(
        staffOf(callers),
        changes.map((change) => change.location_code),
      )
    )
      return recordNotFound
    const terms = { wantedFrom: wanted_from, reason: why }
    const done = await catchRefusal(() =>
      services.db.transaction(async (tx) => {
        const proposed = await proposeRents(tx, services, callers, changes, terms)
        if (isRefusal(proposed)) throw new Refused(proposed)
        return proposed
      }),
    )
    return isRefusal(done) ? done : succeed({ batch_id: done.batchId, proposed: done.proposed })
  },
})
