import { format } from '../../../domain/money.ts'
import { formatUs, formatUsDay, type IsoDate } from '../../../domain/plain-date.ts'
import { createMyOnlineAccount } from '../../../domain/texts/account.ts'
import { arrivalInstruction, instructionFor, isParking } from '../../facilities/rules/room-or-parking-wording.ts'
import { hasFullDayAccess } from '../../gate/assign-and-activate-gate-codes.ts'
import { loadGateHours } from '../../gate/load-and-lock-facility-gate.ts'
import { loadGateReasons } from '../../gate/load-lease-gate-reasons.ts'
import { formatGateCode } from '../../gate/rules/generate-gate-code.ts'
import { loadUnitCategory } from '../../leases/lease.ts'
import { gateCode as gateCodeText, myUnits } from '../../leases/texts/portal.ts'
import { moveInCompletedTitle } from '../../move-in/texts/move-in.ts'
import * as example from '../internal/example-facts.ts'
import { newCodeText } from '../internal/gate-code-sentences.ts'
import {
  loadLeaseForMessage,
  loadPaymentWithPlan,
  noMessage,
  registerUrl,
  renterFactsOf,
} from '../internal/message-facts.ts'
import {
  formatAddress,
  nextPayment,
  type PriceFacts,
  priceBlock,
  type RenterFacts,
  tableBlock,
} from '../internal/renter-facts-and-mail-tables.ts'
import type { Letter } from '../mail-layout.tsx'
import { mail } from '../message-definition.ts'
import { phoneToCall } from '../texts/facility-or-brand-phone.ts'

/** Confirms a completed move-in (spec 1 §7, `movein_completion`). The mail has the signed lease attached. */
export function moveInCompleted(
  facts: RenterFacts & {
    companyName: string
    unitCategory: string
    leaseNumber: number
    accessCode: string
    /** Sentence of `newCodeText` about whether the gate has the code; may be ''. */
    atTheGate: string
    gateHours: string
    fullDayAccess: boolean
    directions: string
    /** The facility's special instruction after a rental, or ''. */
    specialInstruction: string
    charges: PriceFacts
    paidThrough: IsoDate
    autopay: boolean
    /** Link to create the online account, or to My Units if the tenant has an account. */
    account: { exists: boolean; url: string }
  },
): Letter {
  const { facility, unitNumber, charges } = facts
  return {
    subject: `You're moved in: unit ${unitNumber} at ${facility.name}`,
    heading: moveInCompletedTitle,
    preview: `Your gate code, the way to unit ${unitNumber} and your signed lease.`,
    phone: facility.phone,
    blocks: [
      [`${facts.name}, unit ${unitNumber} is yours from today.`, facts.atTheGate].filter(Boolean).join(' '),
      { code: formatGateCode(facts.accessCode), label: gateCodeText },
      tableBlock(
        ['Unit', `${unitNumber}, ${facts.unitCategory}`],
        ['Company', facts.companyName],
        ['Lease number', String(facts.leaseNumber)],
        ['Facility', facility.name],
        ['Address', formatAddress(facility)],
        ['Gate hours', facts.fullDayAccess ? '24 hours, every day' : facts.gateHours],
        ['Paid through', formatUs(facts.paidThrough)],
      ),
      ...(facts.directions ? [facts.directions] : []),
      ...[instructionFor(facts.specialInstruction, isParking(facts.unitCategory))].filter(Boolean),
      'What happens next:',
      {
        list: [
          arrivalInstruction(isParking(facts.unitCategory)),
          'Your signed lease is attached. Keep it with your papers.',
          facts.autopay
            ? `Autopay is on: we charge ${format(charges.thenPerPeriod)} every 30 days, first on ${formatUsDay(charges.nextBilling)}.`
            : nextPayment(charges),
          facts.account.exists
            ? 'Pay, see your gate code and schedule a move-out in your online account.'
            : 'Create your online account to pay, see your gate code and schedule a move-out.',
        ],
      },
      { button: facts.account.exists ? myUnits : createMyOnlineAccount, href: facts.account.url },
      'What you agreed to pay for the first 30 days:',
      priceBlock('Total', charges),
    ],
  }
}

export const moveInCompletedMail = mail('move_in_completed', {
  about: 'lease',
  name: 'Move-in completed',
  async facts(services, key) {
    const leaseFacts = await loadLeaseForMessage(services, key)
    if (!leaseFacts || leaseFacts.tenant.email === '' || !leaseFacts.lease.order_id || !leaseFacts.lease.document_id)
      return noMessage
    const [paid, document, fullDayAccess, unitCategory, gates, gateHours] = await Promise.all([
      loadPaymentWithPlan(services, leaseFacts.lease.order_id),
      services.db.read
        .selectFrom('lease_documents')
        .select('file_key')
        .where('document_id', '=', leaseFacts.lease.document_id)
        .executeTakeFirst(),
      hasFullDayAccess(services.db.read, leaseFacts.lease),
      loadUnitCategory(services, leaseFacts.lease),
      loadGateReasons(services.db.read, leaseFacts.location, [leaseFacts.lease], services.clock.now()),
      loadGateHours(services.db.read, leaseFacts.location),
    ])
    const signed = document && (await services.files.get(document.file_key))
    if (!paid) return noMessage
    // A file that cannot be read now may be readable later, so the job is retried.
    if (!signed) throw new Error(`the signed lease ${leaseFacts.lease.document_id} cannot be read`)
    const hasAccount = leaseFacts.tenant.grant_online_access === 1
    return {
      to: leaseFacts.tenant.email,
      facts: {
        ...renterFactsOf(leaseFacts, leaseFacts.tenant.first, leaseFacts.lease.unit_number),
        companyName: leaseFacts.tenant.company,
        unitCategory,
        leaseNumber: leaseFacts.lease.lease_number,
        accessCode: leaseFacts.lease.gate_code,
        atTheGate: await newCodeText(
          services,
          gates.get(leaseFacts.lease.lease_number),
          leaseFacts.lease,
          phoneToCall(leaseFacts.brand, leaseFacts.facility),
        ),
        gateHours,
        fullDayAccess,
        directions: leaseFacts.location.directions,
        specialInstruction: leaseFacts.location.special_instruction_after_rental,
        charges: paid.plan.charges,
        paidThrough: leaseFacts.lease.paid_through,
        autopay: leaseFacts.lease.autopay === 1,
        account: {
          exists: hasAccount,
          url: hasAccount ? `${services.publicUrl}/my-units` : registerUrl(services, leaseFacts.tenant),
        },
      },
      attachments: [
        {
          filename: `lease-${leaseFacts.lease.lease_number}.pdf`,
          contentType: 'application/pdf',
          content: signed.content,
        },
      ],
    }
  },
  letter: moveInCompleted,
  samples: [
    {
      name: 'move-in-completed',
      title: 'Move-in completed',
      facts: {
        ...example.exampleRenter,
        name: 'Maya Okafor',
        companyName: 'Okafor Upholstery',
        unitCategory: '10 × 10 climate-controlled storage',
        leaseNumber: 10482,
        accessCode: '482913',
        atTheGate: 'The gate has your code.',
        gateHours: '5 AM to 9 PM every day',
        fullDayAccess: false,
        directions: 'Enter from North Ave, past the bakery. The gate is on the left; unit 214 is in row B.',
        specialInstruction: 'The elevator closes at 8:30 PM.',
        charges: example.charges,
        paidThrough: '2026-12-19',
        autopay: true,
        account: { exists: false, url: example.account },
      },
    },
  ],
})
