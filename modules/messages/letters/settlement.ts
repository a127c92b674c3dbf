import { type Cents, format } from '../../../domain/money.ts'
import type { Notice } from '../letter.tsx'
import { letterFrom, type ToRenter } from './shared.ts'

/** The office offers a past-due tenant to settle for less than is owed. */
export function settlementLink(facts: ToRenter & { owed: Cents; settlesFor: Cents; payUrl: string }): Notice {
  const [owed, settles] = [format(facts.owed), format(facts.settlesFor)]
  return letterFrom(facts, {
    subject: `Settle unit ${facts.unitNumber} for ${settles}`,
    heading: `Pay ${settles} and it is settled`,
    preview: `For unit ${facts.unitNumber} at ${facts.facility.name}.`,
    blocks: [
      `${facts.name}, ${owed} is owed for unit ${facts.unitNumber} at ${facts.facility.name}. If you pay ${settles} now, we write the rest off.`,
      { button: `Pay ${settles}`, href: facts.payUrl },
      'The link is for you alone; please do not pass it on. It ends once what is owed has been paid in another way.',
    ],
  })
}
