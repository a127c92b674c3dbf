import * as v from 'valibot'
import { toWire } from '../../../domain/money.ts'
import { formatUs } from '../../../domain/plain-date.ts'
import { type Callers, ownTenant } from '../../../platform/operations/callers.ts'
import { integer } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { personalFields, textFields } from '../../../platform/operations/output-schemas-with-personal-marks.ts'
import { wireBoolean } from '../../facilities/facility-not-found-and-wire-boolean.ts'
import { activeGateCodeOf } from '../../gate/assign-and-activate-gate-codes.ts'
import { mayShowOverlockCombination } from '../../gate/rules/shows-overlock-combination.ts'
import { isSoldAtAuction } from '../../links/paid-auction-winners.ts'
import { isTenantOfSession, maskContact } from '../../tenants/contact-masking.ts'
import { loadTenant, type Tenant } from '../../tenants/tenant.ts'
import { tenantFields } from '../../tenants/tenant-key-input.ts'
import { isSessionTenant, type Lease, leaseNotFound, loadLease, mayAccessLease, type TenantInput } from '../lease.ts'
import { invalidLeaseNumber } from '../texts/portal.ts'

export const GetTenantUnitLeaseDetails = operation({
  name: 'GetTenantUnitLeaseDetails',
  summary:
    'A lease with its codes, dates and balance. A guest payer sees unit, status and balance only, a key no codes.',
  access: { tenant: ownTenant, guest: ownTenant, rental: isSessionTenant },
  input: v.object({ ...tenantFields, lease_no: integer(invalidLeaseNumber) }),
  output: v.object({
    ...textFields('unitNumber', 'unitTypeCode'),
    unitID: v.number(),
    ...textFields('paidThroughDate', 'moveInDate', 'gateCode'),
    /**
     * Combination of the overlock; '' for a caller who may not see it, for a sold unit, and where
     * `mayShowOverlockCombination` is false.
     */
    comboCode: v.string(),
    leaseNumber: v.number(),
    ...personalFields('tenantName', 'tenantAddress'),
    ...textFields('leaseStatus', 'scheduledMoveoutDate', 'currentBalanceDue'),
    ...personalFields('tenantEmail'),
    autopay: v.string(),
    /** Card or account that autopay charges: 'VI **** 1111'; '' without autopay, and for callers other than the tenant. */
    autopayMethod: v.string(),
  }),
  writes: false,
  example: {
    input: { location_code: 'ATL01', tenant_id: 1001, lease_no: 10001 },
    output: {
      unitNumber: '318',
      unitTypeCode: 'CC0510',
      unitID: 144,
      paidThroughDate: '12/02/2026',
      moveInDate: '10/09/2025',
      gateCode: '482917',
      comboCode: '',
      leaseNumber: 10001,
      tenantName: 'Marcus Tilley',
      tenantAddress: '77 Linden Shoals Avenue NE, Atlanta, GA 30308',
      leaseStatus: 'Current',
      scheduledMoveoutDate: '',
      currentBalanceDue: '0.00',
      tenantEmail: 'marcus.tilley@example.com',
      autopay: 'False',
      autopayMethod: '',
    },
  },
  async run(services, input, callers) {
    const lease = await loadLease(services, input, input.lease_no)
    if (!lease || !mayAccessLease(callers, input, lease.reservation_code)) return leaseNotFound()
    const [tenant, type, sold] = await Promise.all([
      loadTenant(services.db.read, input.location_code, input.tenant_id),
      services.db.read
        .selectFrom('unit_types')
        .select('unit_type_code')
        .where((eb) => eb.and({ location_code: input.location_code, unit_type_id: lease.unit_type_id }))
        .executeTakeFirst(),
      isSoldAtAuction(services.db.read, lease),
    ])
    if (!tenant) return leaseNotFound()
    const visible = visibilityFor(callers, input, lease, tenant)
    const visibleTenant = tenantFieldsFor(tenant, visible.contact, visible.entered)
    const codes = codesFor(lease, sold, visible.codes)
    return succeed({
      unitNumber: lease.unit_number,
      unitTypeCode: type?.unit_type_code ?? '',
      unitID: lease.unit_id,
      paidThroughDate: formatUs(lease.paid_through),
      moveInDate: codes.moveInDate,
      gateCode: codes.gateCode,
      comboCode: codes.comboCode,
      leaseNumber: lease.lease_number,
      tenantName: visibleTenant.name,
      tenantAddress: visibleTenant.address,
      leaseStatus: lease.status,
      scheduledMoveoutDate: codes.scheduledMoveOut,
      currentBalanceDue: toWire(lease.balance),
      tenantEmail: visibleTenant.email,
      autopay: wireBoolean(lease.autopay === 1),
      autopayMethod: visible.whole && lease.autopay === 1 ? lease.autopay_label : '',
    })
  },
})

/** Returns which data of a lease and its tenant the caller may see. */
function visibilityFor(callers: Callers, input: TenantInput, lease: Lease, tenant: Tenant) {
  const whole = callers.tenant !== undefined && ownTenant(callers.tenant, input)
  const byKey = callers.machine !== undefined
  const rental = !whole && lease.reservation_code === callers.rental?.reservationCode ? callers.rental : undefined
  // A session may see a tenant that it entered itself. A tenant found by look-up or link is masked, and one on file
  // before the reservation is left out.
  const entered = rental !== undefined && !rental.existingTenant
  const contact = whole || byKey || (entered && isTenantOfSession(rental, tenant))
  const codes = whole || rental ? ('all' as const) : byKey ? ('dates' as const) : ('none' as const)
  return { whole, entered, contact, codes }
}

/**
 * Returns the tenant's name, address and e-mail as the caller may read them.
 * @param isOpen whether the caller may read all three
 * @param masked whether a caller who may not gets the masked e-mail
 */
function tenantFieldsFor(
  tenant: Tenant,
  isOpen: boolean,
  masked: boolean,
): { name: string; address: string; email: string } {
  if (!isOpen) return { name: '', address: '', email: masked ? maskContact(tenant).email : '' }
  return {
    name: `${tenant.first} ${tenant.last}`.trim(),
    address: [tenant.address, tenant.city, `${tenant.state} ${tenant.zip}`.trim()].filter(Boolean).join(', '),
    email: tenant.email,
  }
}

const noCodes = { moveInDate: '', gateCode: '', comboCode: '', scheduledMoveOut: '' }

const datesOf = (lease: Lease): typeof noCodes => ({
  ...noCodes,
  moveInDate: formatUs(lease.move_in_date),
  scheduledMoveOut: lease.scheduled_move_out ? formatUs(lease.scheduled_move_out) : '',
})

const codesFor = (lease: Lease, sold: boolean, visibility: 'all' | 'dates' | 'none') =>
  visibility === 'all' ? codesOf(lease, sold) : visibility === 'dates' ? datesOf(lease) : noCodes

/**
 * Returns a lease's gate code, lock combination, move-in date and move-out date as response fields; '' for none.
 * @param sold whether the unit was sold at auction; code and combination are then '', since only the winner may enter
 */
const codesOf = (lease: Lease, sold: boolean): typeof noCodes => ({
  ...datesOf(lease),
  gateCode: sold ? '' : activeGateCodeOf(lease),
  comboCode:
    !sold && mayShowOverlockCombination({ comboCode: lease.combo_code, status: lease.status }) ? lease.combo_code : '',
})
