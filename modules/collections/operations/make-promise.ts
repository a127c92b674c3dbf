import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { format } from '../../../domain/money.ts'
import { addDays, formatUs, parseUs } from '../../../domain/plain-date.ts'
import { todayIn } from '../../../domain/time-zone-dates.ts'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import type { Callers } from '../../../platform/operations/callers.ts'
import { plainLine } from '../../../platform/operations/input-fields.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { succeed, wrongFields } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { mayAtFacility } from '../../../platform/operations/staff-scope.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import type { LockedLease } from '../../leases/lock-lease.ts'
import { promiseAmountNeeded, promiseDay, promiseTooMuch } from '../../liens/texts/liens.ts'
import { leaseFields, signedCents } from '../../standing/ledger-operation.ts'
import { auditSubject, example, isRefusal, lockOwingLease, note } from '../internal/owing-lease.ts'
import { PROMISE_DAYS } from '../rules/past-due-calls-and-promises.ts'

export const MakePromise = internalOperation({
  name: 'MakePromise',
  done: 'The promise is noted.',
  access: { staff: mayAtFacility('note.write') },
  input: v.object({
    ...leaseFields,
    /** Promised day, mm/dd/yyyy, at most `PROMISE_DAYS` days ahead. */
    on: v.pipe(plainLine, v.trim()),
    cents: signedCents,
    note,
  }),
  example: { input: { ...example, on: '11/27/2026', cents: 12900, note: '' } },
  run: (services, input, callers) =>
    services.db.transaction(async (tx) => {
      const lease = await lockOwingLease(tx, callers, input)
      if (isRefusal(lease)) return lease
      const now = services.clock.now()
      const today = todayIn(lease.time_zone, now)
      const promisedOn = parseUs(input.on)
      const lastDay = addDays(today, PROMISE_DAYS)
      if (!promisedOn || promisedOn < today || promisedOn > lastDay)
        return wrongFields({ on: promiseDay(formatUs(lastDay)) })
      if (input.cents <= 0) return wrongFields({ cents: promiseAmountNeeded })
      if (input.cents > lease.balance) return wrongFields({ cents: promiseTooMuch(lease.balance) })
      await writePromise(tx, services, callers, { lease, on: promisedOn, cents: input.cents, note: input.note, today })
      return succeed({ on: promisedOn, cents: input.cents })
    }),
})

/** Stores a promise to pay, marks the lease's earlier promise as replaced, and records a call with the tenant. */
async function writePromise(
  tx: Kysely<Tables>,
  services: Services,
  callers: Callers,
  promise: { lease: LockedLease; on: string; cents: number; note: string; today: string },
): Promise<void> {
  const { lease, on, cents, today } = promise
  const now = services.clock.now()
  const actor = staffActor(callers)
  const leaseKey = { location_code: lease.location_code, lease_number: lease.lease_number }
  const commonFields = { tenant_id: lease.tenant_id, note: promise.note, staff_id: actor.staff.staffId }
  await tx
    .updateTable('payment_promises')
    .set({ replaced_at: now })
    .where((eb) => eb.and(leaseKey))
    .where('replaced_at', 'is', null)
    .execute()
  await tx
    .insertInto('payment_promises')
    .values({
      promise_id: services.random.uuid(),
      ...leaseKey,
      ...commonFields,
      promised_on: on,
      cents,
      made_on: today,
      made_at: now,
      replaced_at: null,
    })
    .execute()
  await tx
    .insertInto('call_attempts')
    .values({
      call_id: services.random.uuid(),
      ...leaseKey,
      ...commonFields,
      outcome: 'reached',
      called_on: today,
      called_at: now,
    })
    .execute()
  await writeAuditEvent(tx, services, actor, {
    kind: 'promise.made',
    details: { amount: format(cents), on: formatUs(on) },
    cents,
    ...auditSubject(lease),
  })
}
