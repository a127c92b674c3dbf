import type { Kysely } from 'kysely'
import { validate } from '../../domain/forms/form-rules.ts'
import type { Instant } from '../../domain/time-zone-dates.ts'
import { nextNumber } from '../../platform/database/sequences.ts'
import { enqueue } from '../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import { catchRefusal, refusalError, succeed } from '../../platform/operations/outcome.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { findEmail } from '../accounts/rules/account-forms.ts'
import { appointmentPath, appointmentTokenHash, isAppointmentToken, tokenContext } from './appointment-links.ts'
import { APPOINTMENT_REMINDER_MS } from './rules/reminder-and-grace-times.ts'

/** Key of the number sequence of appointments, which all facilities share. */
const allFacilities = '*'

const firstAppointmentId = 1001

interface AppointmentRequest {
  locationCode: string
  name: string
  email: string
  phone?: string
  /** Start of the appointment; a past time is refused. */
  startsAt: Instant
  /** Whether to mail the link, by default true; false where the demo or the operator delivers it. */
  mail?: boolean
  /** Token of the link where it must be fixed in advance, as in the demo; by default random. */
  token?: string
}

type AppointmentServices = Pick<Services, 'clock' | 'random' | 'publicUrl'> & {
  sealer: Pick<Services['sealer'], 'seal'>
}

/** Id of a created appointment, and the full link that confirms it. */
interface CreatedAppointment {
  appointmentId: number
  link: string
}

const creationError = (why: string) => refusalError(409, 'not_made', why)

/**
 * Creates an appointment, mails the link that confirms it unless `mail` is false, and schedules a reminder for 24 hours
 * before the start if that time is still to come. Runs in the caller's transaction.
 * @throws RefusalError for a blank name, an unknown facility, an invalid e-mail address, a past time, or a token in use
 */
export async function addAppointment(
  tx: Kysely<Tables>,
  services: AppointmentServices,
  request: AppointmentRequest,
): Promise<CreatedAppointment> {
  const now = services.clock.now()
  const name = request.name.trim()
  const validEmail = validate(findEmail, { email: request.email })
  if (name === '') throw creationError('Whose appointment it is, is missing.')
  if (!validEmail.ok) throw creationError(`${request.email} is no e-mail address.`)
  if (!Number.isSafeInteger(request.startsAt) || request.startsAt <= now) throw creationError('The time is past.')
  const location = await tx
    .selectFrom('locations')
    .select('location_code')
    .where('location_code', '=', request.locationCode)
    .executeTakeFirst()
  if (!location) throw creationError(`There is no facility ${request.locationCode}.`)
  const token = request.token ?? services.random.hex(16)
  // Locks the counter, so that of two processes with the same token the second sees the first one's appointment.
  const appointment_id = await nextNumber(tx, allFacilities, 'appointment', firstAppointmentId)
  if (request.token !== undefined && (await isAppointmentToken(tx, request.token)))
    throw creationError('There is an appointment with this token.')
  await tx
    .insertInto('appointments')
    .values({
      appointment_id,
      location_code: request.locationCode,
      name,
      email: validEmail.value.email,
      phone: request.phone ?? '',
      starts_at: request.startsAt,
      token_hash: appointmentTokenHash(token),
      state: 'proposed',
      option: '',
      confirmation_source: '',
      created_at: now,
      answered_at: null,
    })
    .execute()
  // The mails contain the link; the appointment stores only the token's hash.
  const payload = { appointmentId: appointment_id, link: services.sealer.seal(token, tokenContext(appointment_id)) }
  const once = String(appointment_id)
  if (request.mail !== false) await enqueue(tx, { kind: 'appointment_proposed', once, payload, runAt: now })
  const remindAt = request.startsAt - APPOINTMENT_REMINDER_MS
  if (remindAt > now) await enqueue(tx, { kind: 'appointment_reminder', once, payload, runAt: remindAt, now })
  return { appointmentId: appointment_id, link: `${services.publicUrl}${appointmentPath(appointment_id, token)}` }
}

/**
 * Creates an appointment as `addAppointment` does, in a transaction of its own.
 * @returns not ok where `addAppointment` refuses
 */
export async function createAppointment(
  services: AppointmentServices & Pick<Services, 'db'>,
  request: AppointmentRequest,
): Promise<({ ok: true } & CreatedAppointment) | { ok: false; why: string }> {
  const created = await catchRefusal(() =>
    services.db.transaction(async (tx) => succeed(await addAppointment(tx, services, request))),
  )
  return created.ok ? { ok: true, ...created.value } : { ok: false, why: created.message }
}
