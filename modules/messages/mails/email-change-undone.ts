import * as example from '../internal/example-facts.ts'
import { loadMessageBrand } from '../internal/message-facts.ts'
import type { Letter, MessageBrand } from '../mail-layout.tsx'
import { mail } from '../message-definition.ts'

/** Writes the mail to an account's changed address after the previous address has undone the change. */
function changeUndone(facts: { brand: MessageBrand }): Letter {
  return {
    subject: `A change of your ${facts.brand.name} account was undone`,
    heading: 'A change was undone',
    preview: 'This address is no longer that of the account.',
    phone: facts.brand.phone,
    blocks: [
      'The email address that the account had before has undone the change to this one. We no longer write here, and all devices are signed out.',
      'If the account is yours, call us.',
    ],
  }
}

export const changeUndoneMail = mail('change_undone', {
  about: null,
  async facts(services, { to }) {
    return { to, facts: { brand: await loadMessageBrand(services) } }
  },
  letter: changeUndone,
  samples: [{ name: 'change-undone', title: 'Account change undone', facts: { brand: example.brand } }],
})
