import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { mayAnywhere } from '../../../platform/operations/facilities-of-staff.ts'
import { locationCode, plainLine } from '../../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { type Refusal, RefusalError, refuse } from '../../../platform/operations/outcome.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { loadToday } from '../../facilities/facility-facts-for-pricing.ts'
import { loadSetting } from '../../facilities/operator-settings-and-brand.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { loadLeasesForRentChange, type NewRent, type RentLease } from '../internal/rent-change-facts.ts'
import { checkMayProposeRentsAt, reason, wantedFrom } from '../internal/rent-change-operation-parts.ts'
import { writeProposals } from '../internal/write-proposals.ts'
import { type RentProblem, rentProblem } from '../rules/eligible-leases.ts'
import { parseRentRules, RENT_BATCH_MAX, RENT_MAX, type WantedRent } from '../rules/rent-change.ts'
import { leaseNamedTwice, rentTooHigh, someRentsRefused } from '../texts/rent.ts'

const rent = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(100, 'The rent is $1.00 at least.'),
  v.maxValue(RENT_MAX, rentTooHigh),
)

/** Proposes a list of new rents: all of them, or none if a line has a problem. The refusal lists up to 20 such lines. */
export const ProposeRentChanges = officeOperation({
  name: 'ProposeRentChanges',
  permission: 'rent.propose',
  access: mayAnywhere('rent.propose'),
  button: { label: 'Rent', key: 'e', place: 12, page: 'rent', about: 'lease' },
  input: v.object({
    changes: v.pipe(
      v.array(
        v.object({
          location_code: locationCode(),
          lease_number: v.nullable(v.pipe(v.number(), v.safeInteger())),
          unit_number: v.pipe(plainLine, v.trim(), v.maxLength(20)),
          new_rent: rent,
          rent_before: v.nullable(v.pipe(v.number(), v.safeInteger())),
        }),
      ),
      v.minLength(1, 'Name a lease.'),
      v.maxLength(RENT_BATCH_MAX, `At most ${RENT_BATCH_MAX} leases at once.`),
    ),
    wanted_from: wantedFrom,
    reason,
  }),
  example: {
    changes: [{ location_code: 'ATL01', lease_number: 10001, unit_number: '', new_rent: 14900, rent_before: null }],
    wanted_from: '',
    reason: 'Yearly increase',
  },
  async work(act, { changes, ...terms }) {
    const { tx, services, staff } = act
    checkMayProposeRentsAt(
      staff,
      changes.map((change) => change.location_code),
    )
    const rules = parseRentRules(await loadSetting(tx, 'rent_rules'))
    const lines = changes.map((change, index) => ({ ...change, line: index + 1 }))
    const problems: LineProblem[] = []
    const chosen: NewRent[] = []
    const leaseKeys = new Set<string>()
    const linesByFacility = Map.groupBy(lines, (line) => line.location_code)
    for (const [locationCode, facilityLines] of [...linesByFacility].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const today = (await loadToday(tx, services, locationCode)) ?? ''
      const leaseOf = await lockLeasesOfLines(tx, locationCode, facilityLines)
      for (const line of facilityLines) {
        const lease = leaseOf(line)
        const key = `${locationCode}:${lease?.lease_number}`
        const problem =
          lease && leaseKeys.has(key)
            ? { code: 'twice', says: leaseNamedTwice }
            : rentProblem(
                lease,
                { newRent: line.new_rent, before: line.rent_before, wantedFrom: terms.wanted_from },
                { today, rules },
              )
        leaseKeys.add(key)
        if (problem) problems.push({ ...problem, line: line.line, what: lineLabel(line) })
        else if (lease) chosen.push({ locationCode, lease, newRent: line.new_rent })
      }
    }
    if (problems.length > 0) throw new RefusalError(refusalOf(problems, changes.length))
    return writeProposals(act, chosen, terms)
  },
})

interface LineProblem extends RentProblem {
  line: number
  what: string
}

const lineLabel = ({ location_code, lease_number, unit_number }: WantedRent): string =>
  `${location_code} ${lease_number === null ? `unit ${unit_number}` : `lease ${lease_number}`}`

/**
 * Locks the leases that the lines of a facility name by lease number or unit.
 * @returns function that finds a line's lease
 */
async function lockLeasesOfLines(
  tx: Kysely<Tables>,
  locationCode: string,
  lines: readonly WantedRent[],
): Promise<(line: WantedRent) => RentLease | undefined> {
  const leases = await loadLeasesForRentChange(tx, locationCode, {
    numbers: lines.flatMap(({ lease_number }) => lease_number ?? []),
    units: lines.flatMap(({ lease_number, unit_number }) => (lease_number === null ? unit_number : [])),
  })
  const byNumber = new Map(leases.map((lease) => [lease.lease_number, lease]))
  const openLeases = leases.filter(({ status }) => status !== 'Closed')
  const byUnit = new Map(openLeases.map((lease) => [lease.unit_number, lease]))
  return ({ lease_number, unit_number }) =>
    lease_number === null ? byUnit.get(unit_number) : byNumber.get(lease_number)
}

const MAX_LISTED_LINES = 20

function refusalOf(problems: readonly LineProblem[], lineCount: number): Refusal {
  const [first] = problems
  const code = first?.code ?? 'changed'
  if (lineCount === 1) return first?.code === 'not_found' ? recordNotFound : refuse(409, code, first?.says ?? '')
  const lines = [...problems].sort((a, b) => a.line - b.line).slice(0, MAX_LISTED_LINES)
  return refuse(409, code, someRentsRefused(problems.length, lineCount), {
    fields: {
      list: someRentsRefused(problems.length, lineCount),
      ...Object.fromEntries(lines.map(({ line, what, says }) => [`line ${line}`, `Line ${line}, ${what}: ${says}`])),
    },
  })
}
