/**
 * Reserving a unit, and finding a reservation again. A reservation, its unit's hold, its tenant, its prospect record and
 * the rental session behind it are written in one transaction.
 */
import { type InferResult, type Kysely, type Selectable, sql } from 'kysely'
import * as v from 'valibot'
import { RENT_NOW_HOLD_MS } from '../domain/business.ts'
import { endOfDay, wireInstant } from '../domain/dates.ts'
import { type Contact, contact as contactForm, findReservation } from '../domain/forms/reservation.ts'
import { reservationCode, reservationCodeKey } from '../domain/gate-code.ts'
import type { Answers } from '../domain/journey/answers.ts'
import { lastFour, nameKey } from '../domain/phone.ts'
import { formatUs, type IsoDate } from '../domain/plain-date.ts'
import { isWithin, reservationWindow } from '../domain/reservation-window.ts'
import { lastFourDigits, lastNameRequired } from '../domain/texts/fields.ts'
import {
  dateOutsideWindow,
  lookupFailed,
  reservationNotFound,
  reservationNotFoundByName,
  tooManyRentals,
  tooManyReservations,
  unitsNotAvailable,
} from '../domain/texts/reserve.ts'
import { internalServerError } from '../domain/texts/site.ts'
import { enqueue } from '../platform/jobs/queue.ts'
import { isPrivateAddress, networkOf } from '../platform/network.ts'
import type { SharedLimit } from '../platform/rate-limits.ts'
import type { ReservationsTable, Tables, TenantsTable } from '../platform/schema/tables.ts'
import { type Draft, draftOf, draftOfCaller, insertDraft, storedAnswers } from '../site-records/rental-draft.ts'
import { resumeRental } from '../site-records/resumed-rentals.ts'
import { releaseReservation } from './cancellations.ts'
import { countGuess, guessBounds, wrongGuess } from './guesses.ts'
import { holdUnit } from './holds.ts'
import { phoneOf } from './ledger.ts'
import { namedAgent } from './named-agent.ts'
import {
  type Callers,
  done,
  type House,
  type Outcome,
  operation,
  ownTenant,
  type Refusal,
  refuse,
} from './operation.ts'
import { discountAsAgreed, discountFor, type FacilityFacts, facilityFacts, hasBegunMoveIn, rentOf } from './pricing.ts'
import { mailToNewAddress } from './reservation-mail.ts'
import { duplicateNote, matchTenant } from './tenant-match.ts'
import { addNote } from './tenant-notes.ts'
import {
  changeContact,
  enteredBySession,
  insertTenant,
  isOnFile,
  maskedContact,
  type NewTenant,
  tenantRow,
} from './tenants.ts'
import { date, flag, locationCode, optional, required, whole } from './wire.ts'

// ── Reserving ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** For whom: somebody new (a session that has entered its tenant already corrects it); a tenant on file of this facility; an account's tenant of another facility, entered here anew. */
type Renter =
  | { kind: 'new'; contact: Contact; duplicateOf?: number | null }
  | { kind: 'on file'; tenantId: number }
  | { kind: 'from elsewhere'; profile: Selectable<TenantsTable> }

interface Wish {
  locationCode: string
  unitTypeId: number
  moveInDate: IsoDate
  rentNow: boolean
}

export interface Reserved {
  reservation: Selectable<ReservationsTable>
  draft: Draft
}

const perDay = (points: number): SharedLimit => ({ points, perSeconds: 86_400, shared: true })

/** So many units may be taken at one facility in a day, from one network and from all of them. */
const takenFrom = {
  /** Kept to the end of the move-in day without anything paid: a family or an office stays below. */
  reservation: { network: perDay(10), all: perDay(60) },
  /** Rentals begun, which are kept for 24 hours after the last step: more, for a kiosk in the lobby. */
  rental: { network: perDay(20), all: perDay(60) },
}

/** The network, or all of them, has as many as it may: the whole transaction is taken back. */
class TooMany extends Error {
  readonly count: { key: string; limit: SharedLimit }
  constructor(count: { key: string; limit: SharedLimit }) {
    super(count.key)
    this.count = count
  }
}

/** No unit of the type is to be had: the whole transaction is taken back, an earlier reservation stays. */
class NoUnit extends Error {}

/**
 * Reserves a unit for a renter and binds the rental session to it. Asked again by the same session for the same unit type,
 * it keeps the unit and changes the day and the contact; for another type, the first unit is given back.
 * @param draft the session's draft, if it has one
 * @param callers for where they call from: one network may take so many units of a facility in a day (`takenFrom`)
 * @param said answers that go into the draft
 * @returns null where no unit of the type is to be had; 429 with what to do instead where the network has taken too many
 */
async function reserve(
  house: House,
  facts: FacilityFacts,
  wish: Wish,
  renter: Renter,
  draft: Draft | null,
  callers: Callers,
  said: Partial<Answers> = {},
): Promise<Reserved | null | Refusal> {
  const { location, today } = facts
  const type = facts.unitTypes.find((row) => row.unit_type_id === wish.unitTypeId)
  if (!type || location.coming_soon === 1) return null
  const now = house.clock.now()
  const code = reservationCode(house.random.integer)
  const salt = house.random.integer(0, 1_000_000)
  const endOfMoveInDay = endOfDay(location.time_zone, wish.moveInDate)
  const kind = wish.rentNow ? 'rental' : 'reservation'
  // Behind a proxy that TRUST_PROXY does not name, all visitors have one inner address: it counts among all alone.
  const isTold = !isPrivateAddress(callers.address)
  const all = { key: `taken:${kind}:${wish.locationCode}`, limit: takenFrom[kind].all }
  const network = { key: `${all.key}:${networkOf(callers.address)}`, limit: takenFrom[kind].network }
  const counts = [...(isTold ? [network] : []), ...(house.limits.spares(callers.address) ? [] : [all])]
  try {
    return await house.db.transaction(async (tx) => {
      const session = draft && (await lockDraft(tx, house, draft.draftId, wish.locationCode))
      const earlier = session?.reservationCode
        ? await tx
            .selectFrom('reservations')
            .selectAll()
            .where('location_code', '=', wish.locationCode)
            .where('reservation_code', '=', session.reservationCode)
            .executeTakeFirst()
        : undefined
      // A finished rental's session is over; the next unit is a rental of its own.
      const current = earlier?.status === 'completed' ? null : session
      const moveIn = wish.rentNow || (current !== null && hasBegunMoveIn(current))
      const until = wish.rentNow
        ? now + RENT_NOW_HOLD_MS
        : Math.max(endOfMoveInDay, moveIn ? now + RENT_NOW_HOLD_MS : 0)
      const live = current && earlier?.status === 'active' && earlier.hold_until > now ? earlier : null
      const keeps = live?.unit_type_id === wish.unitTypeId ? live : null
      if (live && !keeps)
        await releaseReservation(tx, { locationCode: wish.locationCode, reservationCode: live.reservation_code })
      // Whoever had found the earlier reservation does not come along to the next one.
      if (current?.reservationCode && !keeps)
        await tx
          .updateTable('resumed_rentals')
          .set({ left_at: now })
          .where('draft_id', '=', current.draftId)
          .where('left_at', 'is', null)
          .execute()

      const person = await personFor(tx, wish.locationCode, renter, current)
      const unit = keeps ?? (await holdUnit(tx, { ...wish, reservationCode: code, until, now, salt }))
      if (!unit) throw new NoUnit()
      // One unit for another takes nothing more.
      if (!live)
        for (const { key, limit } of counts)
          if (!(await house.limits.consumeIn(tx, key, limit))) throw new TooMany({ key, limit })
      const tenantId = person.tenantId ?? (await insertTenant(tx, house, wish.locationCode, person.entering))

      const agreed = { required_date: wish.moveInDate, hold_until: until, tenant_id: tenantId }
      const reservation: Selectable<ReservationsTable> = keeps
        ? { ...keeps, ...agreed }
        : {
            ...agreed,
            unit_id: unit.unit_id,
            unit_number: unit.unit_number,
            location_code: wish.locationCode,
            reservation_code: code,
            unit_type_id: wish.unitTypeId,
            status: 'active',
            ...discountAsAgreed(discountFor(facts, wish.unitTypeId)),
            street_rent: type.rent,
            rent: rentOf(type),
            reservation_date: today,
            hold_extended: 0,
            lease_number: null,
            created_at: now,
          }
      if (keeps) {
        await keepOn(tx, reservation)
        const of = { ...wish, reservationCode: keeps.reservation_code }
        await mailToNewAddress(tx, house, of, person.contact.email)
      } else await tx.insertInto('reservations').values(reservation).execute()
      const duplicateOf = (renter.kind === 'new' && renter.duplicateOf) || null
      if (person.entering && duplicateOf !== null)
        await addNote(tx, house, { locationCode: wish.locationCode, tenantId, note: duplicateNote(duplicateOf) })
      await recordProspect(tx, house, facts, reservation, person.contact)
      await enqueue(tx, {
        kind: 'reservation_confirmed',
        once: `${wish.locationCode}:${reservation.reservation_code}`,
        payload: {
          locationCode: wish.locationCode,
          reservationCode: reservation.reservation_code,
          ...(wish.rentNow && { rentNow: true }),
        },
        runAt: now,
      })
      return { reservation, draft: await bindDraft(tx, house, wish, renter, current, reservation, said) }
    })
  } catch (error) {
    if (error instanceof NoUnit) return null
    if (!(error instanceof TooMany)) throw error
    const phone = await phoneOf(house, facts)
    const why = wish.rentNow ? tooManyRentals(phone) : tooManyReservations(phone)
    return refuse(429, 'too_many', why, {
      retryAfter: (await house.limits.retryAfter(error.count.key, error.count.limit)) || 1,
    })
  }
}

/** Counting the version up locks the row on both engines: of two tabs that reserve at once, the second sees the first. */
async function lockDraft(
  tx: Kysely<Tables>,
  house: House,
  draftId: string,
  locationCode: string,
): Promise<Draft | null> {
  const row = await tx
    .updateTable('rental_drafts')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('draft_id', '=', draftId)
    .where('location_code', '=', locationCode)
    .returningAll()
    .executeTakeFirst()
  return row ? draftOf(house, row) : null
}

/** The same reservation for another day or person, its unit held until then. @throws Error where it is active no more */
async function keepOn(tx: Kysely<Tables>, reservation: Selectable<ReservationsTable>): Promise<void> {
  const { location_code, reservation_code, required_date, hold_until, tenant_id } = reservation
  await tx
    .updateTable('reservations')
    .set({ required_date, hold_until, tenant_id })
    .where('location_code', '=', location_code)
    .where('reservation_code', '=', reservation_code)
    .where('status', '=', 'active')
    .returning('reservation_code')
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('units')
    .set({ held_until: hold_until })
    .where('location_code', '=', location_code)
    .where('held_by', '=', reservation_code)
    .where('status', '=', 'held')
    .execute()
}

type NamedContact = Pick<TenantsTable, 'first' | 'last' | 'email' | 'cell_phone'>

/** Whose reservation it is: a tenant that is there already, its contact changed where it may be, or one to be entered. */
async function personFor(
  tx: Kysely<Tables>,
  locationCode: string,
  renter: Renter,
  session: Draft | null,
): Promise<
  | { tenantId: number; entering: null; contact: NamedContact }
  | { tenantId: null; entering: NewTenant; contact: NamedContact }
> {
  if (renter.kind === 'on file') {
    const row = await tenantRow(tx, locationCode, renter.tenantId)
    const contact = row ?? { first: '', last: '', email: '', cell_phone: '' }
    return { tenantId: renter.tenantId, entering: null, contact }
  }
  if (renter.kind === 'from elsewhere') return { tenantId: null, entering: renter.profile, contact: renter.profile }
  const { contact } = renter
  const own = session?.tenantId && (await tenantRow(tx, locationCode, session.tenantId))
  if (own && !(await isOnFile(tx, own))) {
    await changeContact(tx, locationCode, own.tenant_id, contact)
    return { tenantId: own.tenant_id, entering: null, contact }
  }
  const { designated_agent: _, active_military, ...fields } = contact
  return { tenantId: null, entering: { ...fields, active_military: active_military ? 1 : 0 }, contact }
}

/** Writes a reservation's prospect record, or what has changed of it. */
async function recordProspect(
  tx: Kysely<Tables>,
  house: House,
  facts: FacilityFacts,
  reservation: Selectable<ReservationsTable>,
  contact: NamedContact,
): Promise<void> {
  await tx
    .insertInto('prospects')
    .values({
      uuid: house.random.uuid(),
      res_code: reservation.reservation_code,
      location_code: reservation.location_code,
      tenant_id: reservation.tenant_id,
      site_name: facts.location.name,
      email_address: contact.email,
      cell_phone: contact.cell_phone,
      res_status: reservation.status === 'cancelled' ? 'expired' : reservation.status,
      reservation_date: reservation.reservation_date,
      required_date: reservation.required_date,
      extra_data: JSON.stringify({
        firstName: contact.first,
        lastName: contact.last,
        unitNumber: reservation.unit_number,
        unitRent: reservation.rent,
        unitTypeId: reservation.unit_type_id,
      }),
      created_at: house.clock.now(),
      lease_status: '',
      move_in_date: null,
    })
    .onConflict((known) =>
      known.column('res_code').doUpdateSet((eb) => ({
        tenant_id: eb.ref('excluded.tenant_id'),
        email_address: eb.ref('excluded.email_address'),
        cell_phone: eb.ref('excluded.cell_phone'),
        required_date: eb.ref('excluded.required_date'),
        extra_data: eb.ref('excluded.extra_data'),
      })),
    )
    .execute()
}

/** Binds the session's draft to its reservation. The row of one it has is locked (`lockDraft`). */
async function bindDraft(
  tx: Kysely<Tables>,
  house: House,
  wish: Wish,
  renter: Renter,
  current: Draft | null,
  reservation: Selectable<ReservationsTable>,
  said: Partial<Answers>,
): Promise<Draft> {
  const answers: Answers = { ...current?.answers, ...said, moveInDate: wish.moveInDate }
  if (renter.kind === 'new') answers.contact = renter.contact
  delete answers.rentNow
  const bound = {
    tenantId: reservation.tenant_id,
    reservationCode: reservation.reservation_code,
    existingTenant: renter.kind !== 'new',
  }
  if (!current) return insertDraft(tx, house, { ...wish, ...bound, answers })
  const touchedAt = house.clock.now()
  await tx
    .updateTable('rental_drafts')
    .set({
      unit_type_id: wish.unitTypeId,
      tenant_id: bound.tenantId,
      reservation_code: bound.reservationCode,
      existing_tenant: bound.existingTenant ? 1 : 0,
      rent_now: wish.rentNow ? 1 : 0,
      ...storedAnswers(house, current.draftId, answers),
      touched_at: touchedAt,
    })
    .where('draft_id', '=', current.draftId)
    .execute()
  const { unitTypeId, rentNow } = wish
  return { ...current, ...bound, unitTypeId, rentNow, answers: { ...answers, rentNow }, touchedAt }
}

/**
 * The prospect record of a reservation that was made, or brought in, without one. Changes nothing of one that exists.
 * @returns its uuid; null where that facility has no such reservation
 */
export async function ensureProspect(
  house: House,
  locationCode: string,
  reservationCode: string,
): Promise<string | null> {
  const known = await prospectUuid(house.db.read, locationCode, reservationCode)
  // Written with the reservation as a rule; then nobody need wait for the writer.
  if (known) return known
  const facts = (await facilityFacts(house, [locationCode])).get(locationCode)
  if (!facts) return null
  return house.db.transaction(async (tx) => {
    const reservation = await tx
      .selectFrom('reservations')
      .selectAll()
      .where('location_code', '=', locationCode)
      .where('reservation_code', '=', reservationCode)
      .where((eb) =>
        eb.not(eb.exists(eb.selectFrom('prospects').select('uuid').where('prospects.res_code', '=', reservationCode))),
      )
      .executeTakeFirst()
    if (reservation) {
      const tenant = await tenantRow(tx, locationCode, reservation.tenant_id)
      const contact = tenant ?? { first: '', last: '', email: '', cell_phone: '' }
      await recordProspect(tx, house, facts, reservation, contact)
    }
    // Ours, or that of whoever was quicker.
    return prospectUuid(tx, locationCode, reservationCode)
  })
}

async function prospectUuid(db: Kysely<Tables>, locationCode: string, reservationCode: string): Promise<string | null> {
  const known = await db
    .selectFrom('prospects')
    .select(['uuid', 'location_code'])
    // Unique by itself: with the location beside it, a PostgreSQL without statistics goes through all of the location's.
    .where('res_code', '=', reservationCode)
    .executeTakeFirst()
  return known?.location_code === locationCode ? known.uuid : null
}

// ── Operations ────────────────────────────────────────────────────────────────────────────────────────────────────────

const wishFields = {
  location_code: locationCode(),
  unit_type_id: whole(),
  /** mm/dd/yyyy; left out with rent_now, which is today. */
  move_in_date: v.optional(date()),
  rent_now: v.optional(flag(), false),
}

const savedReservation = v.object({
  /** '' when it was saved; 'Units Not Available' where no unit of the type is left. */
  ErrorMessage: v.string(),
  reservationCode: v.string(),
  unitNumber: v.string(),
  /** null where the tenant was on file before and has not signed in. */
  tenantId: v.nullable(v.number()),
  ReservationDate: v.string(),
  RequiredDate: v.string(),
  UnitType: v.string(),
  /** The instant at which the unit is free again, on the facility's clock. */
  HeldUntil: v.string(),
})
type SavedReservation = v.InferInput<typeof savedReservation>

const savedExample: SavedReservation = {
  ErrorMessage: '',
  reservationCode: 'K7M2XQ9TRD',
  unitNumber: '219',
  tenantId: 1042,
  ReservationDate: '11/20/2026',
  RequiredDate: '11/22/2026',
  UnitType: 'CC1010',
  HeldUntil: '2026-11-23T00:00:00-05:00',
}

const nothing = {
  reservationCode: '',
  unitNumber: '',
  tenantId: null,
  ReservationDate: '',
  RequiredDate: '',
  UnitType: '',
  HeldUntil: '',
}

const unitTypeCode = (facts: FacilityFacts, unitTypeId: number) =>
  facts.unitTypes.find((row) => row.unit_type_id === unitTypeId)?.unit_type_code ?? ''

function saved(facts: FacilityFacts, made: Reserved | null | Refusal, showTenant: boolean): Outcome<SavedReservation> {
  if (!made) return done({ ...nothing, ErrorMessage: unitsNotAvailable })
  if ('status' in made) return made
  const { reservation, draft } = made
  return done(
    {
      ErrorMessage: '',
      reservationCode: reservation.reservation_code,
      unitNumber: reservation.unit_number,
      tenantId: showTenant ? reservation.tenant_id : null,
      ReservationDate: formatUs(reservation.reservation_date),
      RequiredDate: formatUs(reservation.required_date),
      UnitType: unitTypeCode(facts, reservation.unit_type_id),
      HeldUntil: wireInstant(facts.location.time_zone, reservation.hold_until),
    },
    { draftId: draft.draftId },
  )
}

/** The facility, the unit type and the day are fit to be reserved; else the refusal. */
async function checkedWish(
  house: House,
  input: { location_code: string; unit_type_id: number; move_in_date?: IsoDate; rent_now: boolean },
): Promise<{ ok: true; facts: FacilityFacts; wish: Wish } | Refusal> {
  const invalid = (fields: Record<string, string>) =>
    refuse(400, 'invalid_input', 'Some fields are missing or not valid.', { fields })
  const facts = (await facilityFacts(house, [input.location_code])).get(input.location_code)
  if (!facts) return invalid({ location_code: 'is not a location where units are let' })
  if (!facts.unitTypes.some((row) => row.unit_type_id === input.unit_type_id)) {
    return invalid({ unit_type_id: 'is not a unit type of this location' })
  }
  const window = reservationWindow(facts.today, facts.location.reservation_window)
  const moveInDate = input.rent_now ? facts.today : input.move_in_date
  if (moveInDate === undefined || !isWithin(window, moveInDate)) {
    return invalid({ move_in_date: dateOutsideWindow(formatUs(window.earliest), formatUs(window.latest)) })
  }
  return {
    ok: true,
    facts,
    wish: {
      locationCode: input.location_code,
      unitTypeId: input.unit_type_id,
      moveInDate,
      rentNow: input.rent_now,
    },
  }
}

/** The draft that this browser began. A rental that it only found stays as it is: what it reserves is a rental of its own. */
const sessionDraft = (house: House, { rental }: Callers): Promise<Draft | null> =>
  draftOfCaller(house, rental?.proof === 'own' ? rental : undefined)

export const SaveReservationDetails_WEB = operation({
  name: 'SaveReservationDetails_WEB',
  summary: 'Reserves a unit of a type for a new tenant and holds it to the end of the move-in day.',
  access: 'anyone',
  input: v.object({ ...wishFields, ...contactForm.entries, c_name: optional(100) }),
  output: savedReservation,
  limit: { points: 120, perSeconds: 3600 },
  writes: true,
  example: {
    input: {
      location_code: 'ATL01',
      unit_type_id: 3,
      rent_now: 1,
      first: 'Daphne',
      last: 'Kessler',
      email: 'daphne.kessler@example.com',
      cell_phone: '6785550147',
      address: '240 Spindle Street NE',
      city: 'Atlanta',
      state: 'GA',
      zip: '30308',
      company: '',
      active_military: '0',
      designated_agent: '0',
    },
    output: savedExample,
  },
  async run(house, { c_name, ...input }, callers) {
    const checked = await checkedWish(house, input)
    if (!checked.ok) return checked
    const { first, last, email, cell_phone, address, city, state, zip, active_military, designated_agent } = input
    const contact: Contact = {
      ...{ first, last, email, cell_phone, address, city, state, zip, active_military, designated_agent },
      company: input.company || c_name,
    }
    const draft = await sessionDraft(house, callers)
    // A session tied to a tenant on file makes a new rental for somebody new and leaves that tenant as it is.
    const tenant = draft?.tenantId ? await tenantRow(house.db.read, draft.locationCode, draft.tenantId) : undefined
    const own =
      draft && tenant && (draft.existingTenant || !(await enteredBySession(house.db.read, draft, tenant)))
        ? null
        : draft
    const made = await reserve(house, checked.facts, checked.wish, { kind: 'new', contact }, own, callers)
    return saved(checked.facts, made, true)
  },
})

export const SaveReservationDetailsForExistingTenants = operation({
  name: 'SaveReservationDetailsForExistingTenants',
  summary:
    'Reserves a unit for a tenant on file: the signed-in one, or the one whose e-mail address, last name and phone digits were given in this rental session. Where they do not match, the answer is the same and the renter is a tenant of their own.',
  access: {
    tenant: () => true,
    rental: (caller, input) => caller.locationCode === input.location_code,
  },
  input: v.object(wishFields),
  output: savedReservation,
  limit: { points: 120, perSeconds: 3600 },
  writes: true,
  example: {
    input: { location_code: 'ATL01', unit_type_id: 3, rent_now: 1 },
    output: savedExample,
  },
  async run(house, input, callers) {
    const checked = await checkedWish(house, input)
    if (!checked.ok) return checked
    const draft = await sessionDraft(house, callers)
    let renter: Renter | null = null
    if (callers.tenant) {
      const [here] = callers.tenant.tenants.filter((one) => one.locationCode === input.location_code)
      const [elsewhere] = callers.tenant.tenants
      if (here) renter = { kind: 'on file', tenantId: here.tenantId }
      else if (elsewhere) {
        const profile = await tenantRow(house.db.read, elsewhere.locationCode, elsewhere.tenantId)
        if (profile) renter = { kind: 'from elsewhere', profile }
      }
    } else if (draft?.answers.contact) {
      const { contact } = draft.answers
      const match = await matchTenant(house, input.location_code, contact)
      // An e-mail address alone proves nothing: the renter becomes a tenant of their own, and the answer is the same.
      renter = match.proven
        ? { kind: 'on file', tenantId: match.proven.tenant_id }
        : { kind: 'new', contact, duplicateOf: match.duplicateOf }
    } else if (draft?.existingTenant && draft.tenantId !== null) {
      renter = { kind: 'on file', tenantId: draft.tenantId }
    }
    if (!renter) return done({ ...nothing, ErrorMessage: internalServerError })
    // The pages ask before; a kiosk takes along whom the tenant has named (Georgia).
    const { wantsAgent, designatedAgent: given } = draft?.answers ?? {}
    const asks = checked.facts.location.state === 'GA' && wantsAgent === undefined && given === undefined
    const designatedAgent = asks && callers.tenant ? await namedAgent(house, callers.tenant) : null
    const said = designatedAgent ? { designatedAgent, wantsAgent: true } : {}
    const made = await reserve(house, checked.facts, checked.wish, renter, draft, callers, said)
    return saved(checked.facts, made, callers.tenant !== undefined)
  },
})

// ── Finding a reservation again ───────────────────────────────────────────────────────────────────────────────────────

const maskedFields = {
  first: v.string(),
  last: v.string(),
  email: v.string(),
  cell_phone: v.string(),
  address: v.string(),
  city: v.string(),
  state: v.string(),
  zip: v.string(),
}

/** A reservation as whoever finds it may see it: contact data masked, an empty field left empty. */
const foundReservation = v.object({
  /** '' when it was found. */
  ErrorMessage: v.string(),
  location_code: v.string(),
  reservationCode: v.string(),
  unitNumber: v.string(),
  /** null where the tenant was on file before and has not signed in. */
  tenantId: v.nullable(v.number()),
  UnitTypeId: v.number(),
  UnitType: v.string(),
  ReservationDate: v.string(),
  RequiredDate: v.string(),
  HeldUntil: v.string(),
  ...maskedFields,
})
type FoundReservation = v.InferInput<typeof foundReservation>

const foundExample: FoundReservation = {
  ErrorMessage: '',
  location_code: 'ATL01',
  reservationCode: 'K7M2XQ9TRD',
  unitNumber: '219',
  tenantId: 1007,
  UnitTypeId: 2,
  UnitType: 'CC0510',
  ReservationDate: '11/19/2026',
  RequiredDate: '11/24/2026',
  HeldUntil: '2026-11-25T00:00:00-05:00',
  first: 'D***',
  last: 'K***',
  email: 'd***@e***',
  cell_phone: '******0147',
  address: '***',
  city: '***',
  state: '***',
  zip: '***',
}

const notFound = (message: string): Outcome<FoundReservation> =>
  done({
    ErrorMessage: message,
    location_code: '',
    reservationCode: '',
    unitNumber: '',
    tenantId: null,
    UnitTypeId: 0,
    UnitType: '',
    ReservationDate: '',
    RequiredDate: '',
    HeldUntil: '',
    first: '',
    last: '',
    email: '',
    cell_phone: '',
    address: '',
    city: '',
    state: '',
    zip: '',
  })

/**
 * The facility's live reservations with what their finders are told and asked: unit type, tenant, and whether the tenant is
 * one to protect (`isOnFile`). One statement, since every look-up needs all of it.
 */
const liveReservations = (house: House, location: string) =>
  house.db.read
    .selectFrom('reservations')
    .innerJoin('tenants', (join) =>
      join
        .onRef('tenants.location_code', '=', 'reservations.location_code')
        .onRef('tenants.tenant_id', '=', 'reservations.tenant_id'),
    )
    .innerJoin('locations', 'locations.location_code', 'reservations.location_code')
    .select('time_zone')
    .leftJoin('unit_types', (join) =>
      join
        .onRef('unit_types.location_code', '=', 'reservations.location_code')
        .onRef('unit_types.unit_type_id', '=', 'reservations.unit_type_id'),
    )
    .select(['reservations.location_code', 'reservation_code', 'reservations.unit_type_id', 'reservations.tenant_id'])
    .select(['unit_number', 'required_date', 'reservation_date', 'hold_until', 'unit_type_code'])
    .select(['first', 'last', 'last_key', 'email', 'cell_phone', 'home_phone', 'work_phone'])
    .select(['tenants.address', 'tenants.city', 'tenants.state', 'tenants.zip'])
    .select((eb) =>
      eb
        .case()
        .when('account_id', 'is not', null)
        .then(1)
        .when(
          eb.exists(
            eb
              .selectFrom('leases')
              .select('leases.lease_number')
              .whereRef('leases.location_code', '=', 'tenants.location_code')
              .whereRef('leases.tenant_id', '=', 'tenants.tenant_id'),
          ),
        )
        .then(1)
        .else(0)
        .end()
        .as('on_file'),
    )
    .where('reservations.location_code', '=', location)
    // Nothing but a condition on what the facility's indexes find: by the index of holds that run out, SQLite would go
    // through every facility's reservations.
    .where(sql<string>`coalesce(reservations.status, '')`, '=', 'active')
    .where(sql<number>`coalesce(hold_until, 0)`, '>', house.clock.now())

type LiveReservation = InferResult<ReturnType<typeof liveReservations>>[number]

/**
 * Starts a rental session on a reservation that was found, and answers what its finder may see.
 * @param more `isTold`: whether the code is answered: it opens what names and digits alone do not
 */
async function opened(
  house: House,
  found: LiveReservation,
  proof: 'link' | 'names',
  { isTold = proof === 'link', callers }: { isTold?: boolean; callers?: Callers } = {},
): Promise<Outcome<FoundReservation>> {
  const owned = callers?.tenant !== undefined && ownTenant(callers.tenant, found)
  const draftId = await resumeRental(house, {
    locationCode: found.location_code,
    unitTypeId: found.unit_type_id,
    tenantId: found.tenant_id,
    reservationCode: found.reservation_code,
    moveInDate: found.required_date,
    existingTenant: found.on_file === 1,
    proof,
  })
  return done(
    {
      ErrorMessage: '',
      location_code: found.location_code,
      reservationCode: isTold ? found.reservation_code : '***',
      unitNumber: found.unit_number,
      tenantId: found.on_file === 0 || owned ? found.tenant_id : null,
      UnitTypeId: found.unit_type_id,
      UnitType: found.unit_type_code ?? '',
      ReservationDate: formatUs(found.reservation_date),
      RequiredDate: formatUs(found.required_date),
      HeldUntil: wireInstant(found.time_zone, found.hold_until),
      ...maskedContact(found),
    },
    { draftId },
  )
}

/** Guessing somebody's four digits from many addresses is stopped by counting against the name that is guessed for. */
const guessesLeft = (house: House, location: string, name: string): Promise<Refusal | null> =>
  countGuess(house, 'reservation', {
    name: `reservation:${house.sealer.fingerprint(`${location}:${nameKey(name)}`, 'limit')}`,
  })

const hasLastFour = (
  tenant: Pick<Selectable<TenantsTable>, 'cell_phone' | 'home_phone' | 'work_phone'>,
  digits: string,
) => [tenant.cell_phone, tenant.home_phone, tenant.work_phone].some((phone) => lastFour(phone) === digits)

export const GetActiveReservation = operation({
  name: 'GetActiveReservation',
  summary: 'Finds the live reservation of a last name and the last 4 digits of its phone; contact data masked.',
  access: 'anyone',
  input: v.object(findReservation.entries),
  output: foundReservation,
  limit: guessBounds.reservation.address,
  writes: true,
  example: {
    input: { location_code: 'ATL01', last_name: 'kessler', phone_last_four: '0147' },
    // The code opens what names and digits do not.
    output: { ...foundExample, reservationCode: '***' },
  },
  async run(house, { location_code, last_name, phone_last_four }, callers) {
    const limited = await guessesLeft(house, location_code, last_name)
    if (limited) return limited
    const named = await liveReservations(house, location_code)
      // Those of the name first: SQLite would else go through all reservations that the facility ever had.
      .where('reservations.tenant_id', 'in', (eb) =>
        eb
          .selectFrom('tenants as named')
          .select('named.tenant_id')
          .where('named.location_code', '=', location_code)
          .where('named.last_key', '=', nameKey(last_name)),
      )
      .orderBy('reservations.created_at', 'desc')
      .orderBy('reservation_code')
      .execute()
    const found = named.find((one) => hasLastFour(one, phone_last_four))
    if (found) return opened(house, found, 'names', { callers })
    await wrongGuess(house, 'reservation')
    return notFound(reservationNotFoundByName)
  },
})

/** A code drawn by us cannot be guessed; one that was brought in from elsewhere might be. */
const isUnguessable = (code: string) => /^[2-9B-DF-HJKMNP-TV-Z]{10}$/.test(code) && /[A-Z]/.test(code)

export const FindReservation = operation({
  name: 'FindReservation',
  summary:
    'Finds a live reservation by its code; contact data masked. A code that could be guessed asks for name and digits too.',
  access: 'anyone',
  input: v.object({
    location_code: locationCode(),
    reservation_code: required(40),
    last_name: optional(60),
    phone_last_four: optional(4),
  }),
  output: foundReservation,
  limit: guessBounds['reservation code'].address,
  writes: true,
  example: {
    input: { location_code: 'ATL01', reservation_code: 'K7M2XQ9TRD' },
    output: foundExample,
  },
  async run(house, input, callers) {
    const code = reservationCodeKey(input.reservation_code)
    const byCodeAlone = isUnguessable(code)
    if (!byCodeAlone && (input.last_name === '' || !/^\d{4}$/.test(input.phone_last_four))) {
      const fields: Record<string, string> = {}
      if (input.last_name === '') fields.last_name = lastNameRequired
      if (!/^\d{4}$/.test(input.phone_last_four)) fields.phone_last_four = lastFourDigits
      return refuse(400, 'invalid_input', lookupFailed, { fields })
    }
    const limited = byCodeAlone
      ? await countGuess(house, 'reservation code')
      : await guessesLeft(house, input.location_code, input.last_name)
    if (limited) return limited
    const found = await liveReservations(house, input.location_code)
      .where('reservation_code', '=', code)
      .executeTakeFirst()
    const proven =
      found &&
      (byCodeAlone || (found.last_key === nameKey(input.last_name) && hasLastFour(found, input.phone_last_four)))
    if (proven) return opened(house, found, byCodeAlone ? 'link' : 'names', { isTold: true, callers })
    await wrongGuess(house, byCodeAlone ? 'reservation code' : 'reservation')
    return notFound(reservationNotFound)
  },
})

/**
 * The personal link of a reservation (spec 1 §2 reservation link): the uuid was mailed, so it is proof enough.
 * @returns with the grant of a rental session; ErrorMessage 'Reservation not found' where there is none that is live
 */
export async function openReservationLink(house: House, uuid: string): Promise<Outcome<FoundReservation>> {
  const prospect = await house.db.read
    .selectFrom('prospects')
    .select(['location_code', 'res_code'])
    .where('uuid', '=', uuid.toLowerCase())
    .executeTakeFirst()
  const found =
    prospect &&
    (await liveReservations(house, prospect.location_code)
      .where('reservation_code', '=', prospect.res_code)
      .executeTakeFirst())
  return found ? opened(house, found, 'link') : notFound(reservationNotFound)
}

/**
 * What a personal link led to that has become a lease; whoever opens it again wants to see their unit.
 * @returns null where there is no such reservation, or it was not rented
 */
export async function rentedByLink(
  house: House,
  uuid: string,
): Promise<{ locationCode: string; reservationCode: string } | null> {
  const row = await house.db.read
    .selectFrom('prospects')
    .innerJoin('reservations', (join) =>
      join
        .onRef('reservations.location_code', '=', 'prospects.location_code')
        .onRef('reservations.reservation_code', '=', 'prospects.res_code'),
    )
    .select(['prospects.location_code', 'reservation_code'])
    .where('uuid', '=', uuid.toLowerCase())
    .where('lease_number', 'is not', null)
    .executeTakeFirst()
  return row ? { locationCode: row.location_code, reservationCode: row.reservation_code } : null
}

/** The facility of a personal link whose reservation was cancelled; null where it was not. */
export async function cancelledByLink(house: House, uuid: string): Promise<string | null> {
  const row = await house.db.read
    .selectFrom('prospects')
    .innerJoin('reservations', (join) =>
      join
        .onRef('reservations.location_code', '=', 'prospects.location_code')
        .onRef('reservations.reservation_code', '=', 'prospects.res_code'),
    )
    .select('prospects.location_code')
    .where('uuid', '=', uuid.toLowerCase())
    .where('reservations.status', '=', 'cancelled')
    .executeTakeFirst()
  return row?.location_code ?? null
}

/**
 * The link itself, for the operator to hand on. One that is brought in from elsewhere, or was made before, gets its uuid here.
 * @param code as the renter has it, in any spelling
 * @returns a path of ours; null where that facility has no live reservation of this code
 */
export async function reservationLink(house: House, locationCode: string, code: string): Promise<string | null> {
  const key = reservationCodeKey(code)
  const found = await liveReservations(house, locationCode).where('reservation_code', '=', key).executeTakeFirst()
  if (!found) return null
  const uuid = await ensureProspect(house, locationCode, key)
  return uuid && `/reservation/${uuid}`
}

/**
 * The facility that `/reservation?rescode=&site=` names: its location code, or its name as the prospect record has it.
 * @returns null where there is none
 */
export async function locationOfSite(house: House, site: string): Promise<string | null> {
  const row = await house.db.read
    .selectFrom('locations')
    .select('location_code')
    .where((eb) => eb.or([eb('location_code', '=', site), eb('name', '=', site), eb('slug', '=', site.toLowerCase())]))
    .orderBy('location_code')
    .executeTakeFirst()
  return row?.location_code ?? null
}

export const reservationOperations = [
  SaveReservationDetails_WEB,
  SaveReservationDetailsForExistingTenants,
  GetActiveReservation,
  FindReservation,
]
