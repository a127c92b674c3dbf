import { formatPhone } from '../../../domain/phone.ts'
import { inThrees } from '../../gate/rules/gate-code.ts'
import type { Trouble } from '../../leases/rules/unit-alerts.ts'
import { myUnits, payNow } from '../../leases/texts/portal.ts'
import { type Block, type Notice, type NoticeBrand, oneLine, writeNotice } from '../letter.tsx'
import { addressOf, daysToCome, letterFrom, type NoticePlace, type ToRenter } from './shared.ts'

export function onlineAccess(
  facts: ToRenter & {
    forgotUrl: string
  },
): Notice {
  return letterFrom(facts, {
    subject: `Your unit at ${facts.facility.name} can be reached online`,
    heading: 'Your online account is ready',
    preview: `Unit ${facts.unitNumber} at ${facts.facility.name}.`,
    blocks: [
      `${facts.name}, an online account for unit ${facts.unitNumber} at ${facts.facility.name} was made with the details of your lease. With it you can pay, see your gate code and schedule a move-out.`,
      { button: myUnits, href: `${facts.brand.siteUrl}/my-units` },
      'If it was not you, choose a new password: that logs everybody else out. Then please call us.',
      { button: 'Choose a new password', href: facts.forgotUrl },
    ],
  })
}

export interface GateCodeFacts {
  brand: NoticeBrand
  facility: NoticePlace
  name: string
  units: {
    unitNumber: string
    gateCode: string
    /** What is wrong with the unit, and how it can be paid. */
    trouble?: (Trouble & { notOnline: string; payUrl: string }) | null
  }[]
  /** Numbers of the overlocked units, for which the gate refuses the codes that they go by. */
  locked?: string[]
  /** By the office. */
  suspended?: boolean
}

const refusedText = ({ locked = [], suspended = false }: GateCodeFacts): string =>
  suspended
    ? 'The gate does not take the code at the moment. Please call us.'
    : locked.length === 0
      ? ''
      : `The gate does not take the code while ${locked.length === 1 ? `unit ${locked[0]} is` : `units ${locked.join(', ')} are`} past due.`

const codesOf = (facts: GateCodeFacts): Block[] => [
  ...facts.units.map((unit) => ({ code: inThrees(unit.gateCode), label: `Unit ${unit.unitNumber}` })),
  ...[refusedText(facts)].filter(Boolean),
  ...facts.units.flatMap(({ unitNumber, trouble }): Block[] => {
    if (!trouble) return []
    const { what, days, stops, notOnline, payUrl } = trouble
    return [
      `Unit ${unitNumber}: ${what}`,
      ...daysToCome(days),
      stops,
      notOnline || { button: facts.units.length === 1 ? payNow : `Pay for unit ${unitNumber}`, href: payUrl },
    ]
  }),
]

export function gateCode(facts: GateCodeFacts): Notice {
  return letterFrom(facts, {
    subject: `Your gate code at ${facts.facility.name}`,
    heading: facts.units.length === 1 ? 'Your gate code' : 'Your gate codes',
    preview: `For ${facts.facility.name}, ${facts.facility.address}.`,
    blocks: [
      `${facts.name}, you or someone else asked for the gate code at ${facts.facility.name}, ${addressOf(facts.facility)}.`,
      ...codesOf(facts),
      'If it was not you who asked, nobody else has seen this mail. Call us if you want another code.',
    ],
  })
}

/** The office has given the tenant another code. */
export function gateCodeChanged(facts: GateCodeFacts): Notice {
  return letterFrom(facts, {
    subject: `Your gate code at ${facts.facility.name} has changed`,
    heading: 'Your new gate code',
    preview: `For ${facts.facility.name}, ${facts.facility.address}. The earlier code opens nothing any more.`,
    blocks: [
      `${facts.name}, we have changed your gate code at ${facts.facility.name}, ${addressOf(facts.facility)}. The earlier one opens nothing any more.`,
      ...codesOf(facts),
      'You did not expect this? Please call us.',
    ],
  })
}

export function gateCodeSms(facts: GateCodeFacts): string {
  const codes = facts.units.map((unit) => `${inThrees(unit.gateCode)} (unit ${unit.unitNumber})`).join(', ')
  const phone = formatPhone(facts.facility.phone || facts.brand.phone)
  const text = `${facts.brand.name}: your gate code at ${facts.facility.name} is ${codes}.${` ${refusedText(facts)}`.trimEnd()}${phone ? ` Questions? ${phone}` : ''}`
  return oneLine(text)
}

export function unlockAccount(facts: { brand: NoticeBrand; name: string; unlockUrl: string; minutes: number }): Notice {
  return writeNotice(facts.brand, {
    subject: 'Let yourself back in',
    heading: 'Let yourself back in',
    preview: 'Too many wrong passwords were tried for your account.',
    phone: facts.brand.phone,
    blocks: [
      `${facts.name ? `${facts.name}, too` : 'Too'} many wrong passwords were tried for your account. This link lets you try again at once, in the browser you open it with. It is good for ${facts.minutes} minutes.`,
      { button: 'Try again', href: facts.unlockUrl },
      'If the tries were not yours, nobody got in. You need do nothing.',
    ],
  })
}

export function resetCode(facts: { brand: NoticeBrand; code: string; minutes: number }): Notice {
  return writeNotice(facts.brand, {
    subject: `Your ${facts.brand.name} password code`,
    heading: 'Your password code',
    preview: `Good for ${facts.minutes} minutes.`,
    blocks: [
      'Type this code on the page where you asked for it, in the same browser, to choose a new password.',
      { code: facts.code, label: `Good for ${facts.minutes} minutes` },
      'Nobody from our side will ever ask you for it. If you did not want a new password, you need not do anything.',
    ],
  })
}

/** To a new e-mail address: it counts once this link was opened (spec 2 §5, profile). */
export function confirmEmail(facts: {
  brand: NoticeBrand
  name: string
  newEmail: string
  confirmUrl: string
  hours: number
}): Notice {
  return writeNotice(facts.brand, {
    subject: `Confirm your new email address for ${facts.brand.name}`,
    heading: 'Is this your address?',
    preview: `Confirm it within ${facts.hours} hours.`,
    blocks: [
      `${facts.name}, you entered ${facts.newEmail} as the new email address of your account. Until you confirm it, we write to the old one.`,
      { button: 'Confirm this address', href: facts.confirmUrl },
      `The link is good for ${facts.hours} hours and works for your account alone: you sign in before it counts. If you did not ask for this, you need not do anything.`,
    ],
  })
}

const changedWords = { email: 'e-mail address', name: 'name', password: 'password', phone: 'phone number' } as const

export function tenantUpdated(facts: {
  brand: NoticeBrand
  name: string
  /** The notice's `email_template_type`. */
  changed: 'email' | 'name' | 'password' | 'phone'
  newEmail?: string
  /** To the address from before a change of e-mail or password: the link that undoes it, good for this many days. */
  undo?: { url: string; days: number }
  passkeys?: string[]
}): Notice {
  const what = changedWords[facts.changed]
  return writeNotice(facts.brand, {
    subject: `Your ${facts.brand.name} ${what} was changed`,
    heading: `Your ${what} was changed`,
    preview: 'If this was you, all is well.',
    blocks: [
      `${facts.name}, the ${what} of your account was changed${
        facts.changed === 'email' && facts.newEmail ? ` to ${facts.newEmail}` : ''
      }.`,
      ...(facts.passkeys?.length
        ? [`Passkeys still sign in without it: ${facts.passkeys.map((one) => `“${one}”`).join(', ')}.`]
        : []),
      ...(facts.undo
        ? [
            `If this was you, all is well. If not, undo it now: your account is as it was before, everybody is signed out, and you choose a new password. The link is good for ${facts.undo.days} days.`,
            { button: 'It was not me: undo it', href: facts.undo.url },
          ]
        : ['If this was you, all is well. If not, call us now.']),
    ],
  })
}

/** To the address that an account had until a change was undone by the address before it. */
export function changeUndone(facts: { brand: NoticeBrand }): Notice {
  return writeNotice(facts.brand, {
    subject: `A change of your ${facts.brand.name} account was undone`,
    heading: 'A change was undone',
    preview: 'This address is no longer that of the account.',
    phone: facts.brand.phone,
    blocks: [
      'The email address that the account had before has undone the change to this one. We no longer write here, and everybody is signed out.',
      'If the account is yours, call us.',
    ],
  })
}

export function passkeyChanged({
  brand,
  name,
  passkey,
  change,
  forgotUrl,
}: {
  brand: NoticeBrand
  name: string
  passkey: string
  change: 'added' | 'removed'
  forgotUrl: string
}): Notice {
  const added = change === 'added'
  return writeNotice(brand, {
    subject: added
      ? `A passkey was added to your ${brand.name} account`
      : `A passkey was removed from your ${brand.name} account`,
    heading: added ? 'A passkey was added' : 'A passkey was removed',
    preview: added ? 'It signs in without your password.' : 'It no longer signs in.',
    phone: brand.phone,
    blocks: [
      `${name ? `${name}, the` : 'The'} passkey “${passkey}” ${
        added
          ? 'was added to your account. It signs in without your password.'
          : 'was removed from your account, and what was signed in with it is signed out.'
      }`,
      'If this was you, all is well. If not, choose a new password now. You can have all passkeys removed with it.',
      { button: 'It was not me: reset my password', href: forgotUrl },
    ],
  })
}
