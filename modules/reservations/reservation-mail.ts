/** A reservation's confirmation and personal link follow its e-mail address. */
import type { Kysely } from 'kysely'
import { emailKey } from '../../domain/phone.ts'
import { enqueue } from '../../platform/jobs/queue.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'

/** Corrections of one reservation's address that are mailed to. */
const MOST = 5

/**
 * In the transaction that changes the address, before the prospect record has it: the mail goes to the new one, and the link that
 * another mailbox was sent is replaced.
 */
export async function mailToNewAddress(
  tx: Kysely<Tables>,
  services: Services,
  of: { locationCode: string; reservationCode: string; rentNow?: boolean },
  email: string,
): Promise<void> {
  const { locationCode, reservationCode, rentNow } = of
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
    .where('once', '>=', once)
    .where('once', '<', `${once}~`)
    .executeTakeFirstOrThrow()
  if (Number(sent) >= MOST) return
  await enqueue(tx, {
    kind: 'reservation_confirmed',
    once: once + services.sealer.fingerprint(emailKey(email), 'reservation mail'),
    payload: { locationCode, reservationCode, ...(rentNow && { rentNow: true }) },
    runAt: services.clock.now(),
  })
}
