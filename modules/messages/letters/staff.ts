import { formatLong, type IsoDate } from '../../../domain/plain-date.ts'
import { operatorCommand } from '../../../platform/operator-command.ts'
import { type Notice, type NoticeBrand, writeNotice } from '../letter.tsx'

export interface StaffInvitedFacts {
  brand: NoticeBrand
  name: string
  /** 'Manager (ATL01)' */
  roles: string
  joinUrl: string
  days: number
}

export const staffInvited = (facts: StaffInvitedFacts): Notice =>
  writeNotice(facts.brand, {
    subject: `Your invitation to the ${facts.brand.name} office`,
    heading: 'You are invited to the office',
    preview: `Choose a password within ${facts.days} days.`,
    phone: '',
    blocks: [
      `${facts.name}, you have been given access to the office of ${facts.brand.name}: ${facts.roles}.`,
      'Choose a password and add a second factor. Have the device at hand with which you will sign in.',
      { button: 'Accept the invitation', href: facts.joinUrl },
      `The link works once and for ${facts.days} days. If you do not expect it, do nothing.`,
    ],
  })

export interface StaffNewDeviceFacts {
  brand: NoticeBrand
  name: string
  /** 'November 22, 2026 at 6:12 PM UTC' */
  when: string
  address: string
  agent: string
  meUrl: string
}

export const staffNewDevice = (facts: StaffNewDeviceFacts): Notice =>
  writeNotice(facts.brand, {
    subject: `New sign-in to the ${facts.brand.name} office`,
    heading: 'A new device signed in',
    preview: `On ${facts.when}.`,
    phone: '',
    blocks: [
      `${facts.name}, somebody signed in to the office as you on ${facts.when}, from ${facts.address}, with a browser that you had not used before.`,
      `The browser calls itself: ${facts.agent || 'unknown'}`,
      'If it was you, there is nothing to do. If not, end your sign-ins at once and tell the owner.',
      { button: 'See my sign-ins', href: facts.meUrl },
    ],
  })

export interface StaffUnlockFacts {
  brand: NoticeBrand
  name: string
  unlockUrl: string
  minutes: number
}

export const staffUnlock = (facts: StaffUnlockFacts): Notice =>
  writeNotice(facts.brand, {
    subject: `Sign in to the ${facts.brand.name} office again`,
    heading: 'Sign in again',
    preview: 'Too many wrong passwords or codes were tried for you.',
    phone: '',
    blocks: [
      `${facts.name}, too many wrong passwords or codes were tried for you. This link lets you try again at once, in the browser you open it with. It works once and for ${facts.minutes} minutes.`,
      { button: 'Try again', href: facts.unlockUrl },
      'If you did not ask for this link, do nothing. It opens nothing without your password and second factor.',
    ],
  })

export interface ClockInDoubtFacts {
  brand: NoticeBrand
  doubt: 'jump' | 'database' | 'known' | 'outside'
}

const doubts = {
  jump: 'The clock of a server jumped by more than half a minute.',
  database: 'The clock of a server and that of the database are more than a minute apart.',
  known: 'The clock of a server is more than three days past what was last known, or before it.',
  outside: 'The card provider and the mail server say another time than the clock of a server.',
}

export const clockInDoubt = ({ brand, doubt }: ClockInDoubtFacts): Notice =>
  writeNotice(brand, {
    subject: 'Billing is paused: the clock of a server is in doubt',
    heading: 'Billing is paused',
    preview: doubts[doubt],
    phone: '',
    blocks: [
      doubts[doubt],
      'Billing, autopay and expiries wait on that server, so that no tenant is charged for a day that has not come. Pages and payments go on.',
      'Set the clock right and see that it is kept by a time service. The work goes on by itself ten minutes after the clock was last in doubt.',
    ],
  })

export interface BillingWaitsFacts {
  brand: NoticeBrand
  facilities: { locationCode: string; billed: IsoDate; today: IsoDate }[]
}

export const billingWaits = ({ brand, facilities }: BillingWaitsFacts): Notice => {
  const named = facilities
    .slice(0, 20)
    .map(
      ({ locationCode, billed, today }) =>
        `${locationCode}: billed through ${formatLong(billed)}; it is ${formatLong(today)} there.`,
    )
  const through = facilities.map(({ today }) => today).reduce((least, today) => (today < least ? today : least))
  return writeNotice(brand, {
    subject: `Billing waits at ${facilities.length === 1 ? '1 facility' : `${facilities.length} facilities`}`,
    heading: 'Billing waits for you',
    preview: 'More than three days were not billed.',
    phone: '',
    blocks: [
      'More than three days were not billed. Either the servers stood still, or a clock is wrong.',
      ...named,
      ...(facilities.length > named.length ? [`And ${facilities.length - named.length} more.`] : []),
      `If these dates are right, see what would be charged: ${operatorCommand(`billing --catch-up --through ${through}`)}`,
      'Add --confirm to charge it. Billing goes on by itself afterwards.',
    ],
  })
}

export interface AuditHashFacts {
  brand: NoticeBrand
  day: IsoDate
  events: number
  hash: string
}

export const auditHash = ({ brand, day, events, hash }: AuditHashFacts): Notice =>
  writeNotice(brand, {
    subject: `Audit of ${day}`,
    heading: `The audit of ${formatLong(day)}`,
    preview: 'Keep this mail where no server can delete it.',
    phone: '',
    blocks: [
      `The hash of this day and of all days before it, over ${events === 1 ? '1 event' : `${events} events`} of the day:`,
      `${day} ${hash}`,
      `Keep this mail where no server can delete it. Saved in a folder, it is compared by ${operatorCommand('audit verify --anchor <folder>')}`,
    ],
  })
