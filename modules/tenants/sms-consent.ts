/** Consent to text messages, by phone number. A number is texted only while its newest row is an agreement. */
import type { Kysely } from 'kysely'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { parseStopReply } from '../messages/rules/parse-stop-reply.ts'

/** Place where a tenant agreed to or stopped text messages: a page, the desk, the office, or a reply. */
type AskedAt = Tables['text_choices']['asked_at']

interface Choice {
  phone: string
  askedAt: AskedAt
  /** Consent text that was displayed; for a stop, a description such as 'Turned off in the profile'. */
  wording: string
  staffId?: string | undefined
}

export async function loadNewestChoice(db: Kysely<Tables>, phone: string) {
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

type NewestChoice = Awaited<ReturnType<typeof loadNewestChoice>>

/**
 * Returns whether a phone number's agreement to text messages takes effect. It does not after texts to the number were
 * stopped, unless the stop was made in the profile and is undone there. A START reply takes effect without this check.
 */
export const mayAgree = (before: NewestChoice, at: AskedAt): boolean =>
  before?.choice !== 'stopped' || (before.asked_at === 'profile' && at === 'profile')

/** Returns whether a phone number has agreed to text messages. */
export const hasTextConsent = async (db: Kysely<Tables>, phone: string): Promise<boolean> =>
  (await loadNewestChoice(db, phone))?.choice === 'agreed'

async function insertChoice(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock' | 'random'>,
  choice: 'agreed' | 'stopped',
  details: Choice,
): Promise<void> {
  await tx
    .insertInto('text_choices')
    .values({
      choice_id: services.random.uuid(),
      phone: details.phone,
      choice,
      asked_at: details.askedAt,
      wording: details.wording,
      staff_id: details.staffId ?? null,
      created_at: services.clock.now(),
    })
    .execute()
}

/**
 * Records that a phone number agreed to text messages in this wording, unless `mayAgree` rules it out after texts to
 * the number were stopped.
 * @returns whether the number may be texted now
 */
export async function recordTextConsent(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock' | 'random'>,
  details: Choice,
): Promise<boolean> {
  if (!mayAgree(await loadNewestChoice(tx, details.phone), details.askedAt)) return false
  await insertChoice(tx, services, 'agreed', details)
  return true
}

/** Records that a phone number gets no more text messages. */
export async function stopTexts(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock' | 'random'>,
  details: Choice,
): Promise<void> {
  await insertChoice(tx, services, 'stopped', details)
}

/**
 * Records a STOP or START reply from a phone number, once for each message. Ignores other texts, and START unless texts
 * to the number were stopped.
 * @param reply.id the provider's message id
 */
export async function recordReply(
  services: Pick<Services, 'clock' | 'db'>,
  reply: { id: string; from: string; text: string },
): Promise<void> {
  const command = parseStopReply(reply.text)
  if (command === null) return
  await services.db.transaction(async (tx) => {
    if (command === 'start' && (await loadNewestChoice(tx, reply.from))?.choice !== 'stopped') return
    await tx
      .insertInto('text_choices')
      .values({
        choice_id: `reply:${reply.id}`,
        phone: reply.from,
        choice: command === 'stop' ? 'stopped' : 'agreed',
        asked_at: 'reply',
        wording: reply.text.slice(0, 160),
        staff_id: null,
        created_at: services.clock.now(),
      })
      .onConflict((conflict) => conflict.column('choice_id').doNothing())
      .execute()
  })
}
