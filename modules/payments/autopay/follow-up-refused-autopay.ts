import { DAY } from '../../../domain/durations.ts'
import { cardExpired } from '../../../domain/texts/payment.ts'
import { enqueue } from '../../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { AUTOPAY_ATTEMPTS } from '../../billing/rules/autopay-retries.ts'
import { clearAutopay } from '../../leases/autopay-mandate.ts'
import { lockLeaseRow } from '../../leases/lock-lease-row.ts'
import { updateStanding } from '../../standing/update-standing.ts'
import { addNote } from '../../tenants/add-note.ts'
import { loadRefusedAttempts } from '../order-outcome-and-attempts.ts'
import { loadPayment, type Payment } from '../payment.ts'
import { failureReason } from '../rules/payment-failure-reason.ts'
import { nextAttemptDay } from './charge-autopay.ts'

/** Maximum age in milliseconds of refused autopay attempts that are still followed up with a mail. */
const LOOK_BACK_MS = 10 * DAY

/**
 * ACH return codes after which autopay makes no further attempt: the account is closed, does not exist or cannot be
 * debited, or the debit was stopped or is not authorized.
 */
const finalReturnCodes = new Set(['R02', 'R03', 'R04', 'R05', 'R07', 'R08', 'R10', 'R16', 'R20', 'R29'])

/**
 * Enqueues one mail for each autopay attempt refused within `LOOK_BACK_MS`. Turns autopay off after the last attempt,
 * or if the card has expired or the account cannot be debited again (`finalReturnCodes`), unless the tenant has agreed
 * to autopay since the attempt.
 * @returns the number of refusals followed up
 */
export async function followUpRefusals(services: Services, limit = 200): Promise<number> {
  const refusedPayments = await services.db.read
    .selectFrom('payments')
    .innerJoin('locations', 'locations.location_code', 'payments.location_code')
    .leftJoin('jobs', (join) =>
      join.onRef('jobs.once', '=', 'payments.order_id').on('jobs.kind', '=', 'autopay_refused'),
    )
    .selectAll('payments')
    .select('time_zone')
    .where('payments.state', '=', 'declined')
    .where('payments.updated_at', '>', services.clock.now() - LOOK_BACK_MS)
    .where('payer', '=', 'autopay')
    .where('jobs.job_id', 'is', null)
    .orderBy('payments.updated_at')
    .limit(limit)
    .execute()
  let followedUp = 0
  for (const { time_zone, ...payment } of refusedPayments) {
    if (await followUpRefusal(services, payment.order_id, time_zone)) followedUp += 1
  }
  return followedUp
}

/** Follows up one refused autopay order. Returns whether its mail was enqueued now. */
async function followUpRefusal(services: Services, orderId: string, timeZone: string): Promise<boolean> {
  const payment = await loadPayment(services, orderId)
  return payment !== undefined && (await services.db.transaction((tx) => followUp(tx, services, payment, timeZone)))
}

type Transaction = Parameters<Parameters<Services['db']['transaction']>[0]>[0]

async function followUp(tx: Transaction, services: Services, payment: Payment, timeZone: string): Promise<boolean> {
  const { location_code, lease_number, autopay_period, order_id } = payment
  if (lease_number === null || autopay_period === null) return false
  const lease = await lockLeaseRow(tx, { location_code, lease_number })
  if (!lease) return false
  const attempts = (await loadRefusedAttempts(tx, lease, autopay_period)).filter(
    (attempt) => attempt.created_at <= payment.created_at,
  )
  const code = payment.response_code ?? ''
  const reason = failureReason({ responseCode: code, responseDescription: payment.response_text ?? '' })
  const isFinal =
    attempts.length >= AUTOPAY_ATTEMPTS ||
    (payment.method === 'CC' && reason === cardExpired) ||
    (payment.method === 'ACH' && finalReturnCodes.has(code))
  // Autopay that the tenant agreed to after this attempt stays on.
  const consentedBefore = (lease.autopay_consent_at ?? 0) <= payment.created_at
  const mustTurnOff = isFinal && lease.autopay === 1 && consentedBefore
  const isEnqueued = await enqueue(tx, {
    kind: 'autopay_refused',
    once: order_id,
    payload: {
      orderId: order_id,
      autopayOff: mustTurnOff,
      nextTry: isFinal || lease.autopay !== 1 ? null : nextAttemptDay(autopay_period, attempts, timeZone),
    },
    runAt: services.clock.now(),
  })
  if (!isEnqueued) return false
  if (mustTurnOff) {
    await clearAutopay(tx, services, lease)
    await addNote(tx, services, {
      locationCode: location_code,
      tenantId: lease.tenant_id,
      leaseNumber: lease_number,
      note: `Autopay was switched off: ${reason} (order ${order_id}).`,
    })
    // Without autopay the lease may be due for an overlock, such as when billing has not run for days; the mail states it.
    await updateStanding(tx, services, lease)
  }
  return true
}
