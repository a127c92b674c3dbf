import type { Kysely } from 'kysely'
import { format } from '../../domain/money.ts'
import type { IsoDate } from '../../domain/plain-date.ts'
import { staffActor, writeAuditEvent } from '../../platform/audit/audit.ts'
import type { Callers } from '../../platform/operations/callers.ts'
import { recordNotFound } from '../../platform/operations/operation.ts'
import { type Refusal, refuse } from '../../platform/operations/outcome.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { type FacilityFacts, loadToday } from '../facilities/facility-price-facts.ts'
import { loadSetting } from '../facilities/site-settings.ts'
import { lockLeasesForRentChange, type NewRent, type RentLease } from './rent-change-facts.ts'
import { parseRentRules } from './rent-rules-setting.ts'
import { eligibleRent, type RentProblem, rentProblem } from './rules/eligible-leases.ts'
import { RENT_BATCH_MAX, type RentRule, type WantedRent } from './rules/rent-change.ts'
import { leaseNamedTwice, someRentsRefused, tooManyRents } from './texts/rent.ts'

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

const named = ({ location_code, lease_number, unit_number }: WantedRent): string =>
  `${location_code} ${lease_number === null ? `unit ${unit_number}` : `lease ${lease_number}`}`

/**
 * Locks the leases that the lines of a facility name by lease number or unit.
 * @returns function that finds a line's lease
 */
async function leasesOfLines(
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
 * @returns the batch; a refusal with the wrong lines
 */
export async function proposeRents(
  tx: Kysely<Tables>,
  services: Services,
  callers: Callers,
  wanted: readonly WantedRent[],
  terms: ProposedTerms,
): Promise<ProposalResult | Refusal> {
  const rules = parseRentRules(await loadSetting(tx, 'rent_rules'))
  const lines = wanted.map((one, at) => ({ ...one, line: at + 1 }))
  const problems: (RentProblem & { line: number; what: string })[] = []
  const chosen: NewRent[] = []
  const seen = new Set<string>()
  const places = Map.groupBy(lines, (line) => line.location_code)
  for (const [locationCode, here] of [...places].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const today = (await loadToday(tx, services, locationCode)) ?? ''
    const leaseOf = await leasesOfLines(tx, locationCode, here)
    for (const line of here) {
      const lease = leaseOf(line)
      const key = `${locationCode}:${lease?.lease_number}`
      const problem =
        lease && seen.has(key)
          ? { code: 'twice', says: leaseNamedTwice }
          : rentProblem(
              lease,
              { newRent: line.new_rent, before: line.rent_before, wantedFrom: terms.wantedFrom },
              { today, rules },
            )
      seen.add(key)
      if (problem) problems.push({ ...problem, line: line.line, what: named(line) })
      else if (lease) chosen.push({ locationCode, lease, newRent: line.new_rent })
    }
  }
  const [first] = problems
  if (first) return refusal(problems, wanted.length)
  return writeProposals(tx, services, callers, chosen, terms)
}

const MOST_NAMED = 20

function refusal(problems: readonly (RentProblem & { line: number; what: string })[], of: number): Refusal {
  const [first] = problems
  const code = first?.code ?? 'changed'
  if (of === 1) return first?.code === 'not_found' ? recordNotFound : refuse(409, code, first?.says ?? '')
  const lines = [...problems].sort((a, b) => a.line - b.line).slice(0, MOST_NAMED)
  return refuse(409, code, someRentsRefused(problems.length, of), {
    fields: {
      list: someRentsRefused(problems.length, of),
      ...Object.fromEntries(lines.map(({ line, what, says }) => [`line ${line}`, `Line ${line}, ${what}: ${says}`])),
    },
  })
}

/**
 * Proposes the new rents that a rule gives for leases of these facilities.
 * @returns the batch; null when no lease fits the rule
 */
export async function proposeByRule(
  tx: Kysely<Tables>,
  services: Services,
  callers: Callers,
  of: { facilities: readonly FacilityFacts[]; rule: RentRule },
  terms: ProposedTerms,
): Promise<ProposalResult | Refusal | null> {
  const rules = parseRentRules(await loadSetting(tx, 'rent_rules'))
  const chosen: NewRent[] = []
  for (const here of of.facilities) {
    const locationCode = here.location.location_code
    const streetRates = new Map(here.unitTypes.map((type) => [type.unit_type_id, type.rent]))
    const fits = newRentsAt(await lockLeasesForRentChange(tx, locationCode, null), of.rule, {
      rules,
      today: here.today,
      streetRates,
      locationCode,
      wantedFrom: terms.wantedFrom,
    })
    if (chosen.length + fits.length > RENT_BATCH_MAX) return refuse(409, 'too_many', tooManyRents)
    // Checks again with the leases locked, because another form may have proposed a change meanwhile.
    const numbers = fits.map(({ lease }) => lease.lease_number)
    for (let from = 0; from < numbers.length; from += LOCKED_AT_ONCE) {
      const locked = await lockLeasesForRentChange(tx, locationCode, {
        numbers: numbers.slice(from, from + LOCKED_AT_ONCE),
        units: [],
      })
      chosen.push(
        ...newRentsAt(locked, of.rule, {
          rules,
          today: here.today,
          streetRates,
          locationCode,
          wantedFrom: terms.wantedFrom,
        }),
      )
    }
  }
  return chosen.length === 0 ? null : writeProposals(tx, services, callers, chosen, terms)
}

const LOCKED_AT_ONCE = 500

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

const ROWS_AT_ONCE = 500

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
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
    await tx
      .insertInto('rent_changes')
      .values(rows.slice(from, from + ROWS_AT_ONCE))
      .execute()
  for (const [locationCode, here] of Map.groupBy(rents, (one) => one.locationCode)) {
    const [only] = here.length === 1 ? here : []
    await writeAuditEvent(tx, services, by, {
      kind: 'rent.proposed',
      details: {
        what: only
          ? `${format(only.lease.rent)} to ${format(only.newRent)} for ${locationCode} ${only.lease.unit_number}`
          : `${here.length} changes at ${locationCode}`,
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
