import { type Cents, format } from '../../../domain/money.ts'
import { rentChangeCancelledText } from '../../rent-changes/texts/rent.ts'
import * as example from '../internal/example-facts.ts'
import { noMessage, renterFactsOf } from '../internal/message-facts.ts'
import { loadRentChangeFacts } from '../internal/rent-change-facts.ts'
import { letterFrom, type RenterFacts } from '../internal/renter-facts-and-mail-tables.ts'
import type { Letter } from '../mail-layout.tsx'
import { mail } from '../message-definition.ts'

/** Writes the mail that tells the tenant that a rent change was cancelled after its notice. */
const rentIsUnchanged = (facts: RenterFacts & { rent: Cents }): Letter =>
  letterFrom(facts, {
    subject: `The rent of unit ${facts.unitNumber} stays as it is`,
    heading: 'Your rent stays as it is',
    preview: `${format(facts.rent)}, as before.`,
    blocks: [`${facts.name},`, rentChangeCancelledText({ ...facts, facility: facts.facility.name })],
  })

export const rentChangeCancelledMail = mail('rent_change_cancelled', {
  about: 'rent change',
  name: 'Rent change cancelled',
  async facts(services, { changeId }) {
    const changeFacts = await loadRentChangeFacts(services, changeId)
    if (!changeFacts || changeFacts.tenant.email === '') return noMessage
    return {
      to: changeFacts.tenant.email,
      facts: {
        ...renterFactsOf(changeFacts, changeFacts.tenant.first, changeFacts.lease.unit_number),
        rent: changeFacts.lease.rent,
      },
    }
  },
  letter: rentIsUnchanged,
  samples: [{ name: 'rent-stays', title: 'Rent change cancelled', facts: { ...example.exampleRenter, rent: 13900 } }],
})
