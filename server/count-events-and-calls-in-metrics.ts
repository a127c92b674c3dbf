/** Adapters that count business events, partner calls, errors and security events as metrics and log lines. */
import { currentRequest } from '../platform/current-request.ts'
import { DatabaseUnavailable } from '../platform/database/open.ts'
import type { BusinessEventCounter, BusinessEvents } from '../ports/business-event-counter.ts'
import type { ErrorReporter } from '../ports/errors/errors.ts'
import type { PartnerCall } from '../ports/instrumented.ts'
import type { SecurityLog } from '../ports/security-log/security-log.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'

/** Returns the channel of the current request; 'worker' for chores and jobs. */
function currentChannel(): 'api' | 'office' | 'web' | 'worker' {
  const origin = currentRequest()
  if (!origin || origin.address === '') return 'worker'
  if (origin.operation !== undefined) return 'api'
  return origin.role === 'staff' ? 'office' : 'web'
}

/** Creates a counter of business events that also logs payments and unknown orders. */
export function countBusinessEvents(metrics: Metrics, log: Log, level: 'info' | 'debug'): BusinessEventCounter {
  const counts: { [Event in keyof BusinessEvents]: (details: BusinessEvents[Event]) => void } = {
    payment({ method, payer, outcome, ...details }) {
      metrics.payments.inc({ method, payer, outcome })
      metrics.paymentCents.inc({ method, payer, outcome }, details.cents)
      if (payer === 'move_in' && outcome === 'posted') metrics.moveIns.inc({ channel: currentChannel() })
      log[level]({ ...details, method, payer, outcome }, 'payment')
    },
    reservation: () => metrics.reservations.inc({ channel: currentChannel() }),
    billing({ periods, cents, movedOut }) {
      metrics.billingPeriods.inc(periods)
      metrics.billingCents.inc(Math.max(0, cents))
      metrics.moveOuts.inc(movedOut)
    },
    autopay: (details) => metrics.autopayTries.inc(details),
    audit: (details) => metrics.audits.inc(details),
    unknown_order({ order }) {
      metrics.unknownOrders.inc()
      log.error({ order }, 'the provider charged an order that the books do not have: see reconcile --provider')
    },
  }
  return { count: (event, details) => counts[event](details) }
}

export const partnerMetrics =
  (metrics: Metrics) =>
  ({ party, outcome, ms }: PartnerCall): void => {
    metrics.providerSeconds.observe({ party, outcome }, ms / 1000)
    if (outcome !== 'ok') metrics.providerErrors.inc({ party, outcome })
  }

/** Wraps an error reporter and counts errors in the metrics. */
export const withErrorMetrics = (errors: ErrorReporter, metrics: Metrics): ErrorReporter => ({
  report(error, details) {
    if (error instanceof DatabaseUnavailable) metrics.dbUnavailable.inc({ why: error.why })
    else metrics.errors.inc()
    errors.report(error, details)
  },
})

const signIns: Record<string, string> = {
  'sign_in.succeeded': 'succeeded',
  'sign_in.refused': 'refused',
  'sign_in.locked': 'locked',
}

/** Wraps a security log and counts sign-ins and reached limits in the metrics. */
export const withSecurityMetrics = (security: SecurityLog, metrics: Metrics): SecurityLog => ({
  record(event, details) {
    const outcome = signIns[event]
    if (outcome !== undefined) metrics.signIns.inc({ outcome })
    if (event === 'limit.reached') metrics.limitsHit.inc({ kind: details?.operation ?? 'other' })
    security.record(event, details)
  },
})
