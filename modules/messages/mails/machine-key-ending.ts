import { machineRoleNames } from '../../../domain/machine-key-role-names-and-limits.ts'
import { formatUs } from '../../../domain/plain-date.ts'
import { formatInstantIn, todayIn } from '../../../domain/time-zone-dates.ts'
import { loadMachineKey } from '../../staff/machine-keys.ts'
import * as example from '../internal/example-facts.ts'
import { loadMessageBrand, noMessage } from '../internal/message-facts.ts'
import { loadStaffOrBrandEmail } from '../internal/staff-or-brand-email-address.ts'
import type { Letter, MessageBrand } from '../mail-layout.tsx'
import { mail } from '../message-definition.ts'

interface MachineKeyEndingFacts {
  brand: MessageBrand
  key: string
  /** 'Gate' */
  role: string
  /** '12/04/2026 at 5:00 PM UTC' */
  ends: string
  keyUrl: string
}

const machineKeyEnding = (facts: MachineKeyEndingFacts): Letter => ({
  subject: `The key "${facts.key}" ends on ${facts.ends}`,
  heading: 'A key ends soon',
  preview: `"${facts.key}" ends on ${facts.ends}.`,
  phone: '',
  blocks: [
    `The key "${facts.key}" (${facts.role}) ends on ${facts.ends}. From then on the calls of its program are refused.`,
    'If the program is still in use, make a new key before, give it to the program, and revoke this one.',
    { button: 'See the key', href: facts.keyUrl },
  ],
})

export const machineKeyEndingMail = mail('machine_key_ending', {
  about: null,
  async facts(services, { staffId, keyId, endsAt }) {
    const [to, key] = await Promise.all([
      loadStaffOrBrandEmail(services, staffId),
      loadMachineKey(services, services.db.read, keyId),
    ])
    if (to === null || key?.state !== 'working') return noMessage
    return {
      to,
      facts: {
        brand: await loadMessageBrand(services),
        key: key.name,
        role: machineRoleNames[key.role],
        ends: `${formatUs(todayIn('UTC', endsAt))} at ${formatInstantIn('UTC', endsAt)} UTC`,
        keyUrl: `${services.publicUrl}/office/setup/keys/${keyId}`,
      },
    }
  },
  letter: machineKeyEnding,
  samples: [
    {
      name: 'machine-key-ending',
      title: 'A key ends soon',
      facts: {
        brand: example.brand,
        key: 'Main gate, Ralston Mill',
        role: 'Gate',
        ends: '12/04/2026 at 5:00 PM UTC',
        keyUrl: `${example.brand.siteUrl}/office/setup/keys/3f9a0c5d7b21`,
      },
    },
  ],
})
