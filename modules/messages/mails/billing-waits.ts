import { DAY } from '../../../domain/durations.ts'
import { formatLong, type IsoDate } from '../../../domain/plain-date.ts'
import { operatorCommand } from '../../../platform/operator-command-in-messages.ts'
import * as example from '../internal/example-facts.ts'
import { loadMessageBrand, noMessage } from '../internal/message-facts.ts'
import { loadStaffOrBrandEmail } from '../internal/staff-or-brand-email-address.ts'
import type { Letter, MessageBrand } from '../mail-layout.tsx'
import { mail } from '../message-definition.ts'

interface BillingWaitsFacts {
  brand: MessageBrand
  facilities: { locationCode: string; billed: IsoDate; today: IsoDate }[]
}

const billingWaits = ({ facilities }: BillingWaitsFacts): Letter => {
  const lines = facilities
    .slice(0, 20)
    .map(
      ({ locationCode, billed, today }) =>
        `${locationCode}: billed through ${formatLong(billed)}; it is ${formatLong(today)} there.`,
    )
  const through = facilities
    .map(({ today }) => today)
    .reduce((earliest, today) => (today < earliest ? today : earliest))
  return {
    subject: `Billing waits at ${facilities.length === 1 ? '1 facility' : `${facilities.length} facilities`}`,
    heading: 'Billing waits for you',
    preview: 'More than three days were not billed.',
    phone: '',
    blocks: [
      'More than three days were not billed. Either the servers stood still, or a clock is wrong.',
      ...lines,
      ...(facilities.length > lines.length ? [`And ${facilities.length - lines.length} more.`] : []),
      `If these dates are right, see what would be charged: ${operatorCommand(`billing --catch-up --through ${through}`)}`,
      'Add --confirm to charge it. Billing goes on by itself afterwards.',
    ],
  }
}

export const billingWaitsMail = mail('billing_waits', {
  about: null,
  staleAfter: DAY,
  async facts(services, { staffId, facilities }) {
    const to = await loadStaffOrBrandEmail(services, staffId)
    if (to === null) return noMessage
    return { to, facts: { brand: await loadMessageBrand(services), facilities } }
  },
  letter: billingWaits,
  samples: [
    {
      name: 'billing-waits',
      title: 'Billing waits',
      facts: {
        brand: example.brand,
        facilities: [{ locationCode: 'ATL01', billed: '2026-11-15', today: '2026-11-20' }],
      },
    },
  ],
})
