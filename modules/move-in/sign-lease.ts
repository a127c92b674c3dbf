/**
 * Builds the lease of a rental in progress from its answers and stored records, renders it as PDF, and stores the signed
 * PDF with its evidence. A new signature voids the draft's earlier documents.
 */

import { nameKey, nameWords } from '../../domain/name-and-email-keys.ts'
import { startOfDay } from '../../domain/time-zone-dates.ts'
import { ownTenant, type TenantCaller } from '../../platform/operations/callers.ts'
import type { Services } from '../../platform/operations/services.ts'
import { type LeaseDocumentInfo, leasePdf } from '../agreements/pdf/lease-pdf.ts'
import { createSignedLeasePdf } from '../agreements/signature/create-signed-lease-pdf.ts'
import type { Signature } from '../agreements/signature/validate-drawn-or-typed-signature.ts'
import { type LeaseFacts, leaseSections, type Section } from '../agreements/texts/lease-text.ts'
import { loadSupportPhoneDigits } from '../facilities/choose-support-phone.ts'
import { lateFeeOf } from '../facilities/facility-facts-for-pricing.ts'
import { loadBrand } from '../facilities/operator-settings-and-brand.ts'
import { insertDocument, leaseFileKey, voidDocument, voidOtherDocuments } from '../leases/lease-documents.ts'
import { mayReadAgreement } from '../leases/rules/agreement-access.ts'
import { settleDraftOrders } from '../payments/open/open-move-in-payment.ts'
import { cardFeeOf, fullDayAccessFeeOf } from '../pricing/rules/unit-type-fees.ts'
import { saveAnswers } from '../reservations/draft.ts'
import { type DraftQuote, priceDraft } from '../reservations/draft-price.ts'
import { type DraftFacts, draftFactsAfterChange, loadJourneyFacts } from '../reservations/load-draft-facts.ts'
import type { Draft } from '../reservations/rules/journey/draft.ts'
import {
  type Answers,
  insuranceStatus,
  type JourneyFacility,
  type LeaseAnswers,
  leaseAnswersOf,
  leaseTerms,
  wantsAutopay,
} from '../reservations/rules/journey/journey-answers.ts'
import { maskAnswers } from '../reservations/rules/masked-answers.ts'
import type { DesignatedAgent } from '../reservations/rules/reservation-form.ts'
import { isTenantOfSession, maskContact } from '../tenants/contact-masking.ts'
import { loadTenant, type Tenant } from '../tenants/tenant.ts'

/** The lease of a rental in progress as it would be signed now. */
export interface LeasePreview {
  lease: LeaseFacts
  sections: Section[]
  documentInfo: LeaseDocumentInfo
  facts: DraftFacts
  quote: DraftQuote
  /** Creates the PDF on demand, since the page shows only the sections. */
  pdf(): Promise<Uint8Array<ArrayBuffer>>
}

/** Thrown when the draft's facility or unit type no longer exists. */
class NothingToLease extends Error {}

interface Renter {
  /** Tenant's data as this session may read them. */
  tenant: LeaseFacts['tenant']
  /** Tenant's data in full, for the stored document. */
  onFile: LeaseFacts['tenant']
  /** Whether this session may read the contact data. */
  mayReadContact: boolean
  name: string
  /** Whether this session may read the name. */
  mayReadName: boolean
}

const loadDraftTenant = async (services: Services, { tenantId, locationCode }: Draft): Promise<Tenant | undefined> =>
  tenantId === null ? undefined : loadTenant(services.db.read, locationCode, tenantId)

/**
 * Returns the renter who will hold the lease, with the data on file, whatever was typed. Contact data are masked unless
 * the session entered the tenant or is signed in as the tenant. A session that found the rental by name gets the name
 * masked too, unless it is signed in as the tenant.
 */
function renter(row: Tenant | undefined, draft: Draft, account: TenantCaller | undefined): Renter {
  if (!row) {
    const tenant = { name: '', company: '', email: '', phone: '', address: '', city: '', state: '', zip: '' }
    return { tenant, onFile: tenant, mayReadContact: false, name: '', mayReadName: false }
  }
  const isSignedIn =
    account !== undefined && ownTenant(account, { location_code: row.location_code, tenant_id: row.tenant_id })
  const isEntered = draft.answers.contact !== undefined && draft.proof === 'own'
  const mayReadContact = isSignedIn || (!draft.existingTenant && (isEntered || isTenantOfSession(draft, row)))
  const name = `${row.first} ${row.last}`.trim()
  const mayReadName = mayReadContact || draft.proof !== 'names'
  const onFile = tenantBlock(row, name, row.company)
  const masked = maskContact(row)
  const tenant = mayReadContact
    ? onFile
    : tenantBlock(masked, mayReadName ? name : `${masked.first} ${masked.last}`, '')
  return { tenant, onFile, mayReadContact, name, mayReadName }
}

const tenantBlock = (
  { email, cell_phone: phone, address, city, state, zip }: ReturnType<typeof maskContact>,
  name: string,
  company: string,
): LeaseFacts['tenant'] => ({ name, company, email, phone, address, city, state, zip })

/** Loads the name of the tenant who signs the lease; '' where this session may not read the name. */
export async function loadSignerName(services: Services, draft: Draft, account?: TenantCaller): Promise<string> {
  const { name, mayReadName } = renter(await loadDraftTenant(services, draft), draft, account)
  return mayReadName ? name : ''
}

function agentBlock(agent: DesignatedAgent | null, mayReadContact: boolean): LeaseFacts['agent'] {
  if (!agent) return null
  const [first = '', ...rest] = agent.agent_name.split(' ')
  const contact = {
    first,
    last: rest.join(' '),
    email: agent.agent_email,
    cell_phone: '',
    address: agent.agent_address,
    city: agent.agent_city,
    state: agent.agent_state,
    zip: agent.agent_zip,
  }
  const { email, address, city, state, zip, ...names } = mayReadContact ? contact : maskContact(contact)
  return { name: `${names.first} ${names.last}`.trim(), email, address, city, state, zip }
}

function insuranceBlock(answers: Answers, place: JourneyFacility, { scheme }: DraftQuote): LeaseFacts['insurance'] {
  const status = insuranceStatus({ answers, place })
  const own = answers.ownInsurance
  if (status === 1 && scheme)
    return { kind: 'plan', name: scheme.scheme_name, coverage: scheme.coverage, premium: scheme.premium }
  if (status === 2 && own)
    return { kind: 'own', carrier: own.carrier, policyNumber: own.policy_number, expires: own.expiration_date }
  return { kind: status === 3 ? 'vehicle' : 'none' }
}

function lienHolderBlock({ lienHolder }: LeaseAnswers): LeaseFacts['lienHolder'] {
  if (!lienHolder) return null
  const { lien_name: name, phone_number: phone, address, description } = lienHolder
  return { name, phone, address, description }
}

function militaryBlock({ military }: LeaseAnswers): LeaseFacts['military'] {
  if (!military) return null
  const { military_branch: branch, military_base: base, commanding_officer: commandingOfficer } = military
  return { branch, base, commandingOfficer }
}

async function operatorName(services: Services): Promise<string> {
  const brand = await loadBrand(services)
  return brand.legalName || brand.name
}

async function leaseFacts(
  services: Services,
  draft: Draft,
  facts: DraftFacts,
  quote: DraftQuote,
  account: TenantCaller | undefined,
  before: LeaseFacts | undefined,
  unmasked: boolean,
): Promise<LeaseFacts> {
  const { facility, place } = facts
  const isMasked = draft.proof === 'names' && !unmasked
  const answers = isMasked ? maskAnswers(facts.answers) : facts.answers
  const details = leaseAnswersOf({ answers, place })
  const { designatedAgent, defaultNotice } = leaseAnswersOf(facts)
  const { location } = facility
  const [operator, phone] = await Promise.all([
    before?.operator ?? operatorName(services),
    before?.facility.phone ?? loadSupportPhoneDigits(services, location),
  ])
  const { tenant, onFile, mayReadContact } = renter(facts.tenant, draft, account)
  const access = fullDayAccessFeeOf(facility, draft.unitTypeId)
  return {
    operator,
    facility: {
      name: location.name,
      address: location.address,
      city: location.city,
      state: location.state,
      zip: location.zip,
      phone,
      email: location.reservation_email,
      gateHours: location.gate_hours,
      auctionAfterDays: location.auction_after_days,
      cardFee: cardFeeOf(facility, draft.unitTypeId)?.amount ?? null,
      lateFee: lateFeeOf(facility, draft.unitTypeId)?.amount ?? null,
    },
    tenant: unmasked ? onFile : tenant,
    unit: {
      number: facts.reservation?.unit_number ?? '',
      length: quote.unitType.length,
      width: quote.unitType.breadth,
      category: quote.unitType.category_name,
    },
    leaseNumber: null,
    moveInDate: quote.charges.periodStart,
    paidThrough: quote.charges.periodEnd,
    nextBilling: quote.charges.nextBilling,
    gateCode: '',
    charges: quote.charges,
    insurance: insuranceBlock(answers, place, quote),
    goods: answers.customerInfo?.brief_description ?? '',
    vehicle: details.vehicleDetails,
    lienHolder: lienHolderBlock(details),
    activeMilitary: answers.activeMilitary === true,
    military: militaryBlock(details),
    // An agent who was named in this browser is not masked, even for an existing tenant.
    agent: agentBlock(designatedAgent, unmasked || mayReadContact || draft.proof === 'own'),
    defaultNotice: defaultNotice && isMasked ? 'on file' : defaultNotice,
    autopay: wantsAutopay(answers) ? { method: '' } : null,
    fullDayAccess: answers.fullDayAccess && access ? access.amount : null,
    updatedTerms: null,
  }
}

/** Returns the facts of a rental in progress that its lease states, masked as this session may read them. */
export const leaseInProgress = (
  services: Services,
  draft: Draft,
  { facts, quote }: { facts: DraftFacts; quote: DraftQuote },
  account: TenantCaller | undefined,
): Promise<LeaseFacts> => leaseFacts(services, draft, facts, quote, account, undefined, false)

/**
 * Builds the lease as it would be signed now. The same answers and records on the same day give the same text and PDF,
 * so that the hash stored at signing (`hashBefore`) is that of the text which the renter has read.
 * @param account the signed-in account, whose own tenant is not masked
 * @param before preview of the same draft before this request changed its answers
 * @param unmasked whether to mask nothing, for the stored document
 */
export async function previewLease(
  services: Services,
  draft: Draft,
  account?: TenantCaller,
  before?: LeasePreview,
  unmasked = false,
): Promise<LeasePreview> {
  const facts = before
    ? draftFactsAfterChange(services, draft, before.facts)
    : await loadJourneyFacts(services, draft, { signedIn: false })
  const quote = facts && priceDraft(facts.facility, draft, facts.reservation)
  if (!facts || !quote) throw new NothingToLease(`draft ${draft.draftId} has nothing to lease`)
  const { location, today } = facts.facility
  const lease = await leaseFacts(services, draft, facts, quote, account, before?.lease, unmasked)
  const sections = leaseSections(lease)
  const documentInfo: LeaseDocumentInfo = {
    title: 'Rental agreement',
    operator: lease.operator,
    place: `${location.name}, ${location.address}, ${location.city}, ${location.state} ${location.zip}`,
    unitNumber: lease.unit.number,
    madeAt: startOfDay(location.time_zone, today),
  }
  return { lease, sections, documentInfo, facts, quote, pdf: () => leasePdf(sections, documentInfo) }
}

export type SignLeaseResult =
  | {
      ok: true
      draft: Draft
      documentId: string
      /** Creates the signed PDF as this session may read it. */
      copy: () => Promise<Uint8Array<ArrayBuffer>>
    }
  | { ok: false; why: 'stale' | 'another_name' | 'another_signature' }

/**
 * Signs the lease: stores the unmasked PDF with its evidence, and the signature with its terms in the draft. Callers
 * must have obtained consent.
 * @param signing address and browser; `claimed` is compared with the name only if the session may not read it
 * @param before preview that this request has made already
 * @returns 'another_signature' where a typed signature is not the tenant's name; 'another_name' where `claimed` is not;
 *   'stale' where the draft was changed, deleted or paid for meanwhile; nothing is signed then
 */
export async function signLease(
  services: Services,
  draft: Draft,
  signature: Signature,
  signing: { claimed: string; address: string; agent: string },
  account?: TenantCaller,
  before?: LeasePreview,
): Promise<SignLeaseResult> {
  // A payer may be at a card page for the earlier signature, whose document a new signature voids.
  if ((await settleDraftOrders(services, draft.draftId)) === 'posted') return { ok: false, why: 'stale' }
  const row = before ? before.facts.tenant : await loadDraftTenant(services, draft)
  const { name: signerName, mayReadName, mayReadContact } = renter(row, draft, account)
  if (!mayReadName && nameKey(signing.claimed) !== nameKey(signerName)) return { ok: false, why: 'another_name' }
  if (signature.method === 'typed' && !matchesName(signature.name, signerName))
    return { ok: false, why: 'another_signature' }
  const document = await previewLease(services, draft, account, before, true)
  const documentAsRead =
    mayReadContact && draft.proof !== 'names' ? document : await previewLease(services, draft, account, before)
  const { location } = document.facts.facility
  const signedAt = services.clock.now()
  const signer = {
    signerName,
    address: signing.address,
    agent: signing.agent,
    signedAt,
    signedAtText: signedAtText(location.time_zone, signedAt),
  }
  const { pdf, evidence } = await createSignedLeasePdf(document, signature, signer, documentAsRead)
  const documentId = services.random.uuid()
  const fileKey = leaseFileKey(draft.locationCode, documentId)
  // The file is stored before its row, which must never name a missing file.
  await services.files.put(fileKey, pdf, 'application/pdf')
  await insertDocument(services.db.write, {
    document_id: documentId,
    location_code: draft.locationCode,
    draft_id: draft.draftId,
    file_key: fileKey,
    hash_before: evidence.hashBefore,
    hash_after: evidence.hashAfter,
    evidence: JSON.stringify(evidence),
    created_at: signedAt,
  })
  const { facts } = document
  const saved = await saveAnswers(
    services,
    draft,
    { signature: { documentId, terms: leaseTerms(facts) } },
    { loadedFacts: facts },
  )
  if (!saved.ok) {
    await voidDocument(services.db.write, documentId)
    return { ok: false, why: 'stale' }
  }
  await voidOtherDocuments(services.db.write, draft.draftId, documentId)
  const copy = async () =>
    mayReadAgreement(draft, account) ? pdf : (await createSignedLeasePdf(documentAsRead, signature, signer)).pdf
  return { ok: true, draft: saved.draft, documentId, copy }
}

/** Returns whether a typed signature has all words of the tenant's name, in order; it may have more, such as middle names. */
function matchesName(signature: string, name: string): boolean {
  if (nameKey(signature) === nameKey(name)) return true
  const missingWords = nameWords(name)
  for (const word of nameWords(signature)) if (word === missingWords[0]) missingWords.shift()
  return missingWords.length === 0
}

function signedAtText(timeZone: string, instant: number): string {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(instant)
}
