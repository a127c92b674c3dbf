import { formatInstantIn } from '../../../domain/dates.ts'
import { INVITATION_MS, STAFF_UNLOCK_MS } from '../../../domain/office/factors.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { brandOf } from '../../facilities/settings.ts'
import { invitationContext } from '../../staff/invitations.ts'
import { personById, rolesText } from '../../staff/people.ts'
import { staffUnlockToken } from '../../staff/unlock-link.ts'
import { type Composers, loadLetters, nothing, noticeBrand } from './facts.ts'

export const staffNotices: Composers<
  'staff_invited' | 'staff_new_device' | 'staff_unlock' | 'clock_in_doubt' | 'billing_waits' | 'audit_hash'
> = {
  async staff_invited(services, { staffId, link }) {
    const person = await personById(services.db.read, staffId)
    if (person?.state !== 'invited') return nothing
    return {
      to: person.email,
      notice: (await loadLetters()).staffInvited({
        brand: await noticeBrand(services),
        name: person.name,
        roles: rolesText(person.roles),
        joinUrl: services.sealer.open(link, invitationContext(staffId)),
        days: INVITATION_MS / 86_400_000,
      }),
    }
  },

  async staff_new_device(services, { staffId, at, address, agent }) {
    const person = await personById(services.db.read, staffId)
    if (!person || person.state === 'ended') return nothing
    return {
      to: person.email,
      notice: (await loadLetters()).staffNewDevice({
        brand: await noticeBrand(services),
        name: person.name,
        when: formatInstantIn('UTC', at),
        address,
        agent,
        meUrl: `${services.publicUrl}/office/me`,
      }),
    }
  },

  async staff_unlock(services, { staffId, at }) {
    const person = await personById(services.db.read, staffId)
    if (person?.state !== 'active') return nothing
    const token = encodeURIComponent(staffUnlockToken(services, { staffId, at }))
    return {
      to: person.email,
      notice: (await loadLetters()).staffUnlock({
        brand: await noticeBrand(services),
        name: person.name,
        unlockUrl: `${services.publicUrl}/office/sign-in?unlock=${token}`,
        minutes: STAFF_UNLOCK_MS / 60_000,
      }),
    }
  },

  async clock_in_doubt(services, { staffId, doubt }) {
    const to = await ownerAddress(services, staffId)
    if (to === null) return nothing
    return { to, notice: (await loadLetters()).clockInDoubt({ brand: await noticeBrand(services), doubt }) }
  },

  async billing_waits(services, { staffId, facilities }) {
    const to = await ownerAddress(services, staffId)
    if (to === null) return nothing
    return { to, notice: (await loadLetters()).billingWaits({ brand: await noticeBrand(services), facilities }) }
  },

  async audit_hash(services, { to, day, events, hash }) {
    return { to, notice: (await loadLetters()).auditHash({ brand: await noticeBrand(services), day, events, hash }) }
  },
}

async function ownerAddress(services: Services, staffId: string): Promise<string | null> {
  if (staffId === '') return (await brandOf(services)).email || null
  const person = await personById(services.db.read, staffId)
  return person === null || person.state === 'ended' ? null : person.email
}
