import type { Kysely } from 'kysely'
import { emailKey } from '../../domain/name-and-email-keys.ts'
import { enqueue } from '../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'

/** Maximum number of address corrections of one reservation that send a mail. */
const MAX_CORRECTION_MAILS = 5

/**
 * Mails the confirmation with the personal link to a reservation's new e-mail address, and replaces the link that the old
 * address received. Does nothing for an empty address, without a prospect record, or where the record has the address.
 * After `MAX_CORRECTION_MAILS` only the link is replaced, since the address that received it is wrong. Call it in the
 * transaction that updates the prospect record, before the update.
 */
export async function mailToNewAddress(
  tx: Kysely<Tables>,
  services: Services,
  reservation: { locationCode: string; reservationCode: string; rentNow?: boolean | undefined },
  email: string,
): Promise<void> {
  const { locationCode, reservationCode } = reservation
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
    // Selects the keys that begin with `once`: '~' sorts after every character of the rest of such a key.
    .where('once', '>=', once)
    .where('once', '<', `${once}~`)
    .executeTakeFirstOrThrow()
  if (Number(sent) >= MAX_CORRECTION_MAILS) return
  const rentNow = reservation.rentNow ?? (await isRentalInProgress(tx, reservation))
  await enqueue(tx, {
    kind: 'reservation_confirmed',
    once: `${once}${services.sealer.fingerprint(emailKey(email), 'reservation mail')}:${sent}`,
    payload: { locationCode, reservationCode, ...(rentNow && { rentNow: true }) },
    runAt: services.clock.now(),
  })
}

/** Returns whether the renter of a reservation chose to move in today. */
async function isRentalInProgress(
  tx: Kysely<Tables>,
  { locationCode, reservationCode }: { locationCode: string; reservationCode: string },
): Promise<boolean> {
  const draft = await tx
    .selectFrom('rental_drafts')
    .select('rent_now')
    .where('location_code', '=', locationCode)
    .where('reservation_code', '=', reservationCode)
    .executeTakeFirst()
  return draft?.rent_now === 1
}
