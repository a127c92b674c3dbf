import { format } from '../../../domain/money.ts'
import { formatUs, formatUsDay, type IsoDate } from '../../../domain/plain-date.ts'
import { createMyOnlineAccount } from '../../../domain/texts/account.ts'
import { inThrees } from '../../gate/rules/gate-code.ts'
import { arriving, gateHoursWithout24, instructionFor, isParking } from '../../gate/rules/gate-hours.ts'
import { gateCode as gateCodeText, myUnits, updatedLeaseTerms } from '../../leases/texts/portal.ts'
import { movedIn } from '../../move-in/texts/move-in.ts'
import { type Notice, writeNotice } from '../letter.tsx'
import { addressOf, filled, letterFrom, nextPayment, type PriceFacts, price, type ToRenter } from './shared.ts'

/** The move-in is complete (spec 1 §7, `movein_completion`); the sender attaches the signed lease. */
export function moveInCompleted(
  facts: ToRenter & {
    companyName: string
    unitCategory: string
    leaseNumber: number
    accessCode: string
    gateHours: string
    fullDayAccess: boolean
    directions: string
    /** The location's special instruction after rental, or ''. */
    specialInstruction: string
    charges: PriceFacts
    paidThrough: IsoDate
    autopay: boolean
    /** Link to create the online account, or to the units where the tenant has one. */
    account: { exists: boolean; url: string }
  },
): Notice {
  const { facility, unitNumber, charges } = facts
  return writeNotice(facts.brand, {
    subject: `You're moved in: unit ${unitNumber} at ${facility.name}`,
    heading: movedIn,
    preview: `Your gate code, the way to unit ${unitNumber} and your signed lease.`,
    phone: facility.phone,
    blocks: [
      `${facts.name}, unit ${unitNumber} is yours from today. Your gate code is active now.`,
      { code: inThrees(facts.accessCode), label: gateCodeText },
      filled(
        ['Unit', `${unitNumber}, ${facts.unitCategory}`],
        ['Company', facts.companyName],
        ['Lease number', String(facts.leaseNumber)],
        ['Facility', facility.name],
        ['Address', addressOf(facility)],
        ['Gate hours', facts.fullDayAccess ? '24 hours, every day' : gateHoursWithout24(facts.gateHours)],
        ['Paid through', formatUs(facts.paidThrough)],
      ),
      ...(facts.directions ? [facts.directions] : []),
      ...[instructionFor(facts.specialInstruction, isParking(facts.unitCategory))].filter(Boolean),
      'What happens next:',
      {
        list: [
          arriving(isParking(facts.unitCategory)),
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
      price('Total', charges),
    ],
  })
}

/** The way to an online account, sent to the address on file of a tenant who has none. */
export function termsLink(facts: ToRenter & { termsUrl: string }): Notice {
  return letterFrom(facts, {
    subject: `Please sign the updated terms of unit ${facts.unitNumber}`,
    heading: updatedLeaseTerms,
    preview: `For unit ${facts.unitNumber} at ${facts.facility.name}. Your unit, your gate code and what you pay stay as they are.`,
    blocks: [
      `${facts.name}, the terms of your lease of unit ${facts.unitNumber} at ${facts.facility.name} have been updated. Please read and accept them: log in, and they open by themselves.`,
      { button: 'Read and accept', href: facts.termsUrl },
      'Your unit, your gate code and what you pay stay as they are.',
    ],
  })
}

export function registerLink(
  facts: ToRenter & {
    registerUrl: string
  },
): Notice {
  return letterFrom(facts, {
    subject: `Create your ${facts.brand.name} online account`,
    heading: 'Create your online account',
    preview: 'Pay, see your gate code and schedule a move-out online.',
    blocks: [
      `${facts.name}, you rent unit ${facts.unitNumber} at ${facts.facility.name} but have no online account yet. With one you can pay, see your gate code and schedule a move-out.`,
      { button: createMyOnlineAccount, href: facts.registerUrl },
      'The link is for you alone; please do not pass it on. If you did not expect this mail, you need not do anything.',
    ],
  })
}
