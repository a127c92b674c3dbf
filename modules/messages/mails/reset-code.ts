import { MINUTE } from '../../../domain/durations.ts'
import { resetContext } from '../../accounts/password-reset.ts'
import { RESET_CODE_MS } from '../../accounts/rules/generate-reset-code.ts'
import * as example from '../internal/example-facts.ts'
import { loadMessageBrand, noMessage } from '../internal/message-facts.ts'
import type { Letter, MessageBrand } from '../mail-layout.tsx'
import { mail } from '../message-definition.ts'

function resetCode(facts: { brand: MessageBrand; code: string; minutes: number }): Letter {
  return {
    subject: `Your ${facts.brand.name} password code`,
    heading: 'Your password code',
    preview: `Good for ${facts.minutes} minutes.`,
    blocks: [
      'Type this code on the page where you asked for it, in the same browser, to choose a new password.',
      { code: facts.code, label: `Good for ${facts.minutes} minutes` },
      'Nobody from our side will ever ask you for it. If you did not want a new password, you need not do anything.',
    ],
  }
}

export const resetCodeMail = mail('reset_code', {
  about: null,
  staleAfter: RESET_CODE_MS,
  async facts(services, { resetId }) {
    const reset = await services.db.read
      .selectFrom('reset_codes')
      .innerJoin('accounts', 'accounts.account_id', 'reset_codes.account_id')
      .select(['email', 'code_sealed', 'expires_at'])
      .where('reset_id', '=', resetId)
      .executeTakeFirst()
    if (!reset || reset.expires_at <= services.clock.now()) return noMessage
    return {
      to: reset.email,
      facts: {
        brand: await loadMessageBrand(services),
        code: services.sealer.open(reset.code_sealed, resetContext(resetId)),
        minutes: RESET_CODE_MS / MINUTE,
      },
    }
  },
  letter: resetCode,
  samples: [{ name: 'reset-code', title: 'Password code', facts: { brand: example.brand, code: '0417', minutes: 15 } }],
})
