import { HOUR } from '../../../domain/durations.ts'
import { EMAIL_CHANGE_MS, loadEmailChangeMail } from '../../accounts/email-change.ts'
import { loadTenant } from '../../tenants/tenant.ts'
import * as example from '../internal/example-facts.ts'
import { loadMessageBrand, noMessage } from '../internal/message-facts.ts'
import type { Letter, MessageBrand } from '../mail-layout.tsx'
import { mail } from '../message-definition.ts'

/** Writes the mail that asks a new e-mail address to confirm the change by a link (spec 2 §5, profile). */
function confirmEmail(facts: {
  brand: MessageBrand
  name: string
  newEmail: string
  confirmUrl: string
  hours: number
}): Letter {
  return {
    subject: `Confirm your new email address for ${facts.brand.name}`,
    heading: 'Is this your address?',
    preview: `Confirm it within ${facts.hours} hours.`,
    blocks: [
      `${facts.name}, you entered ${facts.newEmail} as the new email address of your account. Until you confirm it, we write to the old one.`,
      { button: 'Confirm this address', href: facts.confirmUrl },
      `The link is good for ${facts.hours} hours and works for your account alone: you sign in before it counts. If you did not ask for this, you need not do anything.`,
    ],
  }
}

export const confirmEmailMail = mail('confirm_email', {
  about: null,
  staleAfter: EMAIL_CHANGE_MS,
  async facts(services, { changeId }) {
    const changeMail = await loadEmailChangeMail(services, changeId)
    const [tenant, brand] = await Promise.all([
      changeMail && loadTenant(services.db.read, changeMail.change.location_code, changeMail.change.tenant_id),
      loadMessageBrand(services),
    ])
    if (!changeMail || !tenant) return noMessage
    return {
      to: changeMail.change.new_email,
      facts: {
        brand,
        name: tenant.first,
        newEmail: changeMail.change.new_email,
        confirmUrl: `${services.publicUrl}${changeMail.path}`,
        hours: EMAIL_CHANGE_MS / HOUR,
      },
    }
  },
  letter: confirmEmail,
  samples: [
    {
      name: 'confirm-email',
      title: 'New email address to confirm',
      facts: {
        brand: example.brand,
        name: 'Maya',
        newEmail: 'maya@okafor.example',
        hours: 24,
        confirmUrl: `${example.brand.siteUrl}/confirm-email?token=Zx3mVQ`,
      },
    },
  ],
})
