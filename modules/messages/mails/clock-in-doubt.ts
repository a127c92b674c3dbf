import { DAY } from '../../../domain/durations.ts'
import * as example from '../internal/example-facts.ts'
import { loadMessageBrand, noMessage } from '../internal/message-facts.ts'
import { loadStaffOrBrandEmail } from '../internal/staff-or-brand-email-address.ts'
import type { Letter, MessageBrand } from '../mail-layout.tsx'
import { mail } from '../message-definition.ts'

interface ClockInDoubtFacts {
  brand: MessageBrand
  doubt: 'jump' | 'database' | 'known' | 'outside'
}

const doubts = {
  jump: 'The clock of a server jumped by more than half a minute.',
  database: 'The clock of a server and that of the database are more than a minute apart.',
  known: 'The clock of a server is more than three days past what was last known, or before it.',
  outside: 'The card provider and the mail server say another time than the clock of a server.',
}

const clockInDoubt = ({ doubt }: ClockInDoubtFacts): Letter => ({
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

export const clockInDoubtMail = mail('clock_in_doubt', {
  about: null,
  staleAfter: DAY,
  async facts(services, { staffId, doubt }) {
    const to = await loadStaffOrBrandEmail(services, staffId)
    if (to === null) return noMessage
    return { to, facts: { brand: await loadMessageBrand(services), doubt } }
  },
  letter: clockInDoubt,
  samples: [
    {
      name: 'clock-in-doubt',
      title: 'Billing paused: a clock in doubt',
      facts: { brand: example.brand, doubt: 'jump' },
    },
  ],
})
