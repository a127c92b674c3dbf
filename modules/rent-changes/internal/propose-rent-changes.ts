import type { Kysely } from 'kysely'
import { format } from '../../../domain/money.ts'
import type { IsoDate } from '../../../domain/plain-date.ts'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import type { Callers } from '../../../platform/operations/callers.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { type Refusal, refuse } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { type FacilityFacts, loadToday } from '../../facilities/facility-price-facts.ts'
import { loadSetting } from '../../facilities/site-settings.ts'
import { parseRentRules } from '../rent-rules-setting.ts'
import { eligibleRent, type RentProblem, rentProblem } from '../rules/eligible-leases.ts'
import { RENT_BATCH_MAX, type RentRule, type WantedRent } from '../rules/rent-change.ts'
import { leaseNamedTwice, someRentsRefused, tooManyRents } from '../texts/rent.ts'
import { lockLeasesForRentChange, type NewRent, type RentLease } from './rent-change-facts.ts'

/** First day and reason that all proposals of a batch share. */
export interface ProposedTerms {
  wantedFrom: IsoDate | null
  reason: string
}

/** Id of a batch of proposed rent changes, and how many changes it has. */
export interface ProposalResult {
  batchId: string
  proposed: number
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
  const leases = await lockLeasesForRentChange(tx, locationCode, {
    numbers: lines.flatMap(({ lease_number }) => lease_number ?? []),
    units: lines.flatMap(({ lease_number, unit_number }) => (lease_number === null ? unit_number : [])),
  })
  const byNumber = new Map(leases.map((lease) => [lease.lease_number, lease]))
  const open = leases.filter(({ status }) => status !== 'Closed')
  const byUnit = new Map(open.map((lease) => [lease.unit_number, lease]))
  return ({ lease_number, unit_number }) =>
    lease_number === null ? byUnit.get(unit_number) : byNumber.get(lease_number)
}

/**
 * Proposes a list of new rents, all of them or none.
 * @returns the batch; a refusal that lists the lines with a problem
 */
export async function proposeRents(
  tx: Kysely<Tables>,
  services: Services,
  callers: Callers,
  requests: readonly WantedRent[],
  terms: ProposedTerms,
): Promise<ProposalResult | Refusal> {
  const rules = parseRentRules(await loadSetting(tx, 'rent_rules'))
  const lines = requests.map((request, at) => ({ ...request, line: at + 1 }))
  const problems: (RentProblem & { line: number; what: string })[] = []
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
              { newRent: line.new_rent, before: line.rent_before, wantedFrom: terms.wantedFrom },
              { today, rules },
            )
      leaseKeys.add(key)
      if (problem) problems.push({ ...problem, line: line.line, what: lineLabel(line) })
      else if (lease) chosen.push({ locationCode, lease, newRent: line.new_rent })
    }
  }
  const [first] = problems
  if (first) return refusalOf(problems, requests.length)
  return writeProposals(tx, services, callers, chosen, terms)
}

const MAX_LISTED_LINES = 20

function refusalOf(problems: readonly (RentProblem & { line: number; what: string })[], lineCount: number): Refusal {
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

/**
 * Proposes the new rents that a rule gives for leases of the facilities.
 * @returns the batch; null when no lease fits the rule; a refusal for more than `RENT_BATCH_MAX` leases
 */
export async function proposeByRule(
  tx: Kysely<Tables>,
  services: Services,
  callers: Callers,
  { facilities, rule }: { facilities: readonly FacilityFacts[]; rule: RentRule },
  terms: ProposedTerms,
): Promise<ProposalResult | Refusal | null> {
  const rules = parseRentRules(await loadSetting(tx, 'rent_rules'))
  const chosen: NewRent[] = []
  for (const facts of facilities) {
    const locationCode = facts.location.location_code
    const streetRates = new Map(facts.unitTypes.map((type) => [type.unit_type_id, type.rent]))
    const fitting = newRentsAt(await lockLeasesForRentChange(tx, locationCode, null), rule, {
      rules,
      today: facts.today,
      streetRates,
      locationCode,
      wantedFrom: terms.wantedFrom,
    })
    if (chosen.length + fitting.length > RENT_BATCH_MAX) return refuse(409, 'too_many', tooManyRents)
    // The rule is checked again with the leases locked, because another form may have proposed a change meanwhile.
    const numbers = fitting.map(({ lease }) => lease.lease_number)
    for (let from = 0; from < numbers.length; from += LOCK_BATCH_SIZE) {
      const locked = await lockLeasesForRentChange(tx, locationCode, {
        numbers: numbers.slice(from, from + LOCK_BATCH_SIZE),
        units: [],
      })
      chosen.push(
        ...newRentsAt(locked, rule, {
          rules,
          today: facts.today,
          streetRates,
          locationCode,
          wantedFrom: terms.wantedFrom,
        }),
      )
    }
  }
  return chosen.length === 0 ? null : writeProposals(tx, services, callers, chosen, terms)
}

const LOCK_BATCH_SIZE = 500

function newRentsAt(
  leases: readonly RentLease[],
  rule: RentRule,
  at: Parameters<typeof eligibleRent>[2] & { locationCode: string },
): NewRent[] {
  return leases.flatMap((lease) => {
    const newRent = eligibleRent(lease, rule, at)
    return newRent === null ? [] : [{ locationCode: at.locationCode, lease, newRent }]
  })
}

const INSERT_BATCH_SIZE = 500

async function writeProposals(
  tx: Kysely<Tables>,
  services: Services,
  callers: Callers,
  rents: readonly NewRent[],
  terms: ProposedTerms,
): Promise<ProposalResult> {
  const by = staffActor(callers)
  const batchId = services.random.uuid()
  const rows = rents.map(({ locationCode, lease, newRent }) => ({
    change_id: services.random.uuid(),
    batch_id: batchId,
    location_code: locationCode,
    lease_number: lease.lease_number,
    tenant_id: lease.tenant_id,
    old_rent: lease.rent,
    new_rent: newRent,
    wanted_from: terms.wantedFrom,
    reason: terms.reason,
    state: 'proposed' as const,
    proposed_by: by.staff.staffId,
    proposed_at: services.clock.now(),
    decided_by: null,
    decided_at: null,
    decided_because: '',
    notice_on: null,
    not_before: null,
    applied_from: null,
    ended_at: null,
  }))
  for (let from = 0; from < rows.length; from += INSERT_BATCH_SIZE)
    await tx
      .insertInto('rent_changes')
      .values(rows.slice(from, from + INSERT_BATCH_SIZE))
      .execute()
  for (const [locationCode, facilityRents] of Map.groupBy(rents, (rent) => rent.locationCode)) {
    const [only] = facilityRents.length === 1 ? facilityRents : []
    await writeAuditEvent(tx, services, by, {
      kind: 'rent.proposed',
      details: {
        what: only
          ? `${format(only.lease.rent)} to ${format(only.newRent)} for ${locationCode} ${only.lease.unit_number}`
          : `${facilityRents.length} changes at ${locationCode}`,
      },
      permission: 'rent.propose',
      locationCode,
      subject: batchId,
      reason: terms.reason,
      ...(only && { tenantId: only.lease.tenant_id, leaseNumber: only.lease.lease_number }),
    })
  }
  return { batchId, proposed: rows.length }
}
