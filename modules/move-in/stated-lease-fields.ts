/**
 * Compares a lease as a caller describes it with `lease-pdf` (spec 2 §7) with the record, which already has all of it.
 */

import { type Same, same } from '../../platform/operations/compare-with-record.ts'
import { optional } from '../../platform/operations/input-fields.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { ChargeLine } from '../pricing/rules/charges.ts'
import { tenantsGateCode } from './agreed-move-in.ts'
import type { LeasePreview } from './sign-lease.ts'

/** Fields that the specification describes in prose; amounts are of the first period. */
export const leaseFields = {
  tenant_address: optional(140),
  tenant_phone: optional(20),
  tenant_city: optional(60),
  tenant_state: optional(2),
  tenant_zip: optional(10),
  tenant_email: optional(254),
  tenant_company: optional(100),
  move_in_date: optional(10),
  unit_number: optional(20),
  unit_length: optional(10),
  unit_width: optional(10),
  /** Gate code, which is generated at the move-in; blank, or the tenant's existing code. */
  gate_code: optional(20),
  rent: optional(20),
  admin_fee: optional(20),
  /** Coverage of the chosen insurance. */
  coverage: optional(20),
  insurance: optional(20),
  tax: optional(20),
  discount: optional(20),
  net_rent: optional(20),
  paid_through_date: optional(10),
  next_billing_date: optional(10),
  facility_name: optional(200),
  facility_address: optional(200),
  facility_phone: optional(20),
  facility_email: optional(254),
  facility_city: optional(100),
  facility_zip: optional(10),
  facility_state: optional(2),
} as const

const sum = (lines: readonly ChargeLine[], of: (line: ChargeLine) => boolean) =>
  lines.filter(of).reduce((cents, line) => cents + line.cents, 0)

/**
 * Returns comparisons with our lease for the fields above and `tenant_name`. Tenant data are as this session may read
 * them.
 */
export async function sameAsLease(
  services: Services,
  { lease, facts, quote }: LeasePreview,
  draft: { locationCode: string; tenantId: number | null; existingTenant: boolean },
  said: { gate_code: string },
): Promise<Record<string, Same>> {
  const { tenant, facility, unit } = lease
  const { rent, insurance, lines } = quote.charges
  const own = said.gate_code !== '' && draft.tenantId !== null && !draft.existingTenant
  // A name that is shown masked is typed by the signer.
  const typed = tenant.name === '' || tenant.name.includes('***')
  return {
    ...(!typed && { tenant_name: same.name(tenant.name) }),
    tenant_address: same.name(tenant.address),
    tenant_phone: same.phone(tenant.phone),
    tenant_city: same.name(tenant.city),
    tenant_state: same.name(tenant.state),
    tenant_zip: same.text(tenant.zip),
    tenant_email: same.email(tenant.email),
    tenant_company: same.name(tenant.company),
    move_in_date: same.day(lease.moveInDate),
    unit_number: same.text(facts.reservation?.unit_number),
    unit_length: same.text(unit.length),
    unit_width: same.text(unit.width),
    gate_code: same.text(own ? await tenantsGateCode(services, draft.locationCode, draft.tenantId as number) : null),
    rent: same.amount(rent.amount),
    admin_fee: same.amount(sum(lines, (line) => line.kind === 'fee')),
    coverage: same.amount(lease.insurance.kind === 'plan' ? lease.insurance.coverage : 0),
    insurance: same.amount(insurance.amount),
    tax: same.amount(sum(lines, (line) => line.kind === 'tax')),
    discount: same.amount(rent.discount),
    net_rent: same.amount(rent.amount - rent.discount),
    paid_through_date: same.day(lease.paidThrough),
    next_billing_date: same.day(lease.nextBilling),
    facility_name: same.name(facility.name),
    facility_address: same.name(facility.address),
    facility_phone: same.phone(facility.phone),
    facility_email: same.email(facility.email),
    facility_city: same.name(facility.city),
    facility_zip: same.text(facility.zip),
    facility_state: same.name(facility.state),
  }
}
