/** Reads the parts of a tenant's page in the office. */

import type { Kysely } from 'kysely'
import { type Cents, format } from '../../../domain/money.ts'
import { addDays, formatShort, type IsoDate } from '../../../domain/plain-date.ts'
import type { Instant } from '../../../domain/time-zone-dates.ts'
import type { StaffCaller } from '../../../platform/operations/callers.ts'
import { grantAt } from '../../../platform/operations/facilities-of-staff.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { loadPendingEmailChange } from '../../accounts/email-change.ts'
import { AUTOPAY_ATTEMPTS } from '../../billing/rules/autopay-retries.ts'
import type { FacilityFacts } from '../../facilities/facility-facts-for-pricing.ts'
import { sizeLabel } from '../../facilities/rules/size-label.ts'
import { loadGateReasons } from '../../gate/load-lease-gate-reasons.ts'
import { type GateReason, gateOpens, gateSentence } from '../../gate/rules/gate-reason-texts.ts'
import { formatUnitNumbers } from '../../insurance/proof-unit-numbers.ts'
import { ownPolicyOf } from '../../insurance/rules/lease-insurance.ts'
import type { Lease } from '../../leases/lease.ts'
import { loadNextCharges } from '../../leases/views/rented-units-of-tenant.ts'
import { loadLedgerTotals } from '../../ledger/lease-ledger-totals.ts'
import { type UnpaidCharge, unpaidCharges } from '../../ledger/rules/unpaid-charges-oldest-first.ts'
import { decryptIdentity } from '../../tenants/identity-data.ts'
import type { Tenant } from '../../tenants/tenant.ts'
import type { OpenedTenant } from './permitted-tenant-and-leases.ts'

/** A lease as the tenant page shows it. */
export interface TenantViewLease {
  number: number
  unit: string
  size: string
  status: Lease['status']
  balance: Cents
  /** First day of the oldest unpaid charge; null when nothing is owed. */
  owedSince: IsoDate | null
  owed: Pick<UnpaidCharge, 'start' | 'end' | 'owed'>[]
  paidThrough: IsoDate
  /** Next due date and amount; null when a balance is due now, and for a closed lease. */
  next: { on: IsoDate; cents: Cents } | null
  rent: Cents
  movedIn: IsoDate
  moveOut: IsoDate | null
  closedOn: IsoDate | null
  gate: { code: string; opens: boolean; sentence: string }
  overlocked: boolean
  /** Id of the lease's open lien case; null without one. */
  lienCase: string | null
  autopay: { on: boolean; text: string }
  insurance: { text: string; bad: boolean }
  termsRequired: boolean
}

/** Builds a lease's section of the office's tenant page. A closed lease has no gate code, autopay or insurance text. */
function toTenantViewLease(
  facts: FacilityFacts,
  lease: Lease,
  details: { owed: UnpaidCharge[]; gate: GateReason | undefined; next: TenantViewLease['next']; showsCode: boolean },
): TenantViewLease {
  const type = facts.unitTypes.find((unitType) => unitType.unit_type_id === lease.unit_type_id)
  const gate = details.gate ?? { is: 'none' }
  const owed = details.owed.filter((charge) => charge.owed > 0).map(({ start, end, owed }) => ({ start, end, owed }))
  return {
    number: lease.lease_number,
    unit: lease.unit_number,
    size: type ? sizeLabel(type) : '',
    status: lease.status,
    balance: lease.balance,
    owed,
    owedSince: owed[0]?.start ?? null,
    paidThrough: lease.paid_through,
    rent: lease.rent,
    movedIn: lease.move_in_date,
    next: details.next,
    moveOut: lease.scheduled_move_out,
    closedOn: lease.closed_on,
    gate: {
      code: lease.status === 'Closed' || gate.is === 'sold' || !details.showsCode ? '' : lease.gate_code,
      opens: gateOpens(gate),
      sentence: gateSentence(gate),
    },
    overlocked: lease.overlocked === 1,
    lienCase: lease.lien_case,
    autopay: autopayOf(lease),
    insurance: insuranceOf(facts, lease),
    termsRequired: lease.terms_required === 1,
  }
}

function autopayOf(lease: Lease): TenantViewLease['autopay'] {
  if (lease.status === 'Closed') return { on: false, text: '' }
  if (lease.autopay !== 1) return { on: false, text: 'Off' }
  const period = addDays(lease.paid_through, 1)
  const refused = lease.autopay_refused_period === period ? lease.autopay_refusals : 0
  return {
    on: true,
    text: `On, ${lease.autopay_label}${refused > 0 ? `; refused ${refused} of ${AUTOPAY_ATTEMPTS} times since ${formatShort(period)}` : ''}`,
  }
}

function insuranceOf(facts: FacilityFacts, lease: Lease): TenantViewLease['insurance'] {
  if (lease.status === 'Closed') return { text: '', bad: false }
  if (lease.insurance_status === 1) {
    const scheme = facts.schemes.find((scheme) => scheme.scheme_id === lease.insurance_scheme_id)
    return { text: `${scheme?.scheme_name ?? 'Ours'}, ${format(lease.insurance_premium)} a period`, bad: false }
  }
  const ownPolicy = ownPolicyOf(lease)
  if (ownPolicy) {
    const hasEnded = ownPolicy.expires < facts.today
    return {
      text: `Own, ${ownPolicy.carrier}, ${hasEnded ? 'ended' : 'until'} ${formatShortDay(ownPolicy.expires)}`,
      bad: hasEnded,
    }
  }
  if (lease.insurance_status === 2) return { text: 'Own, without an end on file', bad: true }
  return lease.insurance_status === 3 ? { text: 'Vehicle insurance', bad: false } : { text: 'None', bad: false }
}

const formatShortDay = (date: IsoDate): string => `${formatShort(date)}, ${date.slice(0, 4)}`

/** Returns the leases of a tenant for the tenant page. Gate codes are included when the staff member may see them. */
export async function loadTenantViewLeases(
  services: Services,
  { facts, leases }: Pick<OpenedTenant, 'facts' | 'leases'>,
  caller: StaffCaller,
): Promise<TenantViewLease[]> {
  const { read } = services.db
  const showsCode = grantAt(caller, 'gate.code', facts.location.location_code) === 'yes'
  const paid = leases.filter(({ status, balance }) => status !== 'Closed' && balance <= 0)
  const [gates, next, owed] = await Promise.all([
    loadGateReasons(read, facts.location, leases, services.clock.now()),
    loadNextCharges(read, facts, paid),
    Promise.all(
      leases.map(async (lease) =>
        lease.balance > 0 ? unpaidCharges((await loadLedgerTotals(read, lease)).charged, lease.balance) : [],
      ),
    ),
  ])
  return leases.map((lease, index) =>
    toTenantViewLease(facts, lease, {
      owed: owed[index] ?? [],
      gate: gates.get(lease.lease_number),
      next: next.get(lease.lease_number) ?? null,
      showsCode,
    }),
  )
}

/** State of a tenant's online account. */
export interface PortalState {
  account: boolean
  /** Start of the last sign-in to the portal; null without one, also after its deletion (`deleteOldSignIns`). */
  lastSignIn: Instant | null
  /** New e-mail address that is not confirmed yet. */
  emailToConfirm: string | null
}

export async function loadPortalState(services: Services, tenant: Tenant): Promise<PortalState> {
  if (tenant.account_id === null) return { account: false, lastSignIn: null, emailToConfirm: null }
  const [last, change] = await Promise.all([
    services.db.read
      .selectFrom('sign_ins')
      .select((eb) => eb.fn.max<number | null>('created_at').as('at'))
      .where('account_id', '=', tenant.account_id)
      .executeTakeFirst(),
    loadPendingEmailChange(services, tenant.account_id),
  ])
  return {
    account: true,
    lastSignIn: last?.at == null ? null : Number(last.at),
    emailToConfirm: change?.newEmail ?? null,
  }
}

/** A signed lease or a proof of insurance, as the tenant page lists it. */
export interface FileDocument {
  id: string
  kind: 'lease' | 'proof'
  name: string
  at: Instant
  state: string
}

/**
 * Returns the tenant's lease agreements that are not void and all insurance proofs, newest first.
 * @param subject tenant, and the leases whose agreements are included
 */
export async function loadDocuments(
  db: Kysely<Tables>,
  subject: { locationCode: string; tenantId: number; leases: readonly Pick<Lease, 'lease_number' | 'unit_number'>[] },
): Promise<FileDocument[]> {
  const numbers = subject.leases.map((lease) => lease.lease_number)
  const [leases, proofs] = await Promise.all([
    numbers.length === 0
      ? []
      : db
          .selectFrom('lease_documents')
          .select(['document_id', 'lease_number', 'created_at'])
          .where('location_code', '=', subject.locationCode)
          .where('lease_number', 'in', numbers)
          .where('void', '=', 0)
          .execute(),
    db
      .selectFrom('insurance_proofs')
      .select(['proof_id', 'unit_numbers', 'decision', 'created_at', 'expiration_date'])
      .where((eb) => eb.and({ location_code: subject.locationCode, tenant_id: subject.tenantId }))
      .execute(),
  ])
  const unitOf = (number: number | null) =>
    subject.leases.find((lease) => lease.lease_number === number)?.unit_number ?? String(number)
  return [
    ...leases.map(
      (document): FileDocument => ({
        id: document.document_id,
        kind: 'lease',
        name: `Lease of ${unitOf(document.lease_number)}`,
        at: document.created_at,
        state: 'signed',
      }),
    ),
    ...proofs.map(
      (document): FileDocument => ({
        id: document.proof_id,
        kind: 'proof',
        at: document.created_at,
        state: document.decision ?? 'waits for a decision',
        name: `Proof of insurance of ${formatUnitNumbers(document)}`,
      }),
    ),
  ].sort((a, b) => b.at - a.at)
}

/** Lists the sealed values on file that can be shown one at a time: license, birth date, bank accounts. */
export function listSensitiveValues(
  services: Services,
  { tenant, leases }: Pick<OpenedTenant, 'tenant' | 'leases'>,
): { what: 'licence' | 'birth date' | 'bank account'; lease: number | null; label: string }[] {
  const { drivers_license, birth_date } = decryptIdentity(services, tenant)
  return [
    ...(drivers_license ? [{ what: 'licence' as const, lease: null, label: "Driver's license" }] : []),
    ...(birth_date ? [{ what: 'birth date' as const, lease: null, label: 'Birth date' }] : []),
    ...leases
      .filter((lease) => lease.autopay === 1 && lease.autopay_method === 'ACH')
      .map((lease) => ({
        what: 'bank account' as const,
        lease: lease.lease_number,
        label: `Bank account of ${lease.unit_number}`,
      })),
  ]
}

/** Returns a tenant's three newest reservations. */
export const loadRecentReservations = (db: Kysely<Tables>, tenantKey: { locationCode: string; tenantId: number }) =>
  db
    .selectFrom('reservations')
    .select(['reservation_code', 'unit_number', 'status', 'hold_until', 'required_date', 'rent'])
    .where((eb) => eb.and({ location_code: tenantKey.locationCode, tenant_id: tenantKey.tenantId }))
    .orderBy('created_at', 'desc')
    .limit(3)
    .execute()
