/** The shipped alert rules and dashboards are valid and use exposed metrics; the database's gauges are right. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { MINUTE } from '../domain/durations.ts'
import { startOfDay } from '../domain/time-zone-dates.ts'
import { runBilling } from '../modules/billing/run-billing.ts'
import { countBalanceMismatches } from '../modules/reports/monitoring-counts.ts'
import { saveDailySnapshots } from '../modules/reports/save-daily-snapshots.ts'
import { collectDatabaseGauges, collectProcessGauges } from '../server/collect-gauges.ts'
import { countBusinessEvents, partnerMetrics } from '../server/count-events-and-calls-in-metrics.ts'
import { openLog } from '../server/log.ts'
import { openMetrics } from '../server/metrics.ts'
import { root } from './structure.ts'
import { describeOnBothEngines } from './support/databases.ts'
import { openTestServices } from './support/small-operator.ts'

const folder = join(root, 'deploy', 'monitoring')
const text = (file: string) => readFileSync(join(folder, file), 'utf8')
const promtool = (words: string[], input = '') => {
  const { status, stdout, stderr } = spawnSync('promtool', words, { cwd: folder, encoding: 'utf8', input })
  return { status, said: `${stdout}${stderr}` }
}
const hasPromtool = spawnSync('promtool', ['--version']).status === 0
if (!hasPromtool) console.log('promtool is missing: rules and metrics are not checked (Debian package prometheus)')

/** Matches metrics of Node and of other exporters, which the rules and dashboards need not use. */
const foreign = /^(node_|process_|nodejs_)/

const metricsIn = (expression: string) => expression.match(/\b(latchkey|node|nodejs|process)_\w+/g) ?? []
const base = (name: string) => name.replace(/_(bucket|count|sum)$/, '')

describe.skipIf(!hasPromtool)('promtool', () => {
  it.each([
    ['check', 'rules', 'alerts.yml'],
    ['test', 'rules', 'alerts_test.yml'],
    ['check', 'config', '--syntax-only', 'prometheus.yml'],
  ])('reports success for %s %s %s', (...words) => {
    const { status, said } = promtool(words)
    expect(said).toContain('SUCCESS')
    expect(status).toBe(0)
  })

  it('finds nothing wrong with the exposed metrics', async () => {
    const metrics = openMetrics()
    countBusinessEvents(metrics, openLog('silent'), 'info').count('reservation', {})
    partnerMetrics(metrics)({ party: 'card', call: 'queryPayment', outcome: 'unavailable', ms: 12 })
    metrics.requests.observe({ kind: 'page', status: '2xx' }, 0.01)
    expect(promtool(['check', 'metrics'], await metrics.text())).toEqual({ status: 0, said: '' })
  })
})

describe('Rules and dashboards', () => {
  let exposed: Set<string>
  beforeAll(async () => {
    exposed = new Set([...(await openMetrics().text()).matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name as string))
  })

  it('name only exposed metrics and all of Latchkey’s own, and dashboards have an id, a source and variables', () => {
    const dashboards = ['overview', 'money'].map((name) => JSON.parse(text(`grafana/${name}.json`)))
    const expressions = [
      ...text('alerts.yml').matchAll(/expr: (.*)/g),
      ...dashboards.flatMap((dashboard) => [
        ...JSON.stringify(dashboard.panels).matchAll(/"expr":"((?:[^"\\]|\\.)*)"/g),
      ]),
    ].map(([, expression]) => expression as string)
    const used = new Set(expressions.flatMap(metricsIn).map(base))
    const unknown = [...used].filter((name) => !exposed.has(name) && !name.startsWith('node_'))
    expect(unknown).toEqual([])
    const unused = [...exposed].filter((name) => !foreign.test(name) && !used.has(name))
    expect(unused).toEqual([])
    for (const { uid, __inputs, templating } of dashboards) {
      expect(uid).toMatch(/^latchkey-/)
      expect(__inputs[0].name).toBe('DS_PROMETHEUS')
      expect(templating.list.map(({ name }: { name: string }) => name)).toEqual(
        expect.arrayContaining(['job', 'instance', 'role']),
      )
    }
  })

  it('state the urgency of each alert and link to its runbook section, and each alert has a test', () => {
    const alerts = text('alerts.yml').split('- alert: ').slice(1)
    expect(alerts.length).toBeGreaterThanOrEqual(18)
    for (const alert of alerts) {
      expect(alert).toMatch(/severity: (page|ticket) /)
      expect(alert).toMatch(/runbook: docs\/running\/runbook\.md#[a-z-]+\n/)
    }
    const tested = new Set(
      [...text('alerts_test.yml').matchAll(/alertname: (\w+), exp_alerts: \[\{/g)].map(([, name]) => name),
    )
    expect(alerts.map((alert) => alert.split('\n')[0]).filter((name) => !tested.has(name))).toEqual([])
  })
})

describeOnBothEngines('The gauges of the database', (open) => {
  it('count open records, and are dropped by a process that no longer reads them', async () => {
    const services = await openTestServices(await open())
    services.errors = { report: () => {} }
    let ms = 0
    const metrics = openMetrics(() => ms)
    const readMetric = async (name: string) =>
      Number(new RegExp(`^latchkey_${name} (\\S+)$`, 'm').exec(await metrics.text())?.[1] ?? Number.NaN)
    const now = services.clock.now()
    await services.db.write
      .insertInto('jobs')
      .values({
        job_id: 'j1',
        kind: 'receipt',
        once: 'x',
        payload: '{}',
        state: 'waiting',
        run_at: now - 60_000,
        attempts: 0,
        created_at: now,
      })
      .execute()
    await collectDatabaseGauges(services, metrics)
    expect(await readMetric('jobs\\{kind="receipt",state="waiting"\\}')).toBe(1)
    expect(await readMetric('jobs_oldest_due_seconds\\{kind="receipt"\\}')).toBe(60)
    expect(await readMetric('billing_facilities_behind')).toBe(2)
    expect(await readMetric('payments_open\\{state="captured"\\}')).toBe(0)
    const end = collectProcessGauges(services, { metrics, keys: [], machine: services.clock })
    expect(await readMetric('db_pool_waiting')).toBe(0)
    end()
    ms = 200_000
    expect(await readMetric('jobs\\{kind="receipt",state="waiting"\\}')).toBeNaN()
    expect(await readMetric('billing_facilities_behind')).toBe(0)
  })

  it('keep the units and past-due leases of the last saved snapshot after a missed day', async () => {
    const services = await openTestServices(await open())
    const metrics = openMetrics(() => 0)
    const readUnits = async () => {
      await collectDatabaseGauges(services, metrics)
      const text = await metrics.text()
      return text.split('\n').filter((line) => /^latchkey_(units|dunning)/.test(line))
    }
    const { clock } = services
    const begin = (day: string) => clock.set(startOfDay('America/New_York', day) + MINUTE)
    for (const day of ['2026-11-20', '2026-11-21']) {
      begin(day)
      await saveDailySnapshots(services)
      await runBilling(services)
    }
    const before = await readUnits()
    expect(before.join()).toMatch(/units\{status="rented"\} [1-9]/)
    begin('2026-11-22')
    // Billing of November 22 runs before the snapshot of November 21, which can then no longer be taken.
    await runBilling(services)
    await saveDailySnapshots(services)
    expect(await readUnits()).toEqual(before)
  })

  it('compare the balances of every facility within a day, however many there are', async () => {
    const services = await openTestServices(await open())
    const { db } = services
    const facility = await db.read
      .selectFrom('locations')
      .selectAll()
      .where('location_code', '=', 'GA1')
      .executeTakeFirstOrThrow()
    for (let index = 0; index < 1500; index += 100)
      await db.write
        .insertInto('locations')
        .values(
          Array.from({ length: 100 }, (_, more) => ({
            ...facility,
            location_code: `X${String(index + more).padStart(4, '0')}`,
            facility_id: 10_000 + index + more,
            slug: `x-${index + more}`,
          })),
        )
        .execute()
    const lease = await db.read.selectFrom('leases').select(['location_code', 'lease_number']).executeTakeFirstOrThrow()
    await sql`update leases set balance = balance + 1 where location_code = ${lease.location_code} and lease_number = ${lease.lease_number}`.execute(
      db.write,
    )
    let mismatches = 0
    for (let minute = 0; minute < 24 * 60 && mismatches === 0; minute++) {
      mismatches = await countBalanceMismatches(services)
      services.clock.advance(60_000)
    }
    expect(mismatches).toBe(1)
  })
})
