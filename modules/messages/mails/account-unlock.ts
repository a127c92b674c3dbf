import { MINUTE } from '../../../domain/durations.ts'
import { UNLOCK_MS, unlockToken } from '../../accounts/unlock-link.ts'
import * as example from '../internal/example-facts.ts'
import { loadAccountAddress, loadMessageBrand, noMessage } from '../internal/message-facts.ts'
import type { Letter, MessageBrand } from '../mail-layout.tsx'
import { mail } from '../message-definition.ts'

function unlockAccount(facts: { brand: MessageBrand; name: string; unlockUrl: string; minutes: number }): Letter {
  return {
    subject: 'Let yourself back in',
    heading: 'Let yourself back in',
    preview: 'Too many wrong passwords were tried for your account.',
    phone: facts.brand.phone,
    blocks: [
      `${facts.name ? `${facts.name}, too` : 'Too'} many wrong passwords were tried for your account. This link lets you try again at once, in the browser you open it with. It is good for ${facts.minutes} minutes.`,
      { button: 'Try again', href: facts.unlockUrl },
      'If the tries were not yours, nobody got in. You need do nothing.',
    ],
  }
}

export const unlockMail = mail('unlock', {
  about: 'account',
  name: 'Link to sign in after a lock',
  staleAfter: UNLOCK_MS,
  async facts(services, { accountId }) {
    const account = await loadAccountAddress(services, accountId)
    if (!account) return noMessage
    return {
      to: account.email,
      facts: {
        brand: await loadMessageBrand(services),
        name: account.first ?? '',
        unlockUrl: `${services.publicUrl}/login?unlock=${encodeURIComponent(unlockToken(services, accountId))}`,
        minutes: UNLOCK_MS / MINUTE,
      },
    }
  },
  letter: unlockAccount,
  samples: [
    {
      name: 'unlock-account',
      title: 'Let back in after wrong passwords',
      facts: { brand: example.brand, name: 'Maya', unlockUrl: `${example.brand.siteUrl}/login?unlock=…`, minutes: 30 },
    },
  ],
})
