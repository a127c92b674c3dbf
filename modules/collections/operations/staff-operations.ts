/** A call that was tried, a promise that was made: what the calling list is worked with. */
import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { todayIn } from '../../../domain/dates.ts'
import { format } from '../../../domain/money.ts'
import { callOutcomeNames, PROMISE_DAYS } from '../../../domain/office/past-due.ts'
import { addDays, formatUs, parseUs } from '../../../domain/plain-date.ts'
import { notPastDue, promiseDay, promiseOfSome, promiseTooMuch } from '../../../domain/texts/liens.ts'
import { audit, staffActor } from '../../../platform/audit/audit.ts'
import { type Callers, may, type StaffCaller } from '../../../platform/operations/callers.ts'
import { lines, plainLine } from '../../../platform/operations/input-fields.ts'
import { internalOperation, notOnFile } from '../../../platform/operations/operation.ts'
import { type Refusal, refuse, succeed } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { type LockedLease, lockLease } from '../../leases/lock.ts'
import { holdsForTenant } from '../../staff/tasks.ts'
import { ofLease, signedCents } from '../../standing/adjustments.ts'

const example = { location_code: 'ATL01', tenant_id: 1001, lease_number: 10001 }
const note = v.optional(lines(500), '')

interface Of {
  location_code: string
  tenant_id: number
  lease_number: number
}

/** The lease, locked, of a tenant whom the person may write about; a refusal where it owes nothing. */
async function owingLease(tx: Kysely<Tables>, callers: Callers, of: Of): Promise<LockedLease | Refusal> {
  const staff = callers.staff as StaffCaller
  const tenant = { locationCode: of.location_code, tenantId: of.tenant_id }
  const lease = await lockLease(tx, of)
  if (lease?.tenant_id !== of.tenant_id) return notOnFile
  if (!(await holdsForTenant(tx, staff, 'note.write', tenant))) return notOnFile
  return lease.balance > 0 && lease.status !== 'Closed' ? lease : refuse(409, 'not_past_due', notPastDue)
}

const isRefusal = (answer: LockedLease | Refusal): answer is Refusal => 'ok' in answer

const about = (lease: LockedLease) => ({
  locationCode: lease.location_code,
  tenantId: lease.tenant_id,
  leaseNumber: lease.lease_number,
  permission: 'note.write' as const,
})

export const RecordCall = internalOperation({
  name: 'RecordCall',
  access: { staff: may('note.write') },
  input: v.object({ ...ofLease, outcome: v.picklist(callOutcomeNames, 'Say how it went.'), note }),
  example: { input: { ...example, outcome: 'no answer', note: '' } },
  run: (services, input, callers) =>
    services.db.transaction(async (tx) => {
      const lease = await owingLease(tx, callers, input)
      if (isRefusal(lease)) return lease
      const now = services.clock.now()
      const by = staffActor(callers)
      const call_id = services.random.uuid()
      await tx
        .insertInto('call_attempts')
        .values({
          call_id,
          location_code: lease.location_code,
          tenant_id: lease.tenant_id,
          outcome: input.outcome,
          lease_number: lease.lease_number,
          note: input.note,
          staff_id: by.staff.staffId,
          called_on: todayIn(lease.time_zone, now),
          called_at: now,
        })
        .execute()
      await audit(tx, services, by, {
        kind: 'call.made',
        details: { outcome: input.outcome, note: input.note },
        subject: call_id,
        ...about(lease),
      })
      return succeed({ call_id })
    }),
})

export const MakePromise = internalOperation({
  name: 'MakePromise',
  access: { staff: may('note.write') },
  input: v.object({ ...ofLease, on: v.pipe(plainLine, v.trim()), cents: signedCents, note }),
  example: { input: { ...example, on: '11/27/2026', cents: 12900, note: '' } },
  run: (services, input, callers) =>
    services.db.transaction(async (tx) => {
      const lease = await owingLease(tx, callers, input)
      if (isRefusal(lease)) return lease
      const now = services.clock.now()
      const today = todayIn(lease.time_zone, now)
      const on = parseUs(input.on)
      const wrong = (fields: Record<string, string>) =>
        refuse(400, 'invalid_input', 'Please check the form.', { fields })
      const last = addDays(today, PROMISE_DAYS)
      if (!on || on < today || on > last) return wrong({ on: promiseDay(formatUs(last)) })
      if (input.cents <= 0) return wrong({ cents: promiseOfSome })
      if (input.cents > lease.balance) return wrong({ cents: promiseTooMuch(lease.balance) })
      await writePromise(tx, services, callers, { lease, on, cents: input.cents, note: input.note, today })
      return succeed({ on, cents: input.cents })
    }),
})

/** The newest promise of a lease replaces the one before. A promise is a call, too: the tenant was reached. */
async function writePromise(
  tx: Kysely<Tables>,
  services: Services,
  callers: Callers,
  of: { lease: LockedLease; on: string; cents: number; note: string; today: string },
): Promise<void> {
  const { lease, on, cents, today } = of
  const now = services.clock.now()
  const by = staffActor(callers)
  const key = { location_code: lease.location_code, lease_number: lease.lease_number }
  const written = { tenant_id: lease.tenant_id, note: of.note, staff_id: by.staff.staffId }
  await tx
    .updateTable('payment_promises')
    .set({ replaced_at: now })
    .where((eb) => eb.and(key))
    .where('replaced_at', 'is', null)
    .execute()
  await tx
    .insertInto('payment_promises')
    .values({
      promise_id: services.random.uuid(),
      ...key,
      ...written,
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
      ...key,
      ...written,
      outcome: 'reached',
      called_on: today,
      called_at: now,
    })
    .execute()
  await audit(tx, services, by, {
    kind: 'promise.made',
    details: { amount: format(cents), on: formatUs(on) },
    cents,
    ...about(lease),
  })
}

export const pastDueOperations = [RecordCall, MakePromise]
