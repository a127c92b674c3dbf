/** Consent to text messages, by phone number: only after agreement, and not after STOP. Rows are only added. */
import type { Kysely } from 'kysely'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { readReply } from '../messages/texts/sms-consent.ts'

/** Where a person agreed to or refused text messages: on a page, at the desk, in the office, or in a reply. */
type AskedAt = Tables['text_choices']['asked_at']

interface Choice {
  phone: string
  askedAt: AskedAt
  /** Wording that was displayed, or the text of the request. */
  wording: string
  staffId?: string | undefined
}

async function newest(db: Kysely<Tables>, phone: string) {
  return (
    db
      .selectFrom('text_choices')
      .select(['choice', 'asked_at'])
      .where('phone', '=', phone)
      .orderBy('created_at', 'desc')
      // Within the same millisecond, STOP wins.
      .orderBy('choice', 'desc')
      .limit(1)
      .executeTakeFirst()
  )
}

type Newest = Awaited<ReturnType<typeof newest>>

/**
 * Returns whether a phone number's agreement to text messages takes effect. It does not after texts to the number were
 * stopped, unless the stop was made in the profile and is undone there. A START reply takes effect without this check.
 */
const mayAgree = (before: Newest, at: AskedAt): boolean =>
  before?.choice !== 'stopped' || (before.asked_at === 'profile' && at === 'profile')

/** Returns whether a phone number has agreed to text messages. */
export const hasTextConsent = async (db: Kysely<Tables>, phone: string): Promise<boolean> =>
  (await newest(db, phone))?.choice === 'agreed'

/**
 * Returns the state of text messages that the profile shows.
 * @returns 'fixed' when only START from the number turns them on again
 */
export async function loadTextConsentState(db: Kysely<Tables>, phone: string): Promise<'on' | 'off' | 'fixed'> {
  const choice = await newest(db, phone)
  return choice?.choice === 'agreed' ? 'on' : mayAgree(choice, 'profile') ? 'off' : 'fixed'
}

async function keep(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock' | 'random'>,
  choice: 'agreed' | 'stopped',
  of: Choice,
): Promise<void> {
  await tx
    .insertInto('text_choices')
    .values({
      choice_id: services.random.uuid(),
      phone: of.phone,
      choice,
      asked_at: of.askedAt,
      wording: of.wording,
      staff_id: of.staffId ?? null,
      created_at: services.clock.now(),
    })
    .execute()
}

/**
 * Records that a phone number agreed to text messages in this wording. After STOP, only START from the number takes
 * effect.
 * @returns whether the number may be texted now
 */
export async function recordTextConsent(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock' | 'random'>,
  of: Choice,
): Promise<boolean> {
  if (!mayAgree(await newest(tx, of.phone), of.askedAt)) return false
  await keep(tx, services, 'agreed', of)
  return true
}

/** Records that a phone number gets no more text messages, like a reply of STOP. */
export async function stopTexts(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock' | 'random'>,
  of: Choice,
): Promise<void> {
  await keep(tx, services, 'stopped', of)
}

/**
 * Records a STOP or START reply from a phone number, once for each message. Ignores other texts.
 * @param reply.id the provider's message id
 */
export async function recordReply(
  services: Pick<Services, 'clock' | 'db'>,
  reply: { id: string; from: string; text: string },
): Promise<void> {
  const asks = readReply(reply.text)
  if (asks === null) return
  await services.db.transaction(async (tx) => {
    if (asks === 'start' && (await newest(tx, reply.from))?.choice !== 'stopped') return
    await tx
      .insertInto('text_choices')
      .values({
        choice_id: `reply:${reply.id}`,
        phone: reply.from,
        choice: asks === 'stop' ? 'stopped' : 'agreed',
        asked_at: 'reply',
        wording: reply.text.slice(0, 160),
        staff_id: null,
        created_at: services.clock.now(),
      })
      .onConflict((known) => known.column('choice_id').doNothing())
      .execute()
  })
}
