import type { Selectable } from 'kysely'
import * as v from 'valibot'
import { OFFICE_FACILITY_ID } from '../../../domain/business.ts'
import { wireInstant } from '../../../domain/dates.ts'
import { toWire } from '../../../domain/money.ts'
import { showsComboCode } from '../../../domain/payability.ts'
import { formatUs } from '../../../domain/plain-date.ts'
import { fee24HourAccess } from '../../../domain/texts/move-in.ts'
import { cardProcessingFee } from '../../../domain/texts/payment.ts'
import { invalidLeaseNumber } from '../../../domain/texts/portal.ts'
import { ownTenant } from '../../../platform/operations/callers.ts'
import { integer, optional, textFields } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { refusedDiffering, same } from '../../../platform/operations/stated-values.ts'
import type { LeasesTable } from '../../../platform/schema/tables.ts'
import { access24Of, cardFeeOf, facilityFacts } from '../../facilities/facts.ts'
import { setGateHours, soldAtAuction } from '../../gate/gate.ts'
import { addLeaseFee, hasCardFee } from '../../ledger/period-price.ts'
import { isTenantOfSession, maskContact, tenantRow } from '../../tenants/tenant.ts'
import { leaseRow, noLease, reaches, sessionsTenant, whose } from '../lease.ts'

const trueFalse = (value: boolean) => (value ? 'True' : 'False')

export const GetTenantUnitLeaseDetails = operation({
  name: 'GetTenantUnitLeaseDetails',
  summary: 'A lease with its codes, dates and balance. A guest payer sees unit, status and balance only.',
  access: { tenant: ownTenant, guest: ownTenant, rental: sessionsTenant },
  input: v.object({ ...whose, lease_no: integer(invalidLeaseNumber) }),
  output: v.object({
    ...textFields('unitNumber', 'unitTypeCode'),
    unitID: v.number(),
    ...textFields('paidThroughDate', 'moveInDate', 'gateCode'),
    /** '' unless the lease is Current or Pre-Paid. */
    comboCode: v.string(),
    leaseNumber: v.number(),
    ...textFields('tenantName', 'tenantAddress', 'leaseStatus', 'scheduledMoveoutDate', 'currentBalanceDue'),
    ...textFields('tenantEmail', 'autopay'),
    /** 'VI **** 1111', '' without autopay. */
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
    const lease = await leaseRow(services, input, input.lease_no)
    if (!lease || !reaches(callers, input, lease.reservation_code)) return noLease()
    const [tenant, type, sold] = await Promise.all([
      tenantRow(services.db.read, input.location_code, input.tenant_id),
      services.db.read
        .selectFrom('unit_types')
        .select('unit_type_code')
        .where((eb) => eb.and({ location_code: input.location_code, unit_type_id: lease.unit_type_id }))
        .executeTakeFirst(),
      soldAtAuction(services.db.read, lease),
    ])
    if (!tenant) return noLease()
    const theirs = callers.tenant !== undefined && ownTenant(callers.tenant, input)
    const rental = !theirs && lease.reservation_code === callers.rental?.reservationCode ? callers.rental : undefined
    // What this session entered itself is no secret to it; a tenant that it found or named is masked or not told.
    const entered = rental !== undefined && !rental.existingTenant
    const open = theirs || (entered && isTenantOfSession(rental, tenant))
    const codes = theirs || rental ? codesOf(lease, sold) : noCodes
    return succeed({
      unitNumber: lease.unit_number,
      unitTypeCode: type?.unit_type_code ?? '',
      unitID: lease.unit_id,
      paidThroughDate: formatUs(lease.paid_through),
      moveInDate: codes.moveInDate,
      gateCode: codes.gateCode,
      comboCode: codes.comboCode,
      leaseNumber: lease.lease_number,
      tenantName: open ? `${tenant.first} ${tenant.last}`.trim() : '',
      tenantAddress: open
        ? [tenant.address, tenant.city, `${tenant.state} ${tenant.zip}`.trim()].filter(Boolean).join(', ')
        : '',
      leaseStatus: lease.status,
      scheduledMoveoutDate: codes.scheduledMoveOut,
      currentBalanceDue: toWire(lease.balance),
      tenantEmail: open ? tenant.email : entered ? maskContact(tenant).email : '',
      autopay: trueFalse(lease.autopay === 1),
      autopayMethod: theirs && lease.autopay === 1 ? lease.autopay_label : '',
    })
  },
})

const noCodes = { moveInDate: '', gateCode: '', comboCode: '', scheduledMoveOut: '' }

/** @param sold at auction: the lock is the winner's to open */
const codesOf = (lease: Selectable<LeasesTable>, sold: boolean): typeof noCodes => ({
  moveInDate: formatUs(lease.move_in_date),
  gateCode: lease.status === 'Closed' ? '' : lease.gate_code,
  comboCode: !sold && showsComboCode({ comboCode: lease.combo_code, status: lease.status }) ? lease.combo_code : '',
  scheduledMoveOut: lease.scheduled_move_out ? formatUs(lease.scheduled_move_out) : '',
})

export const GetTenantUnitList_V1 = operation({
  name: 'GetTenantUnitList_V1',
  summary: "A tenant's rented units with their lease numbers.",
  access: { tenant: ownTenant, guest: ownTenant },
  input: v.object(whose),
  output: v.object({ Unit: v.array(v.object({ UnitNumber: v.string(), LeaseNumber: v.number() })) }),
  writes: false,
  example: {
    input: { location_code: 'ATL01', tenant_id: 1001 },
    output: { Unit: [{ UnitNumber: '318', LeaseNumber: 10001 }] },
  },
  async run(services, { location_code, tenant_id }) {
    const rows = await services.db.read
      .selectFrom('leases')
      .innerJoin('locations', 'locations.location_code', 'leases.location_code')
      .where('leases.location_code', '=', location_code)
      .where('leases.tenant_id', '=', tenant_id)
      .where('leases.status', '!=', 'Closed')
      // Rooms at the operator's office are not let (spec 2 §2).
      .where('locations.facility_id', '!=', OFFICE_FACILITY_ID)
      .select(['unit_number', 'lease_number'])
      .orderBy('lease_number')
      .execute()
    return succeed({ Unit: rows.map((row) => ({ UnitNumber: row.unit_number, LeaseNumber: row.lease_number })) })
  },
})

export const GetLeaseAgreementDetails = operation({
  name: 'GetLeaseAgreementDetails',
  summary: 'The signed agreement of a lease: when it was signed, the hashes of what was read and what was signed.',
  access: { tenant: ownTenant, rental: sessionsTenant },
  input: v.object({ ...whose, lease_no: integer(invalidLeaseNumber) }),
  output: v.object({
    LeaseNumber: v.number(),
    ...textFields('UnitNumber', 'MoveInDate'),
    /** '' for a lease that was brought in from an earlier system. */
    DocumentId: v.string(),
    /** On the facility's clock; '' where it was not signed here. */
    ...textFields('SignedAt', 'HashBefore', 'HashAfter'),
    /** 'True' where updated terms must be accepted first. */
    TermsRequired: v.string(),
  }),
  writes: false,
  example: {
    input: { location_code: 'ATL01', tenant_id: 1001, lease_no: 10001 },
    output: {
      LeaseNumber: 10001,
      UnitNumber: '318',
      MoveInDate: '10/09/2025',
      DocumentId: '',
      SignedAt: '',
      HashBefore: '',
      HashAfter: '',
      TermsRequired: 'False',
    },
  },
  async run(services, input, callers) {
    const lease = await leaseRow(services, input, input.lease_no)
    if (!lease || !reaches(callers, input, lease.reservation_code)) return noLease()
    const document =
      lease.document_id === null
        ? undefined
        : await services.db.read
            .selectFrom('lease_documents')
            .innerJoin('locations', 'locations.location_code', 'lease_documents.location_code')
            .select(['document_id', 'hash_before', 'hash_after', 'created_at', 'time_zone'])
            .where('document_id', '=', lease.document_id)
            .where('void', '=', 0)
            .executeTakeFirst()
    return succeed({
      LeaseNumber: lease.lease_number,
      UnitNumber: lease.unit_number,
      MoveInDate: formatUs(lease.move_in_date),
      DocumentId: document?.document_id ?? '',
      SignedAt: document ? wireInstant(document.time_zone, document.created_at) : '',
      HashBefore: document?.hash_before ?? '',
      HashAfter: document?.hash_after ?? '',
      TermsRequired: trueFalse(lease.terms_required === 1),
    })
  },
})

const saved = v.object({
  SaveSuccessful: v.string(),
  ErrorMessage: v.string(),
})

export const AddFeesToLease = operation({
  name: 'AddFeesToLease',
  summary:
    'Adds the 24 Hour Access Fee to a lease, at the location’s own amount, from the next period on. The Credit Card Processing Fee is charged with its payment: naming it tells whether it was, and charges nothing again.',
  access: { tenant: ownTenant, rental: sessionsTenant },
  input: v.object({
    ...whose,
    lease_number: integer(invalidLeaseNumber),
    fee_id: integer(),
    fee_amount: optional(20),
  }),
  output: saved,
  writes: true,
  example: {
    input: { location_code: 'ATL01', tenant_id: 1001, lease_number: 10001, fee_id: 2 },
    output: { SaveSuccessful: 'True', ErrorMessage: '' },
  },
  async run(services, input, callers) {
    const lease = await leaseRow(services, input, input.lease_number)
    if (!lease || lease.status === 'Closed' || !reaches(callers, input, lease.reservation_code)) return noLease()
    const facts = (await facilityFacts(services, [input.location_code])).get(input.location_code)
    const refused = (ErrorMessage: string) => succeed({ SaveSuccessful: 'False', ErrorMessage })
    const fee = [facts && access24Of(facts, lease.unit_type_id), facts && cardFeeOf(facts, lease.unit_type_id)].find(
      (one) => one?.feeId === input.fee_id,
    )
    // Every other fee is charged with a move-in or a payment, at its amount there; a caller cannot choose it.
    if (!fee) return refused('This fee cannot be added to a lease.')
    const wrong = refusedDiffering(input, { fee_amount: same.amount(fee.amount) })
    if (wrong) return wrong
    if (facts && fee.feeId === cardFeeOf(facts, lease.unit_type_id)?.feeId) {
      return (await hasCardFee(services, lease))
        ? succeed({ SaveSuccessful: 'True', ErrorMessage: '' })
        : refused(`No card payment of this lease bears the ${cardProcessingFee}.`)
    }
    await addLeaseFee(services.db.write, {
      location_code: input.location_code,
      lease_number: lease.lease_number,
      fee_id: fee.feeId,
      description: fee24HourAccess,
      amount: fee.amount,
    })
    return succeed({ SaveSuccessful: 'True', ErrorMessage: '' })
  },
})

export const AddGateAccessTimeZone = operation({
  name: 'AddGateAccessTimeZone',
  summary: 'Sets the hours of a lease’s gate code; "24-hour" only where the lease carries the 24 Hour Access Fee.',
  access: { tenant: ownTenant, rental: sessionsTenant },
  input: v.object({
    ...whose,
    lease_number: integer(invalidLeaseNumber),
    time_zone_name: v.picklist(['standard', '24-hour'], 'must be standard or 24-hour'),
  }),
  output: saved,
  writes: true,
  example: {
    input: { location_code: 'ATL01', tenant_id: 1001, lease_number: 10001, time_zone_name: 'standard' },
    output: { SaveSuccessful: 'True', ErrorMessage: '' },
  },
  async run(services, input, callers) {
    const lease = await leaseRow(services, input, input.lease_number)
    if (!lease || lease.status === 'Closed' || !reaches(callers, input, lease.reservation_code)) return noLease()
    if (input.time_zone_name === '24-hour') {
      const fee = await services.db.read
        .selectFrom('lease_fees')
        .select('fee_id')
        .where((eb) => eb.and({ location_code: input.location_code, lease_number: lease.lease_number }))
        .where('description', '=', fee24HourAccess)
        .executeTakeFirst()
      if (!fee) {
        return succeed({ SaveSuccessful: 'False', ErrorMessage: `The lease has no ${fee24HourAccess}.` })
      }
    }
    await setGateHours(services.db.write, lease, input.time_zone_name)
    return succeed({ SaveSuccessful: 'True', ErrorMessage: '' })
  },
})

export const leaseOperations = [
  GetTenantUnitLeaseDetails,
  GetTenantUnitList_V1,
  GetLeaseAgreementDetails,
  AddFeesToLease,
  AddGateAccessTimeZone,
]
