import { createHash, timingSafeEqual } from 'node:crypto'
import type { Kysely, Selectable } from 'kysely'
import { Temporal } from 'temporal-polyfill'
import { validate } from '../../domain/forms/form-rules.ts'
import { formatLong, type IsoDate } from '../../domain/plain-date.ts'
import { formatInstantIn, type Instant, todayIn } from '../../domain/time-zone-dates.ts'
import type { Database } from '../../platform/database/open.ts'
import { nextNumber } from '../../platform/database/sequences.ts'
import { enqueue } from '../../platform/jobs/job-queue.ts'
import { catchRefusal, refusalError, succeed } from '../../platform/operations/outcome.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { AppointmentJob } from '../../platform/schema/job-kinds.ts'
import type { AppointmentsTable, Tables } from '../../platform/schema/tables.ts'
import type { AppointmentConfirmed, PropertyManagement } from '../../ports/appointment-host/appointment-host.ts'
import type { Clock } from '../../ports/clock.ts'
import { findEmail } from '../accounts/rules/account-form.ts'
import { appointmentLink } from '../reservations/rules/reservation-form.ts'
import { CONFIRM, OTHER_TIME } from './rules/appointment-link.ts'
import { APPOINTMENT_GRACE_MS, APPOINTMENT_REMINDER_MS } from './rules/reminder-and-grace-times.ts'

/** Value of `confirmation_source` in mailed links. */
export const confirmationSource = 'email'

/** Returns the hash of an appointment link's token (SHA-256, hex), which is stored instead of the token. */
export const appointmentTokenHash = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Formats an instant as 'Friday, November 20, 2026 at 9:40 PM'. */
export const appointmentTime = (timeZone: string, instant: Instant): string =>
  `${formatLong(todayIn(timeZone, instant))} at ${formatInstantIn(timeZone, instant)}`

const isSameHash = (hash: string, expected: string) =>
  hash.length === expected.length && timingSafeEqual(Buffer.from(hash), Buffer.from(expected))

/**
 * Creates a property-management adapter backed by this program's own database, with the same responses as an external
 * host.
 */
export function embeddedPropertyManagement(parts: { db: Database; clock: Clock }): PropertyManagement {
  const { db, clock } = parts
  const refusal = (error: string): AppointmentConfirmed => ({ appointmentDatetime: '', error })
  return {
    async confirm({ appointmentId, confirmationToken, option, confirmationSource }) {
      const row = await db.read
        .selectFrom('appointments')
        .innerJoin('locations', 'locations.location_code', 'appointments.location_code')
        .select(['starts_at', 'time_zone', 'token_hash'])
        .where('appointment_id', '=', appointmentId)
        .executeTakeFirst()
      // A wrong token and an unknown appointment get the same refusal.
      if (!row || !isSameHash(row.token_hash, appointmentTokenHash(confirmationToken)))
        return refusal('The link is not valid.')
      if (option !== CONFIRM && option !== OTHER_TIME) return refusal('The link is not valid.')
      const now = clock.now()
      if (row.starts_at + APPOINTMENT_GRACE_MS < now) return refusal('The appointment is over.')
      const state = option === OTHER_TIME ? ('other' as const) : ('confirmed' as const)
      const updated = await db.write
        .updateTable('appointments')
        .set({ state, option, confirmation_source: confirmationSource, answered_at: now })
        .where('appointment_id', '=', appointmentId)
        .where('state', '!=', 'cancelled')
        .returning('appointment_id')
        .executeTakeFirst()
      if (!updated) return refusal('The appointment was cancelled.')
      return {
        appointmentDatetime: state === 'other' ? '' : appointmentTime(row.time_zone, row.starts_at),
        error: '',
      }
    },
  }
}

const allFacilities = '*'

const firstAppointmentId = 1001

export const tokenContext = (appointmentId: number) => `appointment:${appointmentId}:token`

/**
 * Returns the path and query of the link that is mailed for an appointment with the property manager.
 * @param option 'confirm' to confirm the appointment, 'other' to ask for another time
 */
export const appointmentPath = (appointmentId: number, token: string, option = CONFIRM): string =>
  `/confirm_appointment?${new URLSearchParams({
    appointment_id: String(appointmentId),
    confirmation_source: confirmationSource,
    confirmation_token: token,
    option,
  })}`

/** Returns the instant of a local time at a facility; null when daylight saving skips that time on the day. */
export function appointmentStart(timeZone: string, day: IsoDate, hour: number, minute: number): Instant | null {
  const local = Temporal.PlainDate.from(day).toPlainDateTime({ hour, minute })
  const start = local.toZonedDateTime(timeZone)
  return start.toPlainDateTime().equals(local) ? start.epochMilliseconds : null
}

interface AppointmentRequest {
  locationCode: string
  name: string
  email: string
  phone?: string
  /** In the future. */
  startsAt: Instant
  /** False when the link is delivered otherwise. */
  mail?: boolean
  /** Token of a link known in advance. */
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

const notMade = (why: string) => refusalError(409, 'not_made', why)

/**
 * Creates an appointment, mails the link that confirms it and schedules a reminder 24 hours before. Runs in the caller's
 * transaction.
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
  if (name === '') throw notMade('Whose appointment it is, is missing.')
  if (!validEmail.ok) throw notMade(`${request.email} is no e-mail address.`)
  if (!Number.isSafeInteger(request.startsAt) || request.startsAt <= now) throw notMade('The time is past.')
  const location = await tx
    .selectFrom('locations')
    .select('location_code')
    .where('location_code', '=', request.locationCode)
    .executeTakeFirst()
  if (!location) throw notMade(`There is no facility ${request.locationCode}.`)
  const token = request.token ?? services.random.hex(16)
  // Locks the counter, so that of two processes with the same token the second sees the first one's appointment.
  const appointment_id = await nextNumber(tx, allFacilities, 'appointment', firstAppointmentId)
  if (request.token !== undefined && (await isAppointmentToken(tx, request.token)))
    throw notMade('There is an appointment with this token.')
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
  // With less than a day to go, the first mail is enough.
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

/** Returns whether an appointment's link has this token. */
export async function isAppointmentToken(db: Database['read'], token: string): Promise<boolean> {
  const row = await db
    .selectFrom('appointments')
    .select('appointment_id')
    .where('token_hash', '=', appointmentTokenHash(token))
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Returns the data of an appointment's mails; null when the appointment is over, cancelled, or another time was
 * requested.
 */
export async function loadAppointmentMail(
  services: Services,
  job: AppointmentJob,
): Promise<{ appointment: Selectable<AppointmentsTable>; paths: { confirm: string; other: string } } | null> {
  const appointment = await services.db.read
    .selectFrom('appointments')
    .selectAll()
    .where('appointment_id', '=', job.appointmentId)
    .where('state', 'in', ['proposed', 'confirmed'])
    .where('starts_at', '>', services.clock.now())
    .executeTakeFirst()
  if (!appointment) return null
  const token = services.sealer.open(job.link, tokenContext(job.appointmentId))
  return {
    appointment,
    paths: {
      confirm: appointmentPath(job.appointmentId, token),
      other: appointmentPath(job.appointmentId, token, OTHER_TIME),
    },
  }
}

export const { appointment_id, confirmation_token, option, confirmation_source } = appointmentLink.entries
