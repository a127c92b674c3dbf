import type { Kysely } from 'kysely'
import { emailKey } from '../../domain/name-and-email-keys.ts'
import { enqueue } from '../../platform/jobs/job-queue.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'

/** Maximum number of address corrections of one reservation that send a mail. */
const MAX_CORRECTION_MAILS = 5

/**
 * Mails the confirmation with the personal link to a reservation's new e-mail address, at most once to each, and replaces
 * the link that the old address received. Does nothing for an empty address, without a prospect record, or where it has
 * the address already. After `MAX_CORRECTION_MAILS`, only the link is replaced. Call it before the record is updated.
 */
export async function mailToNewAddress(
  tx: Kysely<Tables>,
  services: Services,
  reservation: { locationCode: string; reservationCode: string; rentNow?: boolean },
  email: string,
): Promise<void> {
  const { locationCode, reservationCode, rentNow } = reservation
  const prospect = await tx
    .selectFrom('prospects')
    .select(['uuid', 'email_address'])
    .where('location_code', '=', locationCode)
    .where('res_code', '=', reservationCode)
    .executeTakeFirst()
  if (!prospect || email === '' || emailKey(prospect.email_address) === emailKey(email)) return
  if (prospect.email_address !== '')
    await tx.updateTable('prospects').set({ uuid: services.random.uuid() }).where('uuid', '=', prospect.uuid).execute()
  const once = `${locationCode}:${reservationCode}:`
  const { sent } = await tx
    .selectFrom('jobs')
    .select((eb) => eb.fn.countAll<number>().as('sent'))
    .where('kind', '=', 'reservation_confirmed')
    // Selects the keys with this prefix: '~' sorts after every character of a fingerprint.
    .where('once', '>=', once)
    .where('once', '<', `${once}~`)
    .executeTakeFirstOrThrow()
  if (Number(sent) >= MAX_CORRECTION_MAILS) return
  await enqueue(tx, {
    kind: 'reservation_confirmed',
    once: once + services.sealer.fingerprint(emailKey(email), 'reservation mail'),
    payload: { locationCode, reservationCode, ...(rentNow && { rentNow: true }) },
    runAt: services.clock.now(),
  })
}
