import { type Cents, format } from '../../../domain/money.ts'
import { rentStays } from '../../rent-changes/texts/rent.ts'
import * as example from '../internal/example-facts.ts'
import { nothing, renter } from '../internal/facts.ts'
import { letterFrom, type ToRenter } from '../internal/letter-parts.ts'
import { changeOf } from '../internal/rent-change-facts.ts'
import type { Letter } from '../letter.tsx'
import { mail } from '../mail.ts'

/** Tells the tenant that a rent change was cancelled after its notice. */
const rentIsUnchanged = (facts: ToRenter & { rent: Cents }): Letter =>
  letterFrom(facts, {
    subject: `The rent of unit ${facts.unitNumber} stays as it is`,
    heading: 'Your rent stays as it is',
    preview: `${format(facts.rent)}, as before.`,
    blocks: [`${facts.name},`, rentStays({ ...facts, facility: facts.facility.name })],
  })

export const rentChangeCancelledMail = mail('rent_change_cancelled', {
  about: 'rent change',
  name: 'Rent change cancelled',
  async facts(services, { changeId }) {
    const of = await changeOf(services, changeId)
    if (!of || of.tenant.email === '') return nothing
    return {
      to: of.tenant.email,
      facts: {
        ...renter(of, of.tenant.first, of.lease.unit_number),
        rent: of.lease.rent,
      },
    }
  },
  letter: rentIsUnchanged,
  samples: [{ name: 'rent-stays', title: 'Rent change cancelled', facts: { ...example.maya, rent: 13900 } }],
})
