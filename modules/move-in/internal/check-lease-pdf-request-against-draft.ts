/** Compares the lease that a caller of `lease-pdf` describes (spec 2 §7) with the record. */

import type { TenantCaller } from '../../../platform/operations/callers.ts'
import { optionalText } from '../../../platform/operations/input-fields.ts'
import {
  type FieldComparison,
  fieldComparisons,
} from '../../../platform/operations/refuse-fields-that-differ-from-record.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { ChargeLine } from '../../pricing/rules/charges.ts'
import type { Draft } from '../../reservations/rules/journey/draft.ts'
import type { LeasePreview } from '../sign-lease.ts'
import { loadOwnGateCode } from './compare-request-with-agreed-move-in.ts'

/**
 * Fields in which a caller of `lease-pdf` may describe the lease; the specification names them in prose (spec 2 §7).
 * Rent, fees, premium, tax and discount are of the first period.
 */
export const leaseFields = {
  tenant_address: optionalText(140),
  tenant_phone: optionalText(20),
  tenant_city: optionalText(60),
  tenant_state: optionalText(2),
  tenant_zip: optionalText(10),
  tenant_email: optionalText(254),
  tenant_company: optionalText(100),
  move_in_date: optionalText(10),
  unit_number: optionalText(20),
  unit_length: optionalText(10),
  unit_width: optionalText(10),
  /** Gate code, which is generated at the move-in; blank, or the tenant's existing code. */
  gate_code: optionalText(20),
  rent: optionalText(20),
  admin_fee: optionalText(20),
  /** Coverage of the chosen insurance. */
  coverage: optionalText(20),
  insurance: optionalText(20),
  tax: optionalText(20),
  discount: optionalText(20),
  net_rent: optionalText(20),
  paid_through_date: optionalText(10),
  next_billing_date: optionalText(10),
  facility_name: optionalText(200),
  facility_address: optionalText(200),
  facility_phone: optionalText(20),
  facility_email: optionalText(254),
  facility_city: optionalText(100),
  facility_zip: optionalText(10),
  facility_state: optionalText(2),
} as const

const sum = (lines: readonly ChargeLine[], matches: (line: ChargeLine) => boolean) =>
  lines.filter(matches).reduce((cents, line) => cents + line.cents, 0)

/**
 * Returns comparisons of the fields in `leaseFields`, and of `tenant_name`, with the lease that the draft would sign.
 * Tenant data are compared as this session may read them: masked, where it reads them masked.
 */
export async function leaseComparisons(
  services: Services,
  { lease, facts, quote }: LeasePreview,
  draft: Draft,
  account: TenantCaller | undefined,
  request: { gate_code: string },
): Promise<Record<string, FieldComparison>> {
  const { tenant, facility, unit } = lease
  const { rent, insurance, lines } = quote.charges
  // A name that this session may not read is typed by the signer, so it is not compared here.
  const isNameTyped = tenant.name === '' || tenant.name.includes('***')
  return {
    ...(!isNameTyped && { tenant_name: fieldComparisons.name(tenant.name) }),
    tenant_address: fieldComparisons.name(tenant.address),
    tenant_phone: fieldComparisons.phone(tenant.phone),
    tenant_city: fieldComparisons.name(tenant.city),
    tenant_state: fieldComparisons.name(tenant.state),
    tenant_zip: fieldComparisons.text(tenant.zip),
    tenant_email: fieldComparisons.email(tenant.email),
    tenant_company: fieldComparisons.name(tenant.company),
    move_in_date: fieldComparisons.day(lease.moveInDate),
    unit_number: fieldComparisons.text(facts.reservation?.unit_number),
    unit_length: fieldComparisons.text(unit.length),
    unit_width: fieldComparisons.text(unit.width),
    gate_code: fieldComparisons.text(request.gate_code === '' ? null : await loadOwnGateCode(services, draft, account)),
    rent: fieldComparisons.amount(rent.amount),
    admin_fee: fieldComparisons.amount(sum(lines, (line) => line.kind === 'fee')),
    coverage: fieldComparisons.amount(lease.insurance.kind === 'plan' ? lease.insurance.coverage : 0),
    insurance: fieldComparisons.amount(insurance.amount),
    tax: fieldComparisons.amount(sum(lines, (line) => line.kind === 'tax')),
    discount: fieldComparisons.amount(rent.discount),
    net_rent: fieldComparisons.amount(rent.amount - rent.discount),
    paid_through_date: fieldComparisons.day(lease.paidThrough),
    next_billing_date: fieldComparisons.day(lease.nextBilling),
    facility_name: fieldComparisons.name(facility.name),
    facility_address: fieldComparisons.name(facility.address),
    facility_phone: fieldComparisons.phone(facility.phone),
    facility_email: fieldComparisons.email(facility.email),
    facility_city: fieldComparisons.name(facility.city),
    facility_zip: fieldComparisons.text(facility.zip),
    facility_state: fieldComparisons.name(facility.state),
  }
}
