import type { Selectable } from 'kysely'
import { formatUsShort } from '../../../domain/plain-date.ts'
import { startOfDay } from '../../../domain/time-zone-dates.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { LeasesTable } from '../../../platform/schema/tables.ts'
import { loadSupportPhoneDigits } from '../../facilities/choose-support-phone.ts'
import { type FacilityFacts, lateFeeOf, loadFacilityFacts } from '../../facilities/facility-facts-for-pricing.ts'
import { loadBrand } from '../../facilities/operator-settings-and-brand.ts'
import type { BrandRecord } from '../../facilities/rules/brand.ts'
import { insuranceOf } from '../../insurance/rules/lease-insurance.ts'
import { markTermsAccepted } from '../../leases/lease.ts'
import { insertDocument, leaseFileKey } from '../../leases/lease-documents.ts'
import { loadLeaseFees } from '../../leases/load-and-add-recurring-lease-fees.ts'
import { type LeaseDetails, leaseDetailsOf, sealedAnswersOf } from '../../leases/renter-answers-stored-with-lease.ts'
import { nextPeriodInput } from '../../ledger/quote-prepay.ts'
import { periodCharges } from '../../pricing/rules/charges.ts'
import { cardFeeOf } from '../../pricing/rules/unit-type-fees.ts'
import { fee24HourAccess } from '../../pricing/texts/full-day-access-fee-name.ts'
import { asksForDefaultNotice } from '../../reservations/rules/state-specific-questions.ts'
import { addNote } from '../../tenants/add-note.ts'
import { decryptIdentity } from '../../tenants/identity-data.ts'
import { loadTenant, type Tenant } from '../../tenants/tenant.ts'
import { type LeaseDocumentInfo, leasePdf } from '../pdf/lease-pdf.ts'
import { UPDATED_TERMS_EFFECTIVE } from '../rules/updated-terms-fixed-effective-date.ts'
import { agreementText } from '../texts/agreement-as-plain-text.ts'
import { type LeaseFacts, leaseSections, type Section } from '../texts/lease-text.ts'
import { documentHash } from './signature/signature-evidence.ts'

type Lease = Selectable<LeasesTable>

/** A lease's agreement with the updated terms, as a tenant reads it. */
export interface UpdatedAgreement {
  unitNumber: string
  facilityName: string
  sections: Section[]
  /** SHA-256, hex, of the agreement's text; recorded when the terms are accepted. */
  hash: string
  /** Creates the PDF on demand, since the page shows only the sections. */
  pdf(): Promise<Uint8Array>
}

function militaryOf({ military }: LeaseDetails): LeaseFacts['military'] {
  if (!military) return null
  return 'branch' in military
    ? { branch: military.branch, base: military.base, commandingOfficer: military.commanding_officer }
    : {
        branch: military.military_branch,
        base: military.military_base,
        commandingOfficer: military.commanding_officer,
      }
}

const lienHolderOf = ({ lienHolder }: LeaseDetails): LeaseFacts['lienHolder'] =>
  lienHolder
    ? {
        name: lienHolder.lien_name,
        phone: lienHolder.phone_number,
        address: lienHolder.address,
        description: lienHolder.description,
      }
    : null

const agentOf = ({ designatedAgent: agent }: LeaseDetails): LeaseFacts['agent'] =>
  agent
    ? {
        name: agent.agent_name,
        email: agent.agent_email,
        address: agent.agent_address,
        city: agent.agent_city,
        state: agent.agent_state,
        zip: agent.agent_zip,
      }
    : null

function leaseFactsOf(
  services: Services,
  facts: FacilityFacts,
  { lease, tenant, fees }: { lease: Lease; tenant: Tenant; fees: Awaited<ReturnType<typeof loadLeaseFees>> },
): Omit<LeaseFacts, 'operator' | 'facility' | 'unit'> {
  const nextPeriod = periodCharges(nextPeriodInput(facts, lease, fees))
  const { lines, periodStart, periodEnd } = nextPeriod
  const details = leaseDetailsOf(lease)
  const sealedAnswers = sealedAnswersOf(services, lease)
  const { company, email, address, city, state, zip } = tenant
  return {
    tenant: {
      company,
      email,
      address,
      city,
      state,
      zip,
      name: `${tenant.first} ${tenant.last}`.trim(),
      phone: tenant.cell_phone,
    },
    leaseNumber: lease.lease_number,
    moveInDate: lease.move_in_date,
    paidThrough: lease.paid_through,
    nextBilling: periodStart,
    gateCode: '',
    charges: {
      lines,
      periodStart,
      periodEnd,
      nextBilling: periodStart,
      thenLines: lines,
      thenPerPeriod: nextPeriod.total,
      dueToday: Math.max(lease.balance, 0),
      cardFeeEach: 0,
    },
    insurance: insuranceOf(lease, facts),
    // A lease without sealed identity answers, such as one of an earlier release, takes the goods from the tenant's record.
    goods: (sealedAnswers.identity ?? decryptIdentity(services, tenant)).brief_description ?? '',
    vehicle: details.vehicleDetails ?? null,
    lienHolder: lienHolderOf(details),
    activeMilitary: tenant.active_military === 1 || sealedAnswers.military?.active === true,
    military: militaryOf(details),
    agent: agentOf(details),
    // An imported lease has this in plain text.
    defaultNotice: asksForDefaultNotice(facts.location.state)
      ? (details.defaultNotice?.default_notice ?? sealedAnswers.defaultNotice ?? null)
      : null,
    autopay: lease.autopay === 1 ? { method: lease.autopay_label } : null,
    fullDayAccess: fees.find((fee) => fee.description === fee24HourAccess)?.amount ?? null,
    updatedTerms: { effective: UPDATED_TERMS_EFFECTIVE },
  }
}

/**
 * Loads a lease's agreement with the updated terms (spec 2 §4); null where the lease is closed or not the tenant's, or
 * its unit type or tenant no longer exists.
 */
export async function loadUpdatedAgreement(
  services: Services,
  leaseKey: { locationCode: string; tenantId: number; leaseNumber: number },
  { facts, brand }: { facts: FacilityFacts; brand: Pick<BrandRecord, 'name' | 'legalName'> },
): Promise<UpdatedAgreement | null> {
  const { read } = services.db
  const [lease, tenant, fees] = await Promise.all([
    read
      .selectFrom('leases')
      .selectAll()
      .where((eb) =>
        eb.and({
          location_code: leaseKey.locationCode,
          lease_number: leaseKey.leaseNumber,
          tenant_id: leaseKey.tenantId,
        }),
      )
      .where('status', '!=', 'Closed')
      .executeTakeFirst(),
    loadTenant(read, leaseKey.locationCode, leaseKey.tenantId),
    loadLeaseFees(read, leaseKey.locationCode, leaseKey.leaseNumber),
  ])
  const type = facts.unitTypes.find((unitType) => unitType.unit_type_id === lease?.unit_type_id)
  if (!lease || !tenant || !type) return null
  const { location, today } = facts
  const operator = brand.legalName || brand.name
  const { name, address, city, state, zip } = location
  const sections = leaseSections({
    ...leaseFactsOf(services, facts, { lease, tenant, fees }),
    operator,
    facility: {
      name,
      address,
      city,
      state,
      zip,
      phone: await loadSupportPhoneDigits(services, location),
      email: location.reservation_email,
      gateHours: location.gate_hours,
      auctionAfterDays: location.auction_after_days,
      cardFee: cardFeeOf(facts, lease.unit_type_id)?.amount ?? null,
      lateFee: lateFeeOf(facts, lease.unit_type_id)?.amount ?? null,
    },
    unit: { number: lease.unit_number, length: type.length, width: type.breadth, category: type.category_name },
  })
  const documentInfo: LeaseDocumentInfo = {
    title: 'Updated rental agreement',
    operator,
    place: `${name}, ${address}, ${city}, ${state} ${zip}`,
    unitNumber: lease.unit_number,
    // The start of the day, so that the document is the same whenever it is opened that day.
    madeAt: startOfDay(location.time_zone, today),
  }
  return {
    unitNumber: lease.unit_number,
    facilityName: name,
    sections,
    hash: documentHash(agreementText(sections, documentInfo)),
    pdf: () => leasePdf(sections, documentInfo),
  }
}

/**
 * Records, at most once, that a tenant accepts the updated lease terms. Adds a note with the agreement's hash, and
 * stores the agreement with the lease if its text is still the one that was shown.
 * @returns false where nothing was left to accept
 */
export async function acceptTerms(
  services: Services,
  leaseKey: { locationCode: string; tenantId: number; leaseNumber: number },
  accepted: { hash: string; address: string; agent: string },
): Promise<boolean> {
  const documentRow = await storeAgreement(services, leaseKey, accepted)
  return services.db.transaction(async (tx) => {
    const unitNumber = await markTermsAccepted(tx, leaseKey, services.clock.now())
    if (unitNumber === null) return false
    await addNote(tx, services, {
      ...leaseKey,
      note: `Accepted the updated rental agreement effective ${formatUsShort(UPDATED_TERMS_EFFECTIVE)} for unit ${unitNumber} online, from ${accepted.address} with ${accepted.agent.slice(0, 300) || 'an unnamed browser'}. Agreement as shown (SHA-256): ${accepted.hash}`,
    })
    if (documentRow) await insertDocument(tx, documentRow, leaseKey.leaseNumber)
    return true
  })
}

/**
 * Stores the agreement's PDF and returns its document row, to be inserted after the file exists; null where the
 * agreement is missing or its text is no longer the one that was accepted.
 */
async function storeAgreement(
  services: Services,
  leaseKey: { locationCode: string; tenantId: number; leaseNumber: number },
  { hash, address, agent }: { hash: string; address: string; agent: string },
): Promise<Parameters<typeof insertDocument>[1] | null> {
  const facts = (await loadFacilityFacts(services, [leaseKey.locationCode])).get(leaseKey.locationCode)
  const lease = facts && (await loadUpdatedAgreement(services, leaseKey, { facts, brand: await loadBrand(services) }))
  if (lease?.hash !== hash) return null
  const pdf = await lease.pdf()
  const documentId = services.random.uuid()
  const fileKey = leaseFileKey(leaseKey.locationCode, documentId)
  await services.files.put(fileKey, pdf, 'application/pdf')
  const now = services.clock.now()
  return {
    document_id: documentId,
    location_code: leaseKey.locationCode,
    draft_id: null,
    file_key: fileKey,
    hash_before: hash,
    hash_after: documentHash(pdf),
    created_at: now,
    evidence: JSON.stringify({ hashBefore: hash, acceptedAt: now, address, agent }),
  }
}
