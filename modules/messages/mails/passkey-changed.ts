import * as example from '../internal/example-facts.ts'
import { loadAccountAddress, loadMessageBrand, noMessage } from '../internal/message-facts.ts'
import type { Letter, MessageBrand } from '../mail-layout.tsx'
import { mail } from '../message-definition.ts'

function passkeyChanged({
  brand,
  name,
  passkey,
  change,
  forgotUrl,
}: {
  brand: MessageBrand
  name: string
  passkey: string
  change: 'added' | 'removed'
  forgotUrl: string
}): Letter {
  const isAdded = change === 'added'
  return {
    subject: isAdded
      ? `A passkey was added to your ${brand.name} account`
      : `A passkey was removed from your ${brand.name} account`,
    heading: isAdded ? 'A passkey was added' : 'A passkey was removed',
    preview: isAdded ? 'It signs in without your password.' : 'It no longer signs in.',
    phone: brand.phone,
    blocks: [
      `${name ? `${name}, the` : 'The'} passkey “${passkey}” ${
        isAdded
          ? 'was added to your account. It signs in without your password.'
          : 'was removed from your account, and what was signed in with it is signed out.'
      }`,
      'If this was you, all is well. If not, choose a new password now. You can have all passkeys removed with it.',
      { button: 'It was not me: reset my password', href: forgotUrl },
    ],
  }
}

export const passkeyChangedMail = mail('passkey_changed', {
  about: null,
  async facts(services, job) {
    const account = await loadAccountAddress(services, job.accountId)
    if (!account) return noMessage
    return {
      to: account.email,
      facts: {
        brand: await loadMessageBrand(services),
        name: account.first ?? '',
        passkey: job.name,
        change: job.change,
        forgotUrl: `${services.publicUrl}/forgot`,
      },
    }
  },
  letter: passkeyChanged,
  samples: [
    {
      name: 'passkey-added',
      title: 'Passkey added',
      facts: {
        brand: example.brand,
        name: 'Maya',
        passkey: 'Maya’s phone',
        change: 'added',
        forgotUrl: `${example.brand.siteUrl}/forgot`,
      },
    },
  ],
})
