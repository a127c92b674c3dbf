import { DAY } from '../../../domain/durations.ts'
import { formatRoles } from '../../staff/rules/format-roles.ts'
import { INVITATION_MS } from '../../staff/rules/invitation-duration.ts'
import { invitationContext } from '../../staff/send-invitation.ts'
import { loadStaffMember } from '../../staff/staff-members.ts'
import * as example from '../internal/example-facts.ts'
import { loadMessageBrand, noMessage } from '../internal/message-facts.ts'
import type { Letter, MessageBrand } from '../mail-layout.tsx'
import { mail } from '../message-definition.ts'

interface StaffInvitedFacts {
  brand: MessageBrand
  name: string
  /** 'Manager (ATL01)' */
  roles: string
  joinUrl: string
  days: number
}

const staffInvited = (facts: StaffInvitedFacts): Letter => ({
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

export const staffInvitedMail = mail('staff_invited', {
  about: null,
  staleAfter: INVITATION_MS,
  async facts(services, { staffId, link }) {
    const staffMember = await loadStaffMember(services.db.read, staffId)
    if (staffMember?.state !== 'invited') return noMessage
    return {
      to: staffMember.email,
      facts: {
        brand: await loadMessageBrand(services),
        name: staffMember.name,
        roles: formatRoles(staffMember.roles),
        joinUrl: services.sealer.open(link, invitationContext(staffId)),
        days: INVITATION_MS / DAY,
      },
    }
  },
  letter: staffInvited,
  samples: [
    {
      name: 'staff-invited',
      title: 'Invitation to the office',
      facts: {
        brand: example.brand,
        name: 'Ines',
        roles: 'Manager (ATL01)',
        joinUrl: `${example.brand.siteUrl}/office/join?token=Zx3mVQ`,
        days: 7,
      },
    },
  ],
})
