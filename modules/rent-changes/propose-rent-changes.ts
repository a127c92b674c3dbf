import type { Kysely } from 'kysely'
import { type Cents, format } from '../../domain/money.ts'
import { addDays, type IsoDate } from '../../domain/plain-date.ts'
import { changedSince, officeNotFound } from '../../domain/texts/office.ts'
import { staffActor, writeAuditEvent } from '../../platform/audit/audit.ts'
import type { Callers } from '../../platform/operations/callers.ts'
import { recordNotFound } from '../../platform/operations/operation.ts'
import { type Refusal, refuse } from '../../platform/operations/outcome.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { type FacilityFacts, loadToday } from '../facilities/facility-facts.ts'
import { loadSetting } from '../facilities/site-settings.ts'
import { lockLeasesForRentChange, type NewRent, type RentLease } from './eligible-leases.ts'
import { parseRentRules } from './rent-change-rules.ts'
import {
  cappedRent,
  monthsBetween,
  NOTICE_DAYS,
  RENT_BATCH_MAX,
  type RentRule,
  type RentRules,
  rentByRule,
  type WantedRent,
} from './rules/rent-change.ts'
import {
  aboveRentCap,
  leaseNamedTwice,
  noNoticeAddress,
  noticeTooShort,
  rentChargedAhead,
  rentUnderWay,
  sameRent,
  someRentsRefused,
  tenantMovingOut,
  tooManyRents,
} from './texts/rent.ts'

export interface ProposedTerms {
  wantedFrom: IsoDate | null
  reason: string
}

export interface ProposalResult {
  batchId: string
  proposed: number
}

type Problem = { code: string; says: string }

/** Returns why a lease's rent cannot be changed to this amount; null when it can. */
export function rentProblem(
  lease: RentLease | undefined,
  { newRent, before, wantedFrom }: { newRent: Cents; before: Cents | null; wantedFrom: IsoDate | null },
  { today, rules }: { today: IsoDate; rules: RentRules },
): Problem | null {
  if (!lease || lease.status === 'Closed') return { code: 'not_found', says: officeNotFound }
  if (before !== null && before !== lease.rent) return { code: 'changed', says: changedSince }
  if (newRent === lease.rent) return { code: 'same_rent', says: sameRent }
  if (lease.underWay) return { code: 'under_way', says: rentUnderWay }
  if (lease.lastChange !== null && lease.lastChange > today)
    return { code: 'charged_ahead', says: rentChargedAhead(lease.lastChange) }
  if (lease.scheduled_move_out !== null) return { code: 'moving_out', says: tenantMovingOut }
  if (newRent < lease.rent) return null
  const earliest = addDays(today, NOTICE_DAYS)
  if (wantedFrom !== null && wantedFrom < earliest) return { code: 'under_notice', says: noticeTooShort(earliest) }
  const most = cappedRent(lease.rent, rules)
  if (newRent > most) return { code: 'above_cap', says: aboveRentCap(rules.capPercent, most) }
  return lease.hasAddress ? null : { code: 'no_address', says: noNoticeAddress }
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
  const problems: (Problem & { line: number; what: string })[] = []
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

function refusal(problems: readonly (Problem & { line: number; what: string })[], of: number): Refusal {
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
  at: {
    rules: RentRules
    today: IsoDate
    streetRates: ReadonlyMap<number, Cents>
    locationCode: string
    wantedFrom: IsoDate | null
  },
): NewRent[] {
  return leases.flatMap((lease) => {
    if (lease.auction_prepped === 1) return []
    if (monthsBetween(lease.lastChange ?? lease.move_in_date, at.today) < rule.months) return []
    const newRent = rentByRule(
      rule,
      { rent: lease.rent, streetRate: at.streetRates.get(lease.unit_type_id) ?? lease.rent },
      at.rules,
    )
    if (newRent === null || rentProblem(lease, { newRent, before: null, wantedFrom: at.wantedFrom }, at)) return []
    return [{ locationCode: at.locationCode, lease, newRent }]
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
