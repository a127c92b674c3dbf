/** Rent changes as the office proposes, decides and cancels them. */
import * as v from 'valibot'
import { RENT_BATCH_MAX, RENT_MAX } from '../../../domain/office/rent-change.ts'
import { isValid } from '../../../domain/plain-date.ts'
import { noRentFits } from '../../../domain/texts/rent.ts'
import { audit, staffActor } from '../../../platform/audit/audit.ts'
import { facilitiesFor, may, mayAnywhere, type StaffCaller } from '../../../platform/operations/callers.ts'
import { locationCode, plainLine } from '../../../platform/operations/input-fields.ts'
import { internalOperation, notOnFile } from '../../../platform/operations/operation.ts'
import { type Refusal, refuse, succeed } from '../../../platform/operations/outcome.ts'
import { facilityFacts } from '../../facilities/facts.ts'
import { cancelRent, decideRents, stopRents } from '../decide.ts'
import { proposeByRule, proposeRents } from '../propose.ts'
import { type RentNow, rentsAt } from '../views/rent-change-batches.ts'

const reason = v.pipe(plainLine, v.trim(), v.minLength(1, 'Say why.'), v.maxLength(500))
const uuid = v.pipe(v.string(), v.uuid())
const rent = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(100, 'The rent is $1.00 at least.'),
  v.maxValue(RENT_MAX, 'The rent is $10,000.00 at most.'),
)
/** '' for as early as may be. */
const wantedFrom = v.pipe(
  v.string(),
  v.check((text) => text === '' || isValid(text), 'This is no day.'),
  v.transform((text) => (text === '' ? null : text)),
)
const batch = { batch_id: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c14' }
const change = { change_id: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c15', location_code: 'ATL01' }

/** Rolls the transaction back and carries what it answers. */
class Refused extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.code)
    this.refusal = refusal
  }
}

async function allOrNone<Done extends object>(work: () => Promise<Done | Refusal>): Promise<Done | Refusal> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refused) return error.refusal
    throw error
  }
}

const isRefusal = (answer: object): answer is Refusal => 'ok' in answer

/** Whether each of the facilities is one that the person proposes for. */
const proposesAt = (caller: StaffCaller, locationCodes: readonly string[]): boolean => {
  const held = facilitiesFor(caller, 'rent.propose')
  return held === 'all' || locationCodes.every((code) => held.has(code))
}

export const ProposeRentChanges = internalOperation({
  name: 'ProposeRentChanges',
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
      !proposesAt(
        callers.staff as StaffCaller,
        changes.map((one) => one.location_code),
      )
    )
      return notOnFile
    const terms = { wantedFrom: wanted_from, reason: why }
    const done = await allOrNone(() =>
      services.db.transaction(async (tx) => {
        const proposed = await proposeRents(tx, services, callers, changes, terms)
        if (isRefusal(proposed)) throw new Refused(proposed)
        return proposed
      }),
    )
    return isRefusal(done) ? done : succeed({ batch_id: done.batchId, proposed: done.proposed })
  },
})

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
    if (!proposesAt(callers.staff as StaffCaller, input.location_codes)) return notOnFile
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

export const DecideRentChanges = internalOperation({
  name: 'DecideRentChanges',
  access: { staff: mayAnywhere('rent.approve') },
  input: v.object({
    batch_id: uuid,
    /** None: every one that waits at the person's facilities. */
    change_ids: v.pipe(v.array(uuid), v.maxLength(RENT_BATCH_MAX)),
    decision: v.picklist(['approve', 'refuse']),
    because: v.pipe(plainLine, v.trim(), v.maxLength(500)),
  }),
  example: { input: { ...batch, change_ids: [], decision: 'approve', because: '' } },
  async run(services, input, callers) {
    const { batch_id: batchId, change_ids: changeIds, decision, because } = input
    const done = await decideRents(services, callers, { batchId, changeIds, decision, because })
    return isRefusal(done) ? done : succeed(done)
  },
})

export const CancelRentChange = internalOperation({
  name: 'CancelRentChange',
  access: { staff: may('rent.propose') },
  input: v.object({ change_id: uuid, location_code: locationCode(), reason }),
  example: { input: { ...change, reason: 'Agreed with the tenant' } },
  async run(services, input, callers) {
    const refused = await cancelRent(services, callers, {
      changeId: input.change_id,
      locationCode: input.location_code,
      reason: input.reason,
    })
    return refused ?? succeed({ cancelled: true })
  },
})

export const StopRentChanges = internalOperation({
  name: 'StopRentChanges',
  access: { staff: mayAnywhere('rent.approve') },
  input: v.object({ batch_id: uuid, reason }),
  example: { input: { ...batch, reason: 'Approved by mistake' } },
  async run(services, input, callers) {
    const done = await stopRents(services, callers, { batchId: input.batch_id, reason: input.reason })
    return isRefusal(done) ? done : succeed(done)
  },
})

/** Facilities in one file: more are chosen in turn. */
export const MOST_EXPORTED = 60

/** The open leases of facilities with their rents, as a file. The event stands before its first byte leaves. */
export const ExportRents = internalOperation({
  name: 'ExportRents',
  access: { staff: mayAnywhere('rent.propose') },
  freshFactor: true,
  input: v.object({ location_codes: v.pipe(v.array(locationCode()), v.minLength(1), v.maxLength(MOST_EXPORTED)) }),
  example: { input: { location_codes: ['ATL01'] } },
  async run(services, { location_codes: codes }, callers) {
    if (!proposesAt(callers.staff as StaffCaller, codes)) return notOnFile
    const leases: ({ locationCode: string } & RentNow)[] = []
    for (const locationCode of codes)
      for (const one of await rentsAt(services, locationCode)) leases.push({ locationCode, ...one })
    await audit(services.db.write, services, staffActor(callers), {
      kind: 'rent.exported',
      details: {
        leases: `${leases.length} ${leases.length === 1 ? 'lease' : 'leases'}`,
        facilities: codes.length === 1 ? (codes[0] as string) : `${codes.length} facilities`,
      },
      permission: 'rent.propose',
      ...(codes.length === 1 && { locationCode: codes[0] as string }),
    })
    return succeed({ leases })
  },
})

export const rentChangeOperations = [
  ProposeRentChanges,
  ProposeRentChangesByRule,
  DecideRentChanges,
  CancelRentChange,
  StopRentChanges,
  ExportRents,
]
