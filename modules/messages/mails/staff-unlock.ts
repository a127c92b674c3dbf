import { MINUTE } from '../../../domain/durations.ts'
import { STAFF_UNLOCK_MS } from '../../staff/rules/unlock-link-duration.ts'
import { loadStaffMember } from '../../staff/staff-members.ts'
import { staffUnlockToken } from '../../staff/unlock-link.ts'
import * as example from '../internal/example-facts.ts'
import { loadMessageBrand, noMessage } from '../internal/message-facts.ts'
import type { Letter, MessageBrand } from '../mail-layout.tsx'
import { mail } from '../message-definition.ts'

interface StaffUnlockFacts {
  brand: MessageBrand
  name: string
  unlockUrl: string
  minutes: number
}

const staffUnlock = (facts: StaffUnlockFacts): Letter => ({
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

export const staffUnlockMail = mail('staff_unlock', {
  about: null,
  staleAfter: STAFF_UNLOCK_MS,
  async facts(services, { staffId, at }) {
    const staffMember = await loadStaffMember(services.db.read, staffId)
    if (staffMember?.state !== 'active') return noMessage
    const token = encodeURIComponent(staffUnlockToken(services, { staffId, at }))
    return {
      to: staffMember.email,
      facts: {
        brand: await loadMessageBrand(services),
        name: staffMember.name,
        unlockUrl: `${services.publicUrl}/office/sign-in?unlock=${token}`,
        minutes: STAFF_UNLOCK_MS / MINUTE,
      },
    }
  },
  letter: staffUnlock,
  samples: [
    {
      name: 'staff-unlock',
      title: 'Let back into the office',
      facts: {
        brand: example.brand,
        name: 'Ines',
        unlockUrl: `${example.brand.siteUrl}/office/sign-in?unlock=Zx3mVQ`,
        minutes: 30,
      },
    },
  ],
})
