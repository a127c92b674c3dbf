import * as v from 'valibot'
import { format } from '../../../domain/money.ts'
import { addDays, formatUs, parseUs } from '../../../domain/plain-date.ts'
import { dollarsNeeded } from '../../../domain/texts/office-refusals.ts'
import { todayIn } from '../../../domain/time-zone-dates.ts'
import { plainLine } from '../../../platform/operations/input-fields.ts'
import { RefusalError, wrongFields } from '../../../platform/operations/outcome.ts'
import { promiseDay, promiseTooMuch } from '../../liens/texts/lien-cases.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { leaseFields, signedCents } from '../../standing/ledger-operation.ts'
import { example, lockOwingLease, note } from '../internal/lock-owing-lease.ts'
import { PROMISE_DAYS } from '../rules/past-due-calls-and-promises.ts'

/** Stores a promise to pay in place of the lease's earlier one, and records a call with the tenant. */
export const MakePromise = officeOperation({
  name: 'MakePromise',
  permission: 'note.write',
  done: 'The promise is noted.',
  input: v.object({
    ...leaseFields,
    /** Promised day, mm/dd/yyyy, at most `PROMISE_DAYS` days ahead. */
    on: v.pipe(plainLine, v.trim()),
    cents: signedCents,
    note,
  }),
  example: { ...example, on: '11/27/2026', cents: 12900, note: '' },
  async work(act, input) {
    const { tx, services, staff } = act
    const lease = await lockOwingLease(act, input)
    const now = services.clock.now()
    const today = todayIn(lease.time_zone, now)
    const on = parseUs(input.on)
    const lastDay = addDays(today, PROMISE_DAYS)
    if (!on || on < today || on > lastDay) throw new RefusalError(wrongFields({ on: promiseDay(formatUs(lastDay)) }))
    const { cents } = input
    if (cents <= 0) throw new RefusalError(wrongFields({ cents: dollarsNeeded }))
    if (cents > lease.balance) throw new RefusalError(wrongFields({ cents: promiseTooMuch(lease.balance) }))
    const leaseKey = { location_code: lease.location_code, lease_number: lease.lease_number }
    const commonFields = { tenant_id: lease.tenant_id, note: input.note, staff_id: staff.staffId }
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
    await act.audit({ kind: 'promise.made', details: { amount: format(cents), on: formatUs(on) }, cents })
    return { on, cents }
  },
})
