/** What `/metrics` shows. Labels have few values: never a tenant, a unit or a path. Amounts are in cents. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** 503 → '5xx' */
export const statusClass = (status: number): string => `${Math.floor(status / 100)}xx`

const PREFIX = 'latchkey_'
/** Gauges of the whole database come from the process that read them last. */
const KNOWN_MS = 150_000

/** Node's own with names of counters that are none. */
const misnamed = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total']

function instrumentsOf(registry: Registry) {
  const registers = [registry]
  const named = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) => ({
    name: `${PREFIX}${name}`,
    help,
    registers,
    labelNames: [...labelNames],
  })
  return {
    counter: <Label extends string = never>(name: string, help: string, labels: readonly Label[] = []) =>
      new Counter<Label>(named(name, help, labels)),
    gauge: <Label extends string = never>(name: string, help: string, labels: readonly Label[] = []) =>
      new Gauge<Label>(named(name, help, labels)),
    histogram: <Label extends string = never>(
      name: string,
      help: string,
      labels: readonly Label[],
      buckets: number[],
    ) => new Histogram<Label>({ ...named(name, help, labels), buckets }),
  }
}

type Instruments = ReturnType<typeof instrumentsOf>

const ofProcess = ({ counter, gauge, histogram }: Instruments) => ({
  requests: histogram(
    'http_request_seconds',
    'Time to answer, by kind of address and class of status.',
    ['kind', 'status'],
    [0.001, 0.005, 0.02, 0.1, 0.5, 1, 2, 10],
  ),
  inFlight: gauge('http_in_flight', 'Requests being answered.'),
  shed: counter('http_shed_total', 'Requests refused because too many were in flight.'),
  poolConnections: gauge('db_pool_connections', 'Connections to PostgreSQL, by state.', ['state']),
  poolWaiting: gauge('db_pool_waiting', 'Queries that wait for a connection.'),
  dbUnavailable: counter('db_unavailable_total', 'Requests and chores that found no database.', ['why']),
  dbTrips: histogram('db_trip_seconds', 'Time of one statement.', [], [0.0005, 0.002, 0.01, 0.05, 0.25, 1, 5]),
  providerSeconds: histogram(
    'provider_request_seconds',
    'Time of one call of a partner.',
    ['party', 'outcome'],
    [0.05, 0.2, 0.5, 1, 2, 5, 10, 30],
  ),
  providerErrors: counter('provider_errors_total', 'Calls of a partner that failed.', ['party', 'outcome']),
  errors: counter('errors_total', 'Failures reported.'),
  limitsHit: counter('limits_hit_total', 'Calls refused since there were too many.', ['kind']),
  clockInDoubt: gauge('clock_suspect', '1 while billing, autopay and expiries wait because the clock is in doubt.'),
  clockSkew: gauge('clock_skew_seconds', 'How far this clock is ahead of the database.'),
  keysMismatch: gauge('keys_mismatch', '1 where this process has other keys than its database needs.'),
  restored: gauge('restored', '1 while nothing is sent or charged because the database was put back.'),
  build: gauge('build_info', 'Always 1.', ['version', 'role']),
})

const ofTheBusiness = ({ counter }: Instruments) => ({
  reservations: counter('reservations_total', 'Units reserved.', ['channel']),
  moveIns: counter('move_ins_total', 'Leases begun.', ['channel']),
  moveOuts: counter('move_outs_total', 'Leases closed by billing.'),
  payments: counter('payments_total', 'Orders that came to an end.', ['method', 'payer', 'outcome']),
  paymentCents: counter('payments_cents_total', 'Cents of those orders.', ['method', 'payer', 'outcome']),
  unknownOrders: counter('provider_orders_unknown_total', 'Charges of the provider that the books do not have.'),
  billingPeriods: counter('billing_periods_total', 'Periods charged.'),
  billingCents: counter('billing_cents_total', 'Cents charged for periods.'),
  autopayTries: counter('autopay_tries_total', 'Tries of autopay.', ['outcome']),
  jobsDone: counter('jobs_total', 'Jobs that came to an end.', ['kind', 'outcome']),
  signIns: counter('sign_in_total', 'Tries to sign in.', ['outcome']),
  audits: counter('audit_total', 'Events of the audit.', ['kind']),
})

const ofTheDatabase = ({ gauge }: Instruments) => ({
  units: gauge('units', 'Units as of the last day kept.', ['status']),
  dunning: gauge('dunning_leases', 'Leases past due as of the last day kept.', ['stage']),
  paymentsOpen: gauge('payments_open', 'Orders without an end, by state.', ['state']),
  paymentsOldest: gauge('payments_open_oldest_seconds', 'Age of the oldest such order, since it was last moved.', [
    'state',
  ]),
  paymentsReview: gauge('payments_review', 'Payments that wait for a person.'),
  refundsOpen: gauge('refunds_open', 'Refunds on their way.'),
  facilitiesBehind: gauge(
    'billing_facilities_behind',
    'Facilities without a billed yesterday, or waiting for billing --catch-up.',
  ),
  billingSuccess: gauge('billing_last_success_timestamp_seconds', 'When billing last went through.'),
  autopayDue: gauge('autopay_due', 'Leases on autopay that fell due and were not tried.'),
  jobs: gauge('jobs', 'Jobs that wait, run or were given up.', ['kind', 'state']),
  jobsOldest: gauge('jobs_oldest_due_seconds', 'How late the oldest waiting job is.', ['kind']),
  choreSuccess: gauge('chore_last_success_timestamp_seconds', 'When a chore last went through.', ['chore']),
  choreSeconds: gauge('chore_seconds', 'How long its last run took.', ['chore']),
  balancesOff: gauge(
    'ledger_balances_off',
    'Leases of the facility looked at last whose balance is not the sum of its ledger.',
  ),
  syncStandbys: gauge('sync_standbys', 'Standbys that have each commit before it is answered.'),
  backupSuccess: gauge('backup_last_success_timestamp_seconds', 'When the last backup was noted; 0: never.'),
})

/** @param monotonic milliseconds */
export function openMetrics(monotonic: () => number = () => performance.now()) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const name of misnamed) registry.removeSingleMetric(name)
  const instruments = instrumentsOf(registry)
  const whole = ofTheDatabase(instruments)
  let readAt = Number.NEGATIVE_INFINITY
  const before: (() => void)[] = []
  return {
    contentType: registry.contentType,
    ...ofProcess(instruments),
    ...ofTheBusiness(instruments),
    /** Of the whole database: written by one process at a time, and forgotten once another writes them. */
    ofTheDatabase: whole,
    wasRead() {
      readAt = monotonic()
    },
    /** Sets gauges that are read as they are asked for. */
    onAsked: (set: () => void) => void before.push(set),
    async text(): Promise<string> {
      if (monotonic() - readAt > KNOWN_MS) for (const gauge of Object.values(whole)) gauge.reset()
      for (const set of before) set()
      return registry.metrics()
    },
  }
}

export type Metrics = ReturnType<typeof openMetrics>
