/** Loads the data of each unit that a tenant's page shows, such as gate access, insurance and alerts. */

import type { Selectable } from 'kysely'
import type { Cents } from '../../../domain/money.ts'
import type { IsoDate } from '../../../domain/plain-date.ts'
import { requireValue } from '../../../domain/require-value.ts'
import { taxOn } from '../../../domain/sales-tax.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { LeaseFeesTable, LeasesTable } from '../../../platform/schema/tables.ts'
import { type FacilityFacts, lateFeeOf } from '../../facilities/facility-facts-for-pricing.ts'
import { loadLastGateVisit } from '../../gate/gate-events.ts'
import { loadGateFacts } from '../../gate/gate-facts.ts'
import { loadGateReasons } from '../../gate/load-lease-gate-reasons.ts'
import { type GateFacts, overlockedLeases } from '../../gate/rules/gate-access.ts'
import type { GateReason, GateVisit } from '../../gate/rules/gate-reason-texts.ts'
import { insuranceOf, type LeaseInsurance } from '../../insurance/rules/lease-insurance.ts'
import { caseFacts, loadCases } from '../../liens/load-lien-cases.ts'
import { plannedSteps } from '../../liens/rules/next-lien-step.ts'
import { spellOutCardLabel } from '../../payments/rules/card-brand-and-expiry.ts'
import { fee24HourAccess } from '../../pricing/texts/full-day-access-fee-name.ts'
import { willAutopayCharge } from '../../standing/rules/lease-status.ts'
import { loadTenant } from '../../tenants/tenant.ts'
import { hasAutopayTryLeft } from '../autopay-mandate.ts'
import { leaseDetailsOf } from '../renter-answers-stored-with-lease.ts'
import { type UnitAlert, unitAlert } from '../rules/overdue-or-sold-unit-alert.ts'

export const unitOverviewColumns = [
  'location_code',
  'tenant_id',
  'lease_number',
  'unit_number',
  'unit_type_id',
  'status',
  'balance',
  'paid_through',
  'gate_code',
  'scheduled_move_out',
  'auction_prepped',
  'lien_case',
  'document_id',
  'autopay',
  'autopay_sealed',
  'autopay_label',
  'autopay_refused_period',
  'autopay_refusals',
  'insurance_status',
  'insurance_scheme_id',
  'insurance_premium',
  'insurance_notes',
  'details',
] as const

type OverviewLease = Pick<Selectable<LeasesTable>, (typeof unitOverviewColumns)[number]>

/** Data of a unit that the tenant's page shows besides the balance. */
export interface UnitOverview {
  /** Gate code of the lease; '' for a sold unit or an ended lease. */
  gateCode: string
  gate: GateReason
  /** Whether the unit is overlocked and no staff member has lifted the overlock. */
  overlocked: boolean
  /** Id of the signed agreement; null where none is stored. */
  agreement: string | null
  /** Card or account that autopay charges: 'Visa ending 1111'; '' without autopay. */
  autopayBy: string
  insurance: LeaseInsurance
  /** Stored vehicle: 'White Ford Transit'; '' without one. */
  vehicle: string
  /** Fee for 24-hour access per period before tax, in cents; null without it. */
  access24: Cents | null
  alert: UnitAlert | null
  /** Last time that the gate opened for the tenant's code or refused it; null if none is on record. */
  lastAtGate: GateVisit | null
}

/**
 * Returns the overview of one tenant's leases at a facility, by lease number.
 * @param loadedGate gate facts of the tenant, if already loaded
 */
export async function loadUnitOverviews(
  services: Services,
  facts: FacilityFacts,
  leases: readonly OverviewLease[],
  fees: readonly Selectable<LeaseFeesTable>[],
  loadedGate?: GateFacts,
): Promise<Map<number, UnitOverview>> {
  const [first] = leases
  if (!first) return new Map()
  const { read } = services.db
  const now = services.clock.now()
  const { location_code, tenant_id } = first
  const gate = loadedGate ?? (await loadGateFacts(read, { location_code, tenant_id }, now))
  const reasons = await loadGateReasons(read, facts.location, leases, now, gate)
  const locked = overlockedLeases(gate, now)
  const alerts = await loadAlerts(services, facts, leases, { reasons, locked })
  const lastAtGate = await loadLastGateVisit(read, { location_code, tenant_id })
  return new Map(
    leases.map((lease) => {
      const { lease_number } = lease
      const reason = requireValue(reasons.get(lease_number), 'gate reason of the lease')
      const access = fees.find((fee) => fee.lease_number === lease_number && fee.description === fee24HourAccess)
      return [
        lease_number,
        {
          gate: reason,
          gateCode: reason.is === 'sold' || reason.is === 'ended' ? '' : lease.gate_code,
          overlocked: locked.includes(lease_number),
          agreement: lease.document_id,
          autopayBy: lease.autopay === 1 ? spellOutCardLabel(lease.autopay_label) : '',
          insurance: insuranceOf(lease, facts),
          vehicle: vehicleOf(lease),
          access24: access?.amount ?? null,
          alert: alerts.get(lease_number) ?? null,
          lastAtGate,
        },
      ]
    }),
  )
}

function vehicleOf(lease: Pick<OverviewLease, 'details'>): string {
  const { vehicleDetails: vehicle } = leaseDetailsOf(lease)
  return vehicle ? [vehicle.color, vehicle.make, vehicle.model].filter(Boolean).join(' ') : ''
}

/**
 * Loads the alerts of one tenant's leases, by lease number. Runs no query if no lease has a balance due or was sold.
 */
async function loadAlerts(
  services: Services,
  facts: FacilityFacts,
  leases: readonly OverviewLease[],
  gate: { reasons: Map<number, GateReason>; locked: readonly number[] },
): Promise<Map<number, UnitAlert>> {
  const isSold = (lease: OverviewLease) => gate.reasons.get(lease.lease_number)?.is === 'sold'
  const alertLeases = leases.filter((lease) => lease.status !== 'Closed' && (lease.balance > 0 || isSold(lease)))
  const [first] = alertLeases
  if (!first) return new Map()
  const [tenant, sales] = await Promise.all([
    loadTenant(services.db.read, first.location_code, first.tenant_id),
    loadSaleDays(services, alertLeases),
  ])
  const { auction_after_days: auctionAfterDays, fee_tax_rate } = facts.location
  const alerts = alertLeases.flatMap((lease) => {
    const auctionPrepped = lease.auction_prepped === 1
    const late = lateFeeOf(facts, lease.unit_type_id)
    const alert = unitAlert(
      {
        balance: lease.balance,
        paidThrough: lease.paid_through,
        auctionPrepped,
        auctionAfterDays,
        locked: gate.locked.includes(lease.lease_number),
        charging: willAutopayCharge(
          {
            autopayToCome: hasAutopayTryLeft(lease, lease.paid_through),
            auctionPrepped,
            paidThrough: lease.paid_through,
          },
          facts.today,
        ),
        activeMilitary: tenant?.active_military === 1,
        lateFee: late && late.amount + taxOn(late.amount, fee_tax_rate),
        saleFrom: sales.get(lease.lien_case ?? '') ?? null,
        soldUntil: isSold(lease) ? lease.scheduled_move_out : null,
      },
      facts.today,
    )
    return alert ? [[lease.lease_number, alert] as const] : []
  })
  return new Map(alerts)
}

/** Loads the first possible day of sale for the leases' lien cases that nothing blocks, by case id. */
async function loadSaleDays(services: Services, leases: readonly OverviewLease[]): Promise<Map<string, IsoDate>> {
  const cases = await loadCases(
    services,
    leases.flatMap(({ lien_case }) => lien_case ?? []),
  )
  return new Map(
    [...cases.values()].flatMap(({ row, rules, lease, steps, today, next, blocks }) => {
      if (!next || blocks.length > 0) return []
      const sale = plannedSteps(rules, caseFacts(row, lease, steps), today).find(({ step }) => step === 'sale')
      return sale ? [[row.case_id, sale.earliest] as const] : []
    }),
  )
}

/**
 * Returns the overview of one lease.
 * @param fees the lease's recurring fees
 */
export const loadUnitOverview = async (
  services: Services,
  facts: FacilityFacts,
  lease: OverviewLease,
  fees: readonly Selectable<LeaseFeesTable>[] = [],
): Promise<UnitOverview> => {
  const overviews = await loadUnitOverviews(services, facts, [lease], fees)
  return requireValue(overviews.get(lease.lease_number), 'overview of the lease')
}
