/** The prospect record of a reservation (spec 1 §3, §7): written with it, read and completed by the session that holds it. */
import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { toWire } from '../../domain/money.ts'
import { formatUs } from '../../domain/plain-date.ts'
import { reservationNotFound } from '../../domain/texts/reserve.ts'
import type { Callers } from '../../platform/operations/callers.ts'
import { countGuess, guessBounds, wrongGuess } from '../../platform/operations/guesses.ts'
import { date, locationCode, optional, required, uuid } from '../../platform/operations/input-fields.ts'
import { operation } from '../../platform/operations/operation.ts'
import { type Outcome, refuse, succeed } from '../../platform/operations/outcome.ts'
import type { Services } from '../../platform/operations/services.ts'
import { refusedDiffering, same } from '../../platform/operations/stated-values.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { isTenantOfSession, maskContact } from '../tenants/tenant.ts'
import { ensureProspect } from './prospect-record.ts'

const prospect = v.object({
  /** null where the tenant was on file before. */
  tenant_id: v.nullable(v.number()),
  res_code: v.string(),
  location_code: v.string(),
  site_name: v.string(),
  /** Masked where this session only found the reservation. */
  email_address: v.string(),
  cell_phone: v.string(),
  res_status: v.string(),
  /** Of the lease that it became; '' before. */
  lease_status: v.string(),
  reservation_date: v.string(),
  required_date: v.string(),
  /** '' before the move-in. */
  move_in_date: v.string(),
  extra_data: v.object({
    firstName: v.string(),
    lastName: v.string(),
    unitNumber: v.string(),
    unitRent: v.string(),
    unitTypeId: v.number(),
  }),
})

type WireProspect = v.InferInput<typeof prospect>

const prospectExample: WireProspect = {
  tenant_id: 1007,
  res_code: 'K7M2XQ9TRD',
  location_code: 'ATL01',
  site_name: 'Latchkey Ralston Mill',
  email_address: 'd***@e***',
  cell_phone: '******0147',
  res_status: 'active',
  lease_status: '',
  reservation_date: '11/19/2026',
  required_date: '11/24/2026',
  move_in_date: '',
  extra_data: { firstName: 'D***', lastName: 'K***', unitNumber: '219', unitRent: '81.00', unitTypeId: 2 },
}

interface Extra {
  firstName: string
  lastName: string
  unitNumber: string
  /** Cents. */
  unitRent: number
  unitTypeId: number
}

const notFound = () => refuse(404, 'reservation_not_found', reservationNotFound)

async function prospectAnswer(
  services: Services,
  locationCode: string,
  code: string,
  { rental }: Callers,
): Promise<Outcome<WireProspect>> {
  const row = await services.db.read
    .selectFrom('prospects')
    .leftJoin('leases', (join) =>
      join
        .onRef('leases.location_code', '=', 'prospects.location_code')
        .onRef('leases.reservation_code', '=', 'prospects.res_code'),
    )
    .selectAll('prospects')
    .select('leases.status as status_of_lease')
    // Unique by itself: with the location beside it, a PostgreSQL without statistics goes through all of the location's.
    .where('res_code', '=', code)
    .executeTakeFirst()
  if (row?.location_code !== locationCode) return notFound()
  const own =
    rental !== undefined &&
    !rental.existingTenant &&
    row.tenant_id !== null &&
    isTenantOfSession(rental, { location_code: row.location_code, tenant_id: row.tenant_id })
  const { firstName, lastName, unitNumber, unitRent, unitTypeId } = JSON.parse(row.extra_data) as Extra
  const contact = {
    first: firstName,
    last: lastName,
    email: row.email_address,
    cell_phone: row.cell_phone,
    address: '',
    city: '',
    state: '',
    zip: '',
  }
  const shown = own ? contact : maskContact(contact)
  return succeed({
    tenant_id: rental?.existingTenant ? null : row.tenant_id,
    res_code: row.res_code,
    location_code: row.location_code,
    site_name: row.site_name,
    email_address: shown.email,
    cell_phone: shown.cell_phone,
    res_status: row.res_status,
    lease_status: row.status_of_lease ?? row.lease_status,
    reservation_date: formatUs(row.reservation_date),
    required_date: formatUs(row.required_date),
    move_in_date: row.move_in_date ? formatUs(row.move_in_date) : '',
    extra_data: {
      firstName: shown.first,
      lastName: shown.last,
      unitNumber,
      unitRent: toWire(unitRent),
      unitTypeId,
    },
  })
}

export const postProspects = operation({
  name: 'POST /api/prospects',
  summary:
    'The prospect record of this session’s own reservation. Its content comes from the reservation; what is said of it is compared, a difference is 409, and asking again changes nothing.',
  access: {
    rental: (caller, input) => caller.reservationCode === input.res_code && caller.locationCode === input.location_code,
  },
  input: v.object({
    location_code: locationCode(),
    res_code: required(40),
    tenant_id: optional(16),
    site_name: optional(200),
    email_address: optional(254),
    cell_phone: optional(20),
    res_status: optional(20),
    lease_status: optional(20),
    reservation_date: v.optional(date()),
    required_date: v.optional(date()),
    move_in_date: v.optional(date()),
    extra_data: v.optional(
      v.object({
        firstName: optional(60),
        lastName: optional(60),
        unitNumber: optional(20),
        unitRent: optional(20),
        unitTypeId: optional(9),
      }),
    ),
  }),
  output: prospect,
  writes: true,
  example: { input: { location_code: 'ATL01', res_code: 'K7M2XQ9TRD' }, output: prospectExample },
  async run(services, { location_code, res_code, ...said }, callers) {
    const answer = () => prospectAnswer(services, location_code, res_code, callers)
    let known = await answer()
    if (!known.ok && (await ensureProspect(services, location_code, res_code))) known = await answer()
    if (!known.ok) return known
    const ours = known.value
    const extra = refusedDiffering(said.extra_data ?? {}, {
      firstName: same.name(ours.extra_data.firstName),
      lastName: same.name(ours.extra_data.lastName),
      unitNumber: same.text(ours.extra_data.unitNumber),
      unitRent: (rent) => rent === ours.extra_data.unitRent,
      unitTypeId: same.text(ours.extra_data.unitTypeId),
    })
    const wrong = refusedDiffering(
      { ...said, extra_data: extra ? 'differs' : '' },
      {
        tenant_id: same.text(ours.tenant_id),
        site_name: same.text(ours.site_name),
        email_address: same.email(ours.email_address),
        cell_phone: same.phone(ours.cell_phone),
        res_status: same.text(ours.res_status),
        lease_status: same.text(ours.lease_status),
        reservation_date: (day) => formatUs(day) === ours.reservation_date,
        required_date: (day) => formatUs(day) === ours.required_date,
        // The day that it is meant for, until there is a move-in.
        move_in_date: (day) => formatUs(day) === (ours.move_in_date || ours.required_date),
        extra_data: () => extra === null,
      },
    )
    return wrong ?? known
  },
})

export const putProspect = operation({
  name: 'PUT /api/prospects/{reservationCode}',
  summary:
    'Marks the prospect record completed, once the move-in is; until then it stays as it is and says so. Another day than the lease’s is 409.',
  access: { rental: (caller, input) => caller.reservationCode === input.reservationCode },
  input: v.object({
    reservationCode: required(40),
    res_status: v.literal('completed', 'must be completed'),
    move_in_date: v.optional(date()),
  }),
  output: prospect,
  writes: true,
  example: {
    input: { reservationCode: 'K7M2XQ9TRD', res_status: 'completed', move_in_date: '11/20/2026' },
    output: { ...prospectExample, res_status: 'completed', lease_status: 'Current', move_in_date: '11/20/2026' },
  },
  async run(services, { reservationCode, move_in_date }, callers) {
    const locationCode = callers.rental?.locationCode ?? ''
    const lease = await services.db.read
      .selectFrom('leases')
      .select('move_in_date')
      .where('location_code', '=', locationCode)
      .where('reservation_code', '=', reservationCode)
      .executeTakeFirst()
    // What the caller says of the status and the day is never believed: the lease is asked.
    if (lease) {
      const wrong = refusedDiffering({ move_in_date }, { move_in_date: same.day(lease.move_in_date) })
      if (wrong) return wrong
      await services.db.write
        .updateTable('prospects')
        .set({ res_status: 'completed', move_in_date: lease.move_in_date })
        .where('res_code', '=', reservationCode)
        .where('location_code', '=', locationCode)
        .where('res_status', '!=', 'completed')
        .execute()
    }
    return prospectAnswer(services, locationCode, reservationCode, callers)
  },
})

/** The contact that a tenant's active reservations' notices go to. In the caller's transaction. */
export async function updateProspectContact(
  tx: Kysely<Tables>,
  of: { location_code: string; tenant_id: number },
  change: Partial<Record<'email_address' | 'cell_phone', string | undefined>>,
): Promise<void> {
  const set = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  if (Object.keys(set).length === 0) return
  await tx
    .updateTable('prospects')
    .set(set)
    .where('location_code', '=', of.location_code)
    .where('tenant_id', '=', of.tenant_id)
    .where('res_status', '=', 'active')
    .execute()
}

export const prospectResources = [postProspects, putProspect]

export const getProspect = operation({
  name: 'GET /api/prospects/uuid/{uuid}',
  summary: 'Where the reservation of a mailed link is.',
  access: 'anyone',
  input: v.object({ uuid: uuid() }),
  output: v.object({ site_name: v.string(), location_code: v.string(), res_code: v.string() }),
  limit: guessBounds.link.address,
  writes: false,
  example: {
    input: { uuid: '0d60df37-8c54-4584-8c99-6f76986bc85f' },
    output: { site_name: 'Latchkey Ralston Mill', location_code: 'ATL01', res_code: 'K7M2XQ9TRD' },
  },
  async run(services, { uuid }) {
    const limited = await countGuess(services, 'link')
    if (limited) return limited
    const row = await services.db.read
      .selectFrom('prospects')
      .select(['site_name', 'location_code', 'res_code'])
      .where('uuid', '=', uuid.toLowerCase())
      .executeTakeFirst()
    if (row) return succeed(row)
    await wrongGuess(services, 'link')
    return refuse(404, 'reservation_not_found', reservationNotFound)
  },
})
