/** The metrics at `/metrics`. Labels have few values, never a tenant, unit or path. Amounts are in cents. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Returns the class of a status: '5xx' for 503. */
export const statusClass = (status: number): string => `${Math.floor(status / 100)}xx`

const PREFIX = 'latchkey_'
/** Time in milliseconds since this process last read the database's gauges, after which they are reset as outdated. */
const GAUGE_LIFETIME_MS = 150_000

/** Default gauges of prom-client that are wrongly named like counters. */
const misnamed = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total']

function instrumentsOf(registry: Registry) {
  const registers = [registry]
  const optionsOf = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) => ({
    name: `${PREFIX}${name}`,
    help,
    registers,
    labelNames: [...labelNames],
  })
  return {
    counter: <Label extends string = never>(name: string, help: string, labels: readonly Label[] = []) =>
      new Counter<Label>(optionsOf(name, help, labels)),
    gauge: <Label extends string = never>(name: string, help: string, labels: readonly Label[] = []) =>
      new Gauge<Label>(optionsOf(name, help, labels)),
    histogram: <Label extends string = never>(
      name: string,
      help: string,
      labels: readonly Label[],
      buckets: number[],
    ) => new Histogram<Label>({ ...optionsOf(name, help, labels), buckets }),
  }
}

type Instruments = ReturnType<typeof instrumentsOf>

const processMetrics = ({ counter, gauge, histogram }: Instruments) => ({
  requests: histogram(
    'http_request_seconds',
    'Time to answer, by kind of address and class of status.',
    ['kind', 'status'],
    [0.001, 0.005, 0.02, 0.1, 0.5, 1, 2, 10],
  ),
  inFlight: gauge('http_in_flight', 'Requests in progress.'),
  shed: counter('http_shed_total', 'Requests refused because too many were in flight.'),
  poolConnections: gauge('db_pool_connections', 'Connections to PostgreSQL, by state.', ['state']),
  poolWaiting: gauge('db_pool_waiting', 'Queries that wait for a connection.'),
  dbUnavailable: counter('db_unavailable_total', 'Requests and chores that found no database.', ['why']),
  dbTrips: histogram('db_trip_seconds', 'Time of one statement.', [], [0.0005, 0.002, 0.01, 0.05, 0.25, 1, 5]),
  providerSeconds: histogram(
    'provider_request_seconds',
    'Duration of a call to a partner.',
    ['party', 'outcome'],
    [0.05, 0.2, 0.5, 1, 2, 5, 10, 30],
  ),
  providerErrors: counter('provider_errors_total', 'Failed calls to a partner.', ['party', 'outcome']),
  errors: counter('errors_total', 'Failures reported.'),
  limitsHit: counter('limits_hit_total', 'Requests refused by a rate limit.', ['kind']),
  clockInDoubt: gauge('clock_suspect', '1 while billing, autopay and expiries wait because the clock is in doubt.'),
  clockSkew: gauge('clock_skew_seconds', 'How far this clock is ahead of the database.'),
  keysMismatch: gauge('keys_mismatch', '1 if this process has other keys than its database needs.'),
  restored: gauge('restored', '1 while nothing is sent or charged because the database was restored.'),
  build: gauge('build_info', 'Always 1.', ['version', 'role']),
})

const businessMetrics = ({ counter }: Instruments) => ({
  reservations: counter('reservations_total', 'Units reserved.', ['channel']),
  moveIns: counter('move_ins_total', 'Leases started.', ['channel']),
  moveOuts: counter('move_outs_total', 'Leases closed by billing.'),
  payments: counter('payments_total', 'Finished orders.', ['method', 'payer', 'outcome']),
  paymentCents: counter('payments_cents_total', 'Amount of finished orders, in cents.', ['method', 'payer', 'outcome']),
  unknownOrders: counter('provider_orders_unknown_total', 'Charges at the provider that the ledger does not have.'),
  billingPeriods: counter('billing_periods_total', 'Periods charged.'),
  billingCents: counter('billing_cents_total', 'Amount charged for periods, in cents.'),
  autopayTries: counter('autopay_tries_total', 'Autopay attempts.', ['outcome']),
  jobsDone: counter('jobs_total', 'Finished jobs.', ['kind', 'outcome']),
  signIns: counter('sign_in_total', 'Sign-in attempts.', ['outcome']),
  audits: counter('audit_total', 'Audit events.', ['kind']),
})

const databaseMetrics = ({ gauge }: Instruments) => ({
  units: gauge('units', 'Units at the last daily snapshot.', ['status']),
  dunning: gauge('dunning_leases', 'Leases past due at the last daily snapshot.', ['stage']),
  paymentsOpen: gauge('payments_open', 'Unfinished orders, by state.', ['state']),
  paymentsOldest: gauge('payments_open_oldest_seconds', 'Age of the oldest unfinished order, since its last change.', [
    'state',
  ]),
  paymentsReview: gauge('payments_review', 'Payments that wait for manual review.'),
  refundsOpen: gauge('refunds_open', 'Refunds that are not finished.'),
  gatesSilent: gauge('gates_silent', 'Connected gates that have not been heard for ten minutes.'),
  gateCodesWaiting: gauge(
    'gate_codes_waiting',
    'Gate codes that the books open and the gate has not taken, by why: late or refused; hours: gates with earlier hours.',
    ['why'],
  ),
  facilitiesBehind: gauge(
    'billing_facilities_behind',
    'Facilities whose yesterday is not billed, or that wait for billing --catch-up.',
  ),
  billingSuccess: gauge('billing_last_success_timestamp_seconds', 'When billing last succeeded.'),
  autopayDue: gauge('autopay_due', 'Due leases on autopay that were not tried.'),
  jobs: gauge('jobs', 'Jobs that wait, run or are dead.', ['kind', 'state']),
  jobsOldest: gauge('jobs_oldest_due_seconds', 'How late the oldest waiting job is.', ['kind']),
  choreSuccess: gauge('chore_last_success_timestamp_seconds', 'When a chore last succeeded.', ['chore']),
  choreSeconds: gauge('chore_seconds', "Duration of a chore's last run.", ['chore']),
  balancesOff: gauge(
    'ledger_balances_off',
    'Leases of the last checked facility whose balance is not the sum of the ledger.',
  ),
  syncStandbys: gauge('sync_standbys', 'Synchronous standbys.'),
  backupSuccess: gauge('backup_last_success_timestamp_seconds', 'When the last backup was recorded; 0 for never.'),
})

/** Creates the registry with all metrics. @param monotonic monotonic clock, in milliseconds */
export function openMetrics(monotonic: () => number = () => performance.now()) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const name of misnamed) registry.removeSingleMetric(name)
  const instruments = instrumentsOf(registry)
  const databaseGauges = databaseMetrics(instruments)
  let readAt = Number.NEGATIVE_INFINITY
  const collectors: (() => void)[] = []
  return {
    contentType: registry.contentType,
    ...processMetrics(instruments),
    ...businessMetrics(instruments),
    /** Gauges of the whole database: one process at a time reads them; the others reset theirs. */
    ofTheDatabase: databaseGauges,
    wasRead() {
      readAt = monotonic()
    },
    /** Registers a function that sets gauges whenever `/metrics` is requested. */
    onCollect: (set: () => void) => void collectors.push(set),
    async text(): Promise<string> {
      if (monotonic() - readAt > GAUGE_LIFETIME_MS) for (const gauge of Object.values(databaseGauges)) gauge.reset()
      for (const set of collectors) set()
      return registry.metrics()
    },
  }
}

export type Metrics = ReturnType<typeof openMetrics>
