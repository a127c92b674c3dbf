/** Whether a number may be texted: only who agreed, and not after STOP. Rows are only added. */
import type { Kysely } from 'kysely'
import { readReply } from '../../domain/texts/text-messages.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'

/** Where a choice was made: on the page for the gate code, at the desk, by a reply. */
type AskedAt = Tables['text_choices']['asked_at']

async function newest(db: Kysely<Tables>, phone: string) {
  const row = await db
    .selectFrom('text_choices')
    .select('choice')
    .where('phone', '=', phone)
    .orderBy('created_at', 'desc')
    // A reply within the same millisecond as a wish counts: STOP wins.
    .orderBy('choice', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.choice ?? null
}

export const mayText = async (db: Kysely<Tables>, phone: string): Promise<boolean> =>
  (await newest(db, phone)) === 'agreed'

/**
 * Keeps that a number agreed, in these words. After STOP only START from the number itself counts.
 * @returns whether it may be texted now
 */
export async function agreeToTexts(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock' | 'random'>,
  of: { phone: string; askedAt: AskedAt; wording: string; staffId?: string | undefined },
): Promise<boolean> {
  const before = await newest(tx, of.phone)
  if (before === 'stopped') return false
  await tx
    .insertInto('text_choices')
    .values({
      choice_id: services.random.uuid(),
      phone: of.phone,
      choice: 'agreed',
      asked_at: of.askedAt,
      wording: of.wording,
      staff_id: of.staffId ?? null,
      created_at: services.clock.now(),
    })
    .execute()
  return true
}

/**
 * STOP, START or neither, as the number itself replied. The same message counts once.
 * @param reply.id the provider's, of the message
 */
export async function keepReply(
  services: Pick<Services, 'clock' | 'db'>,
  reply: { id: string; from: string; text: string },
): Promise<void> {
  const asks = readReply(reply.text)
  if (asks === null) return
  await services.db.transaction(async (tx) => {
    if (asks === 'start' && (await newest(tx, reply.from)) !== 'stopped') return
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
