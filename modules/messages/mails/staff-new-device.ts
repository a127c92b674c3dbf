import { formatDate } from '../../../domain/plain-date.ts'
import { formatInstantIn, todayIn } from '../../../domain/time-zone-dates.ts'
import { loadStaffMember } from '../../staff/staff-members.ts'
import * as example from '../internal/example-facts.ts'
import { loadMessageBrand, noMessage } from '../internal/message-facts.ts'
import type { Letter, MessageBrand } from '../mail-layout.tsx'
import { mail } from '../message-definition.ts'

interface StaffNewDeviceFacts {
  brand: MessageBrand
  name: string
  /** 'November 22, 2026 at 6:12 PM UTC' */
  when: string
  address: string
  agent: string
  meUrl: string
}

const staffNewDevice = (facts: StaffNewDeviceFacts): Letter => ({
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

export const staffNewDeviceMail = mail('staff_new_device', {
  about: null,
  async facts(services, { staffId, at, address, agent }) {
    const staffMember = await loadStaffMember(services.db.read, staffId)
    if (!staffMember || staffMember.state === 'ended') return noMessage
    return {
      to: staffMember.email,
      facts: {
        brand: await loadMessageBrand(services),
        name: staffMember.name,
        when: `${formatDate(todayIn('UTC', at))} at ${formatInstantIn('UTC', at)} UTC`,
        address,
        agent,
        meUrl: `${services.publicUrl}/office/me`,
      },
    }
  },
  letter: staffNewDevice,
  samples: [
    {
      name: 'staff-new-device',
      title: 'New sign-in to the office',
      facts: {
        brand: example.brand,
        name: 'Ines',
        when: 'November 22, 2026 at 6:12 PM UTC',
        address: '203.0.113.7',
        agent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/131.0',
        meUrl: `${example.brand.siteUrl}/office/me`,
      },
    },
  ],
})
