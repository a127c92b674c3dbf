import type { Selectable } from 'kysely'
import { startOfDay } from '../../domain/dates.ts'
import { formatUsShort } from '../../domain/plain-date.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { LeasesTable } from '../../platform/schema/tables.ts'
import { cardFeeOf, type FacilityFacts, facilityFacts, lateFeeOf } from '../facilities/facts.ts'
import { phoneFor } from '../facilities/phone.ts'
import type { BrandRecord } from '../facilities/rules/brand.ts'
import { brandOf } from '../facilities/settings.ts'
import { insuranceOf } from '../insurance/own-policy.ts'
import { insertDocument, leaseFileKey } from '../leases/documents.ts'
import { detailsContext, markTermsAccepted } from '../leases/lease.ts'
import { leaseFeesOf } from '../leases/lease-fees.ts'
import { leasePeriod } from '../ledger/period-price.ts'
import type { LienHolder, Military, Vehicle } from '../move-in/rules/move-in-form.ts'
import { fee24HourAccess } from '../move-in/texts/move-in.ts'
import { periodCharges } from '../pricing/rules/charges.ts'
import type { DesignatedAgent } from '../reservations/rules/reservation-form.ts'
import { readIdentity } from '../tenants/identity.ts'
import { addNote } from '../tenants/notes.ts'
import { type Tenant, tenantRow } from '../tenants/tenant.ts'
import { type LeasePaper, leasePdf } from './pdf/lease-pdf.ts'
import { UPDATED_TERMS_EFFECTIVE } from './rules/updated-terms.ts'
import { documentHash } from './signature/evidence.ts'
import { agreementText } from './text/agreement-text.ts'
import { type LeaseFacts, leaseSections, type Section } from './text/sections.ts'

type Lease = Selectable<LeasesTable>

export interface CurrentLease {
  unitNumber: string
  facilityName: string
  sections: Section[]
  /** SHA-256, hex, of the agreement's text: what acceptance is noted with. */
  hash: string
  /** Made when asked for: the page shows the sections. */
  pdf(): Promise<Uint8Array>
}

/** What a lease keeps of its signing, whichever way it came in. */
interface Details {
  vehicleDetails?: Vehicle
  lienHolder?: LienHolder
  designatedAgent?: DesignatedAgent
  /** From an earlier system; else sealed. */
  defaultNotice?: { default_notice?: 'mail' | 'email' }
  military?: Military | { branch: string; base: string; commanding_officer: string }
  sealed?: string
}

function defaultNoticeOf(services: Services, lease: Lease, details: Details): 'mail' | 'email' | null {
  if (details.defaultNotice?.default_notice) return details.defaultNotice.default_notice
  if (!details.sealed) return null
  const opened = JSON.parse(
    services.sealer.open(details.sealed, detailsContext(lease.location_code, lease.lease_number)),
  )
  return (opened as { defaultNotice?: 'mail' | 'email' | null }).defaultNotice ?? null
}

function militaryOf({ military }: Details): LeaseFacts['military'] {
  if (!military) return null
  return 'branch' in military
    ? { branch: military.branch, base: military.base, commandingOfficer: military.commanding_officer }
    : {
        branch: military.military_branch,
        base: military.military_base,
        commandingOfficer: military.commanding_officer,
      }
}

const lienHolderOf = ({ lienHolder: one }: Details): LeaseFacts['lienHolder'] =>
  one ? { name: one.lien_name, phone: one.phone_number, address: one.address, description: one.description } : null

const agentOf = ({ designatedAgent: one }: Details): LeaseFacts['agent'] =>
  one
    ? {
        name: one.agent_name,
        email: one.agent_email,
        address: one.agent_address,
        city: one.agent_city,
        state: one.agent_state,
        zip: one.agent_zip,
      }
    : null

function recordOf(
  services: Services,
  facts: FacilityFacts,
  { lease, tenant, fees }: { lease: Lease; tenant: Tenant; fees: Awaited<ReturnType<typeof leaseFeesOf>> },
): Omit<LeaseFacts, 'operator' | 'facility' | 'unit'> {
  const each = periodCharges(leasePeriod(facts, lease, fees, null))
  const { lines, periodStart, periodEnd } = each
  const details = JSON.parse(lease.details) as Details
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
      thenPerPeriod: each.total,
      dueToday: Math.max(lease.balance, 0),
      cardFeeEach: 0,
    },
    insurance: insuranceOf(lease, facts),
    goods: readIdentity(services, tenant).brief_description ?? '',
    vehicle: details.vehicleDetails ?? null,
    lienHolder: lienHolderOf(details),
    activeMilitary: tenant.active_military === 1,
    military: militaryOf(details),
    agent: agentOf(details),
    defaultNotice: facts.location.state === 'SC' ? defaultNoticeOf(services, lease, details) : null,
    autopay: lease.autopay === 1 ? { method: lease.autopay_label } : null,
    fullDayAccess: fees.find((fee) => fee.description === fee24HourAccess)?.amount ?? null,
    updatedTerms: { effective: UPDATED_TERMS_EFFECTIVE },
  }
}

/** A lease's agreement with the updated terms (spec 2 §4). @returns null where unit type or tenant is gone */
export async function currentLease(
  services: Services,
  of: { locationCode: string; tenantId: number; leaseNumber: number },
  { facts, brand }: { facts: FacilityFacts; brand: Pick<BrandRecord, 'name' | 'legalName'> },
): Promise<CurrentLease | null> {
  const { read } = services.db
  const [lease, tenant, fees] = await Promise.all([
    read
      .selectFrom('leases')
      .selectAll()
      .where((eb) => eb.and({ location_code: of.locationCode, lease_number: of.leaseNumber, tenant_id: of.tenantId }))
      .where('status', '!=', 'Closed')
      .executeTakeFirst(),
    tenantRow(read, of.locationCode, of.tenantId),
    leaseFeesOf(read, of.locationCode, of.leaseNumber),
  ])
  const type = facts.unitTypes.find((one) => one.unit_type_id === lease?.unit_type_id)
  if (!lease || !tenant || !type) return null
  const { location, today } = facts
  const operator = brand.legalName || brand.name
  const { name, address, city, state, zip } = location
  const sections = leaseSections({
    ...recordOf(services, facts, { lease, tenant, fees }),
    operator,
    facility: {
      name,
      address,
      city,
      state,
      zip,
      phone: await phoneFor(services, location),
      email: location.reservation_email,
      gateHours: location.gate_hours,
      auctionAfterDays: location.auction_after_days,
      cardFee: cardFeeOf(facts, lease.unit_type_id)?.amount ?? null,
      lateFee: lateFeeOf(facts, lease.unit_type_id)?.amount ?? null,
    },
    unit: { number: lease.unit_number, length: type.length, width: type.breadth, category: type.category_name },
  })
  const paper: LeasePaper = {
    title: 'Updated rental agreement',
    operator,
    place: `${name}, ${address}, ${city}, ${state} ${zip}`,
    unitNumber: lease.unit_number,
    // Of the day, so that it is the same document however often it is opened.
    madeAt: startOfDay(location.time_zone, today),
  }
  return {
    unitNumber: lease.unit_number,
    facilityName: name,
    sections,
    hash: documentHash(agreementText(sections, paper)),
    pdf: () => leasePdf(sections, paper),
  }
}

/**
 * Accepts the updated terms, once: a note keeps the hash, the lease the agreement as it was shown.
 * @returns false where there was nothing (left) to accept
 */
export async function acceptTerms(
  services: Services,
  of: { locationCode: string; tenantId: number; leaseNumber: number },
  accepted: { hash: string; address: string; agent: string },
): Promise<boolean> {
  const paper = await keptPaper(services, of, accepted)
  return services.db.transaction(async (tx) => {
    const unitNumber = await markTermsAccepted(tx, of, services.clock.now())
    if (unitNumber === null) return false
    await addNote(tx, services, {
      ...of,
      note: `Accepted the updated rental agreement effective ${formatUsShort(UPDATED_TERMS_EFFECTIVE)} for unit ${unitNumber} online, from ${accepted.address} with ${accepted.agent.slice(0, 300) || 'an unnamed browser'}. Agreement as shown (SHA-256): ${accepted.hash}`,
    })
    if (paper) await insertDocument(tx, paper, of.leaseNumber)
    return true
  })
}

/** The agreement as a file, which is there before a row names it; null where it reads otherwise than what was accepted. */
async function keptPaper(
  services: Services,
  of: { locationCode: string; tenantId: number; leaseNumber: number },
  { hash, address, agent }: { hash: string; address: string; agent: string },
): Promise<Parameters<typeof insertDocument>[1] | null> {
  const facts = (await facilityFacts(services, [of.locationCode])).get(of.locationCode)
  const lease = facts && (await currentLease(services, of, { facts, brand: await brandOf(services) }))
  if (lease?.hash !== hash) return null
  const pdf = await lease.pdf()
  const documentId = services.random.uuid()
  const fileKey = leaseFileKey(of.locationCode, documentId)
  await services.files.put(fileKey, pdf, 'application/pdf')
  const now = services.clock.now()
  return {
    document_id: documentId,
    location_code: of.locationCode,
    draft_id: null,
    file_key: fileKey,
    hash_before: hash,
    hash_after: documentHash(pdf),
    created_at: now,
    evidence: JSON.stringify({ hashBefore: hash, acceptedAt: now, address, agent }),
  }
}
