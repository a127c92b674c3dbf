import { DAY } from '../../../domain/durations.ts'
import { createMyOnlineAccount } from '../../../domain/texts/account.ts'
import * as example from '../internal/example-facts.ts'
import { loadRentingTenant, noMessage, registerUrl, renterFactsOf } from '../internal/message-facts.ts'
import { letterFrom, type RenterFacts } from '../internal/renter-facts-and-mail-tables.ts'
import type { Letter } from '../mail-layout.tsx'
import { mail } from '../message-definition.ts'

/** Writes the mail with the link by which a tenant without an online account creates one. */
function registerLink(
  facts: RenterFacts & {
    registerUrl: string
  },
): Letter {
  return letterFrom(facts, {
    subject: `Create your ${facts.brand.name} online account`,
    heading: 'Create your online account',
    preview: 'Pay, see your gate code and schedule a move-out online.',
    blocks: [
      `${facts.name}, you rent unit ${facts.unitNumber} at ${facts.facility.name} but have no online account yet. With one you can pay, see your gate code and schedule a move-out.`,
      { button: createMyOnlineAccount, href: facts.registerUrl },
      'The link is for you alone; please do not pass it on. If you did not expect this mail, you need not do anything.',
    ],
  })
}

export const registerLinkMail = mail('register_link', {
  about: 'tenant',
  name: 'Link to register',
  staleAfter: DAY,
  async facts(services, key) {
    const rentingTenant = await loadRentingTenant(services, key)
    if (!rentingTenant || rentingTenant.tenant.email === '' || rentingTenant.tenant.account_id !== null)
      return noMessage
    return {
      to: rentingTenant.tenant.email,
      facts: {
        ...renterFactsOf(rentingTenant, rentingTenant.tenant.first, rentingTenant.unitNumber),
        registerUrl: registerUrl(services, rentingTenant.tenant),
      },
    }
  },
  letter: registerLink,
  samples: [
    {
      name: 'register-link',
      title: 'Register link',
      facts: { ...example.exampleRenter, registerUrl: `${example.account}?token=Zx3mVQ` },
    },
  ],
})
