import { myUnits } from '../../leases/texts/portal.ts'
import * as example from '../internal/example-facts.ts'
import { loadRentingTenant, noMessage, renterFactsOf } from '../internal/message-facts.ts'
import { letterFrom, type RenterFacts } from '../internal/renter-facts-and-mail-tables.ts'
import type { Letter } from '../mail-layout.tsx'
import { mail } from '../message-definition.ts'

function onlineAccess(
  facts: RenterFacts & {
    forgotUrl: string
  },
): Letter {
  return letterFrom(facts, {
    subject: `Your unit at ${facts.facility.name} can be reached online`,
    heading: 'Your online account is ready',
    preview: `Unit ${facts.unitNumber} at ${facts.facility.name}.`,
    blocks: [
      `${facts.name}, an online account for unit ${facts.unitNumber} at ${facts.facility.name} was made with the details of your lease. With it you can pay, see your gate code and schedule a move-out.`,
      { button: myUnits, href: `${facts.brand.siteUrl}/my-units` },
      'If it was not you, choose a new password: that logs everybody else out. Then please call us.',
      { button: 'Choose a new password', href: facts.forgotUrl },
    ],
  })
}

export const onlineAccessMail = mail('online_access', {
  about: 'tenant',
  name: 'Online access',
  async facts(services, key) {
    const rentingTenant = await loadRentingTenant(services, key)
    if (!rentingTenant || rentingTenant.tenant.email === '') return noMessage
    return {
      to: rentingTenant.tenant.email,
      facts: {
        ...renterFactsOf(rentingTenant, rentingTenant.tenant.first, rentingTenant.unitNumber),
        forgotUrl: `${services.publicUrl}/forgot`,
      },
    }
  },
  letter: onlineAccess,
  samples: [
    {
      name: 'online-access',
      title: 'Online account made',
      facts: { ...example.exampleRenter, forgotUrl: `${example.brand.siteUrl}/forgot` },
    },
  ],
})
