import * as v from 'valibot'
import { moveOutDate } from '../../../domain/business.ts'
import { moveOutFeedback } from '../../../domain/forms/portal.ts'
import { addDays, formatUs } from '../../../domain/plain-date.ts'
import { invalidTenantId } from '../../../domain/texts/payment.ts'
import {
  invalidLeaseNumber,
  moveOutCannotBeCancelled,
  moveOutFailed,
  noLeaseFound,
} from '../../../domain/texts/portal.ts'
import { dateOutsideWindow } from '../../../domain/texts/reserve.ts'
import { type Callers, namedTenants, ownTenant, ownTenantNamed } from '../../../platform/operations/callers.ts'
import {
  date,
  flag,
  integer,
  lines,
  locationCode,
  optional,
  textFields,
} from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { refusedDiffering, same } from '../../../platform/operations/stated-values.ts'
import { todayAt } from '../../facilities/facts.ts'
import { noLease, whose } from '../../leases/lease.ts'
import {
  cancelMoveOut,
  keepFeedback,
  type Lease,
  MOST_DAYS_AHEAD,
  scheduleMoveOut,
  tellScheduled,
  VACATE_REASON_ID,
} from '../schedule.ts'

/** The specification's own fields name the lease only; the token then says whose it must be. */
const leaseOfCaller = {
  location_code: locationCode(),
  tenant_id: v.optional(integer(invalidTenantId)),
  lease_number: integer(invalidLeaseNumber),
}

async function leaseFor(
  services: Services,
  input: { location_code: string; tenant_id?: number | undefined; lease_number: number },
  callers: Callers,
): Promise<Lease | undefined> {
  const lease = await services.db.read
    .selectFrom('leases')
    .selectAll()
    .where((eb) => eb.and({ location_code: input.location_code, lease_number: input.lease_number }))
    .executeTakeFirst()
  if (!lease || (input.tenant_id !== undefined && lease.tenant_id !== input.tenant_id)) return undefined
  return callers.tenant && ownTenant(callers.tenant, lease) ? lease : undefined
}

const saved = {
  ...textFields('SaveSuccessful', 'ErrorMessage'),
}

export const ScheduleMoveOut = operation({
  name: 'ScheduleMoveOut',
  summary:
    'Schedules a move-out and turns autopay off. Asking again changes nothing; the answer has the date that holds.',
  access: { tenant: ownTenantNamed },
  input: v.object({
    ...leaseOfCaller,
    /** Left out: tomorrow on the facility's calendar. */
    move_out_date: v.optional(date()),
    vacate_reason_id: v.optional(integer(), VACATE_REASON_ID),
    custom_note: v.optional(lines(1000), ''),
  }),
  output: v.object({
    ...saved,
    scheduledMoveoutDate: v.string(),
  }),
  wrapper: 'ScheduleMoveOut',
  writes: true,
  example: {
    input: {
      location_code: 'ATL01',
      tenant_id: 1001,
      lease_number: 10001,
      move_out_date: '11/21/2026',
      vacate_reason_id: 1,
      custom_note: '',
    },
    output: { SaveSuccessful: 'True', ErrorMessage: '', scheduledMoveoutDate: '11/21/2026' },
  },
  async run(services, input, callers) {
    const [lease, today] = await Promise.all([
      leaseFor(services, input, callers),
      todayAt(services.db.read, services, input.location_code),
    ])
    if (!lease || !today) return noLease()
    const refused = (ErrorMessage: string) =>
      succeed({ SaveSuccessful: 'False', ErrorMessage, scheduledMoveoutDate: '' })
    const on = input.move_out_date ?? moveOutDate(today)
    const [first, last] = [moveOutDate(today), addDays(today, MOST_DAYS_AHEAD)]
    if (on < first || on > last) return refused(dateOutsideWindow(formatUs(first), formatUs(last)))
    const scheduled = await scheduleMoveOut(services, {
      locationCode: lease.location_code,
      leaseNumber: lease.lease_number,
      date: on,
      vacateReasonId: input.vacate_reason_id,
      customNote: input.custom_note,
      feedback: null,
      note: '',
      mail: false,
    })
    if (!scheduled.ok) return refused(moveOutFailed)
    return succeed({ SaveSuccessful: 'True', ErrorMessage: '', scheduledMoveoutDate: formatUs(scheduled.date) })
  },
})

export const CancelScheduleMoveOut = operation({
  name: 'CancelScheduleMoveOut',
  summary: 'Takes a scheduled move-out back; with restore_autopay 1 autopay is again as it was.',
  access: { tenant: ownTenantNamed },
  input: v.object({ ...leaseOfCaller, restore_autopay: v.optional(flag(), false) }),
  output: v.object({ ...saved, autopay: v.string() }),
  writes: true,
  example: {
    input: { location_code: 'AUS01', tenant_id: 1001, lease_number: 10001, restore_autopay: '1' },
    output: { SaveSuccessful: 'True', ErrorMessage: '', autopay: 'False' },
  },
  async run(services, input, callers) {
    const lease = await leaseFor(services, input, callers)
    if (!lease) return noLease()
    const cancelled = await cancelMoveOut(
      services,
      { locationCode: lease.location_code, leaseNumber: lease.lease_number },
      { restore: input.restore_autopay, note: 'The scheduled move-out was cancelled.' },
    )
    return cancelled
      ? succeed({ SaveSuccessful: 'True', ErrorMessage: '', autopay: cancelled.autopay === 'off' ? 'False' : 'True' })
      : succeed({ SaveSuccessful: 'False', ErrorMessage: moveOutCannotBeCancelled, autopay: '' })
  },
})

export const sendScheduleMoveOutEmail = operation({
  name: 'send-schedule-move-out-email',
  summary:
    'Sends the mail about the account’s scheduled move-out, once for each time it is scheduled. Recipient and name come from the record; others are 409.',
  access: { tenant: ownTenantNamed },
  input: v.object({
    /** All three left out: the account's move-out that was scheduled last. */
    location_code: v.optional(locationCode()),
    tenant_id: v.optional(integer(invalidTenantId)),
    lease_number: v.optional(integer(invalidLeaseNumber)),
    tenantEmail: optional(320),
    tenantName: optional(200),
  }),
  output: v.object({
    ...textFields('result', 'message'),
  }),
  writes: true,
  example: {
    input: {
      location_code: 'ATL01',
      tenant_id: 1001,
      lease_number: 10001,
      tenantEmail: 'marcus.tilley@example.com',
      tenantName: 'Marcus Tilley',
    },
    output: { result: 'success', message: '' },
  },
  async run(services, input, callers) {
    const own = callers.tenant ? namedTenants(callers.tenant, input) : []
    if (own.length === 0) return noLease()
    const tenants = await services.db.read
      .selectFrom('tenants')
      .select(['location_code', 'tenant_id', 'first', 'last', 'email'])
      .where((eb) => eb.or(own.map((one) => eb.and({ location_code: one.locationCode, tenant_id: one.tenantId }))))
      .execute()
    // The same person may be another name or address at another facility.
    const wrong = tenants.map((one) =>
      refusedDiffering(input, {
        tenantEmail: same.email(one.email),
        tenantName: same.name(`${one.first} ${one.last}`),
      }),
    )
    const meant = tenants.filter((_, at) => !wrong[at])
    if (meant.length === 0) return wrong[0] ?? noLease()
    const row = await services.db.read
      .selectFrom('move_outs')
      .select('move_out_id')
      .where('state', '=', 'scheduled')
      .where((eb) => eb.or(meant.map((one) => eb.and({ location_code: one.location_code, tenant_id: one.tenant_id }))))
      .$if(input.lease_number !== undefined, (query) => query.where('lease_number', '=', input.lease_number as number))
      .orderBy('created_at', 'desc')
      .orderBy('move_out_id')
      .executeTakeFirst()
    if (!row) return succeed({ result: 'failed', message: noLeaseFound })
    await tellScheduled(services.db.write, row.move_out_id, services.clock.now())
    return succeed({ result: 'success', message: '' })
  },
})

export const postScheduledMoveOuts = operation({
  name: 'POST /api/scheduled_move_outs',
  summary:
    'Keeps the feedback on a move-out: stars, comment, and for 1 to 3 stars reasons. Said again, it replaces the first.',
  access: { tenant: ownTenant },
  input: v.pipe(
    v.object({
      ...whose,
      lease_number: integer(invalidLeaseNumber),
      ...moveOutFeedback.pipe[0].entries,
      comment: v.optional(moveOutFeedback.pipe[0].entries.comment, ''),
    }),
    v.transform(({ star_rating, comment, reasons, ...of }) => ({
      ...of,
      feedback: v.parse(moveOutFeedback, { star_rating, comment, reasons }),
    })),
  ),
  output: v.object({
    location_code: v.string(),
    tenant_id: v.number(),
    lease_number: v.number(),
    star_rating: v.number(),
    comment: v.string(),
    reasons: v.array(v.string()),
  }),
  writes: true,
  example: {
    input: {
      location_code: 'ATL01',
      tenant_id: 1001,
      lease_number: 10001,
      star_rating: 2,
      comment: 'The elevator was slow.',
      reasons: ['Maintenance Issue'],
    },
    output: {
      location_code: 'ATL01',
      tenant_id: 1001,
      lease_number: 10001,
      star_rating: 2,
      comment: 'The elevator was slow.',
      reasons: ['Maintenance Issue'],
    },
  },
  async run(services, { location_code, tenant_id, lease_number, feedback }) {
    const lease = await services.db.read
      .selectFrom('leases')
      .select(['location_code', 'tenant_id', 'lease_number'])
      .where((eb) => eb.and({ location_code, tenant_id, lease_number }))
      .where('status', '!=', 'Closed')
      .executeTakeFirst()
    if (!lease) return noLease()
    await services.db.transaction((tx) => keepFeedback(tx, services, lease, feedback))
    return succeed({ ...lease, ...feedback })
  },
})
