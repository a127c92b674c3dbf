import { setTimeout as pause } from 'node:timers/promises'
import { addDays } from '../../domain/plain-date.ts'
import { todayIn } from '../../domain/time-zone-dates.ts'
import { runBilling } from '../../modules/billing/run-billing.ts'
import { loadGateAccess } from '../../modules/gate/assign-and-activate-gate-codes.ts'
import { setOverride } from '../../modules/gate/gate-overrides.ts'
import { type Database, openDatabase } from '../../platform/database/open.ts'
import type { Services } from '../../platform/operations/services.ts'
import { systemRandom } from '../../server/system-clock-and-random.ts'
import {
  type DemoTenant,
  leaseOf,
  loadDemoTenants,
  openCardPage,
  queryOrderUntilFinal,
  signIn,
} from '../actors/payer.ts'
import { availableKinds, rentByCard } from '../actors/renter.ts'
import type { Site } from '../actors/run-site-process.ts'
import { StaffMember } from '../actors/staff-member.ts'
import { addressOf, payAtCardPage, type Reach, Visitor } from '../actors/visitor-http-client.ts'
import { prepareIdenticalServers } from '../faults/prepare-servers-on-shared-database.ts'
import { addLeasesWithGateCodes } from '../support/add-leases-with-gate-codes.ts'
import { type ControllerList, ModelController } from '../support/model-gate-controller.ts'
import { createPostgresDatabase, setup, teardown, temporaryFolder } from '../support/postgres.ts'
import { testServicesOn } from '../support/small-operator.ts'
import type { Drill } from './drill-definition.ts'

/** Maximum median of the time from an act to its effect at the door. */
const MAX_MEDIAN_MS = 2000
/** Maximum 99th percentile of the time from an act to its effect at the door. */
const MAX_P99_MS = 5000
/** Maximum time until all codes of a facility agree after an import or an absence. */
const MAX_RECOVERY_MS = 10_000
/** Maximum response time of a request with a revoked key. */
const MAX_REVOKED_MS = 1000
const ABSENCE_MS = 72 * 3_600_000
/** Facility of the tenants. */
const TENANTS_AT = 'ATL01'
/** Facility of the renters, where each round is billed for another day. */
const RENTERS_AT = 'SAV01'
/** Minute of the day at which doors are compared. */
const NOON = 12 * 60

type Log = (line: string) => void
type PickSite = () => Site

/** A controller of one gate. Each poll asks a random process, at the interval that the last list states. */
class PollingController {
  readonly doors = new ModelController()
  readonly facility: string
  readonly #token: string
  readonly #pickSite: PickSite
  readonly #db: Database
  readonly #waiting = new Set<{ isMet: () => boolean; done: () => void }>()
  #pollMs = 2000
  /** Time of the site's clock in the last list, in epoch milliseconds. */
  siteTime = 0
  #running: Promise<void> | null = null
  #stopping = new AbortController()
  /** Number of acknowledgements that the site stored at the same poll, at the next poll, or not by then. */
  readonly acknowledged = { atOnce: 0, atTheNext: 0, later: 0 }
  /** Number of successive polls whose acknowledgement was not stored. */
  #unstored = 0

  constructor(options: { facility: string; token: string; pickSite: PickSite; db: Database }) {
    this.facility = options.facility
    this.#token = options.token
    this.#pickSite = options.pickSite
    this.#db = options.db
  }

  /**
   * Polls once. A response of 503 changes nothing.
   * @throws Error for a status other than 200, 304 and 503
   */
  async poll(): Promise<void> {
    const acknowledgedEtag = this.doors.etag
    const headers: Record<string, string> = { authorization: `Bearer ${this.#token}` }
    if (acknowledgedEtag !== '') headers['if-none-match'] = acknowledgedEtag
    const answer = await fetch(`${this.#pickSite().url}/api/gate/${this.facility}/state`, { headers })
    const text = await answer.text()
    if (answer.status === 200) {
      const list = JSON.parse(text) as ControllerList & { poll_s: number; now: string }
      this.#pollMs = list.poll_s * 1000
      this.siteTime = Date.parse(list.now)
      this.doors.receive(list)
    } else if (answer.status === 503) return
    else if (answer.status !== 304) throw new Error(`The gate was answered ${answer.status}: ${text}`)
    for (const waiter of this.#waiting) if (waiter.isMet()) waiter.done()
    if (acknowledgedEtag !== '') await this.#countAcknowledgement(acknowledgedEtag)
  }

  /** Counts whether the site has stored that the acknowledged list is in force at the gate. */
  async #countAcknowledgement(etag: string): Promise<void> {
    const gate = await this.#db.read
      .selectFrom('gates')
      .select(['epoch', 'applied_version'])
      .where('location_code', '=', this.facility)
      .executeTakeFirstOrThrow()
    if (`"${gate.epoch}-${gate.applied_version}"` === etag) {
      if (this.#unstored === 0) this.acknowledged.atOnce += 1
      else if (this.#unstored === 1) this.acknowledged.atTheNext += 1
      this.#unstored = 0
    } else {
      this.#unstored += 1
      if (this.#unstored === 2) this.acknowledged.later += 1
    }
  }

  start(): void {
    this.#stopping = new AbortController()
    const { signal } = this.#stopping
    this.#running = (async () => {
      while (!signal.aborted) {
        await this.poll()
        await pause(this.#pollMs, undefined, { signal }).catch(() => undefined)
      }
    })()
    // `stop` throws a failure of the run.
    this.#running.catch(() => undefined)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  /**
   * Resolves once a condition on the list in force is met.
   * @param name name of the act, for the error
   * @throws Error when the condition is not met within a minute
   */
  async until(name: string, isMet: () => boolean): Promise<void> {
    if (isMet()) return
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const waiter = { isMet, done: () => resolve(true) }
    this.#waiting.add(waiter)
    const inTime = await Promise.race([promise, pause(60_000, false, { ref: false })])
    this.#waiting.delete(waiter)
    if (!inTime) throw new Error(`The gate has not heard of it in a minute: ${name}`)
  }

  opens = (code: string): boolean => this.doors.opens(code, 0, NOON)
}

/** Returns the codes for which the door opens and the site's records say that it must not, or the reverse. */
const findDifferingCodes = async (db: Database, { facility, doors }: PollingController, now: number) =>
  doors.findDifferingCodes(await loadGateAccess(db.read, facility, now), 0, NOON)

/** Returns the median and the 99th percentile of times, in whole milliseconds. */
function figuresOf(times: readonly number[]): { median: number; p99: number } {
  const sorted = times.map(Math.round).sort((a, b) => a - b)
  return { median: sorted[sorted.length >> 1] ?? 0, p99: sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0 }
}

/** Does acts on the site's pages and API, bills days, and measures the time from each act's end until it shows at the door. */
class Acts {
  /** Measured times in milliseconds, by name of the act. */
  readonly times = new Map<string, number[]>()
  readonly #reach: Reach
  readonly #staff: StaffMember
  readonly #db: Database
  readonly #services: Services
  #visitors = 0

  constructor(options: { reach: Reach; staff: StaffMember; db: Database; services: Services }) {
    this.#reach = options.reach
    this.#staff = options.staff
    this.#db = options.db
    this.#services = options.services
  }

  #visitor = () => {
    this.#visitors += 1
    return new Visitor(this.#reach, addressOf(1_000_000 + this.#visitors), { tries: 3 })
  }

  /** Does an act at a random moment, and waits until `isInForce` returns true, which it must not before the act. */
  async #measure(
    name: string,
    controller: PollingController,
    act: () => Promise<unknown>,
    isInForce: () => boolean,
  ): Promise<void> {
    await pause(systemRandom.integer(0, 2000))
    if (isInForce()) throw new Error(`The door is as after it already: ${name}`)
    await act()
    const from = performance.now()
    await controller.until(name, isInForce)
    this.times.set(name, [...(this.times.get(name) ?? []), performance.now() - from])
  }

  #loadCode = async ({ location_code, lease_number }: Pick<DemoTenant, 'location_code' | 'lease_number'>) =>
    (
      await this.#db.read
        .selectFrom('leases')
        .select('gate_code')
        .where((eb) => eb.and({ location_code, lease_number }))
        .executeTakeFirstOrThrow()
    ).gate_code

  /** Lifts a past-due tenant's overlock, ends the lift, pays, which ends the overlock, and refunds the payment. */
  async pastDue(tenant: DemoTenant, controller: PollingController): Promise<void> {
    const file = `/office/tenants/${tenant.location_code}/${tenant.tenant_id}`
    const code = await this.#loadCode(tenant)
    const isOpen = () => controller.opens(code)
    const isShut = () => !controller.opens(code)
    const reason = 'Asked on the phone'
    const lift = () => this.#staff.press(`${file}/gate`, `lift ${tenant.lease_number}`, { reason })
    await this.#measure('lift', controller, lift, isOpen)
    const endLift = () => this.#staff.press(`${file}/gate`, /end [\w-]{36}/, { reason })
    await this.#measure('end the lift', controller, endLift, isShut)
    const visitor = this.#visitor()
    if (!(await signIn(visitor, tenant.username))) throw new Error('The past-due tenant cannot sign in')
    const { orderId, url, code: refused } = await openCardPage(visitor, leaseOf(tenant))
    if (orderId === '') throw new Error(`The past-due tenant cannot pay: ${refused}`)
    await payAtCardPage(url, 'visa')
    const pay = async () => {
      const state = await queryOrderUntilFinal(visitor, orderId)
      if (state !== 'APPROVED') throw new Error(`The payment is ${state}`)
    }
    await this.#measure('pay', controller, pay, isOpen)
    const refund = `${file}/leases/${tenant.lease_number}/refund?order=${orderId}`
    const overlock = () => this.#staff.pressMoney(refund, { reason: 'charged-twice', afterwards: 'owed' })
    await this.#measure('overlock', controller, overlock, isShut)
  }

  /** Suspends a tenant's code, ends the suspension, and replaces the code. */
  async current(tenant: DemoTenant, controller: PollingController): Promise<void> {
    const page = `/office/tenants/${tenant.location_code}/${tenant.tenant_id}/gate`
    const code = await this.#loadCode(tenant)
    const reason = 'Asked on the phone'
    const isOpen = () => controller.opens(code)
    const isShut = () => !controller.opens(code)
    await this.#measure('suspend', controller, () => this.#staff.press(page, 'suspend', { reason }), isShut)
    const endSuspension = () => this.#staff.press(page, /end [\w-]{36}/, { reason })
    await this.#measure('end the suspension', controller, endSuspension, isOpen)
    let next = ''
    const change = async () => {
      const { html } = await this.#staff.press(page, 'code', { reason })
      next = (/<p class="figure num">(\d{3} \d{3})</.exec(html)?.[1] ?? '').replace(' ', '')
      if (next === '') throw new Error('The office shows no new code')
    }
    const isChanged = () => next !== '' && isShut() && controller.opens(next)
    await this.#measure('change the code', controller, change, isChanged)
  }

  /** Rents a unit, schedules its move-out, and bills the day on which the renter moves out. */
  async renter(round: number, controller: PollingController): Promise<void> {
    const kinds = availableKinds.filter((kind) => kind.code === RENTERS_AT)
    const kind = kinds[round % kinds.length]
    if (!kind) throw new Error(`Nothing is free at ${RENTERS_AT}`)
    let code = ''
    let lease = 0
    const sign = async () => {
      const result = await rentByCard(this.#visitor(), { kind, card: 'visa', email: `gate-${round}@example.com` })
      if (result.end !== 'moved in') throw new Error(`The renter ended so: ${result.end}`)
      code = result.gateCode ?? ''
      lease = Number(result.leaseNumber)
    }
    await this.#measure('sign', controller, sign, () => code !== '' && controller.opens(code))
    const { tenant_id } = await this.#db.read
      .selectFrom('leases')
      .select('tenant_id')
      .where('location_code', '=', RENTERS_AT)
      .where('lease_number', '=', lease)
      .executeTakeFirstOrThrow()
    const page = `/office/tenants/${RENTERS_AT}/${tenant_id}/leases/${lease}/move-out`
    await this.#staff.press(page, 'schedule', { reason: 'Moves away' })
    const date = addDays(todayIn('America/New_York', this.#services.clock.now()), 1 + round)
    const leave = async () => {
      const { movedOut } = await runBilling(this.#services, { locationCode: RENTERS_AT, date })
      if (movedOut !== 1) throw new Error(`The night moved ${movedOut} renters out`)
    }
    await this.#measure('move out', controller, leave, () => !controller.opens(code))
  }
}

/** A drill with three processes on one PostgreSQL: tenants, renters, staff members and controllers use any of them. */
export default {
  about:
    'A gate agrees with the books two seconds after an act in the middle and five at worst, asking three processes, and a revoked key is refused by each of them at its next request.',
  needs: ['initdb'],
  options: { rounds: { type: 'string', default: '10' }, codes: { type: 'string', default: '1000' } },
  async run({ rounds, codes }, log) {
    setup()
    const violations: string[] = []
    const databaseUrl = await createPostgresDatabase('latchkey_gate')
    const servers = await prepareIdenticalServers(3, { databaseUrl })
    const { sites } = servers
    const pickSite = () => sites[systemRandom.integer(0, sites.length - 1)] as Site
    const reach: Reach = {
      get url() {
        return pickSite().url
      },
    }
    /** Milliseconds by which the site's clock is ahead. */
    let ahead = 0
    const clock = { now: () => Date.now() + ahead }
    let db: Database | null = null
    try {
      await Promise.all(sites.map((site) => site.start()))
      const openedDb = await openDatabase({ url: databaseUrl, dataDir: temporaryFolder() })
      db = openedDb
      const services: Services = { ...testServicesOn(openedDb), clock, random: systemRandom }
      const staff = new StaffMember(reach, addressOf(2_000_000))
      await staff.signIn('owner', clock.now())
      const token = await makeKey(staff)
      const tenantsGate = new PollingController({ facility: TENANTS_AT, token, pickSite, db: openedDb })
      const rentersGate = new PollingController({ facility: RENTERS_AT, token, pickSite, db: openedDb })
      await tenantsGate.poll()
      await rentersGate.poll()

      const acts = new Acts({ reach, staff, db: openedDb, services })
      await doRounds({ db: openedDb, acts, tenantsGate, rentersGate, rounds: Number(rounds) })
      for (const controller of [tenantsGate, rentersGate]) {
        const { atOnce, atTheNext, later } = controller.acknowledged
        log(`acknowledged: ${atOnce} at the contact, ${atTheNext} at the next, ${later} later`)
        if (later > 0) violations.push(`${later} acknowledgements were not stored by the next contact`)
      }
      violations.push(...judge(acts.times, log))
      for (const controller of [tenantsGate, rentersGate]) {
        await controller.poll()
        const differing = await findDifferingCodes(openedDb, controller, clock.now())
        if (differing.length > 0)
          violations.push(`The gate of ${controller.facility} disagrees on ${differing.join(', ')}`)
      }

      // As an import would, this adds all codes to a gate that is connected already.
      const [tenantWithLease] = (await loadDemoTenants(openedDb)).filter(
        (tenant) => tenant.location_code === RENTERS_AT,
      )
      if (!tenantWithLease) throw new Error(`${RENTERS_AT} has no tenant`)
      const { location_code, tenant_id, lease_number } = tenantWithLease
      await openedDb.transaction((tx) => addLeasesWithGateCodes(tx, Number(codes), { location_code, lease_number }))
      const measureAgreement = () => waitForAgreement(openedDb, rentersGate, clock.now)
      const importMs = await measureAgreement()
      log(`${codes} codes brought in agree after ${importMs} ms`)
      if (importMs > MAX_RECOVERY_MS) violations.push(`${codes} codes brought in took ${importMs} ms`)

      // The codes are suspended, and the gate gets no list while the site's clock advances by 72 hours.
      const closing = { locationCode: location_code, tenantId: tenant_id, leaseNumber: null, reason: 'Asked' }
      const until = clock.now() + 2 * ABSENCE_MS
      await openedDb.transaction((tx) =>
        setOverride(tx, services, { ...closing, kind: 'suspended', until, staffId: 's' }),
      )
      await Promise.all(sites.map((site) => site.end('SIGTERM')))
      ahead = ABSENCE_MS
      await Promise.all(sites.map((site) => site.start(clock.now())))
      const backMs = await measureAgreement()
      log(`${codes} codes agree ${backMs} ms after the gate is back`)
      if (backMs > MAX_RECOVERY_MS) violations.push(`${codes} codes took ${backMs} ms`)
      const closed = await loadGateAccess(openedDb.read, RENTERS_AT, clock.now())
      const shut = closed.filter((entry) => entry.tenantId === tenant_id && !rentersGate.opens(entry.code)).length
      if (shut < Number(codes)) violations.push(`${shut} of ${codes} codes are shut after the absence`)

      // The authenticator app's code must match the site's clock, which lags `clock` by the time of the restart.
      await staff.signIn('owner', rentersGate.siteTime)
      violations.push(...(await revoke({ staff, token, sites, log })))
      return violations
    } finally {
      await db?.close()
      await servers.close()
      await teardown()
    }
  },
} satisfies Drill

/** Creates the controllers' API key in Setup. Returns its token, which the page shows once. */
async function makeKey(staff: StaffMember): Promise<string> {
  const { html } = await staff.press('/office/setup/keys', '', {
    name: 'Gates of the drill',
    role: 'gate',
    scope: 'all',
    calls: '6000',
    reason: 'New controllers',
  })
  const token = /lk_[0-9a-f]{12}_[\w-]{43}/.exec(html)?.[0]
  if (token === undefined) throw new Error('Setup shows no key')
  return token
}

interface Rounds {
  db: Database
  acts: Acts
  tenantsGate: PollingController
  rentersGate: PollingController
  rounds: number
}

/** Does the acts for a past-due tenant, a current one and renters at the same time, while both controllers poll. */
async function doRounds({ db, acts, tenantsGate, rentersGate, rounds }: Rounds): Promise<void> {
  const tenants = await loadDemoTenants(db)
  const findTenant = (unit: string) => {
    const found = tenants.find((tenant) => tenant.location_code === TENANTS_AT && tenant.unit_number === unit)
    if (!found) throw new Error(`${TENANTS_AT} has no tenant of unit ${unit}`)
    return found
  }
  const pastDue = findTenant('332')
  const current = findTenant('318')
  const repeat = async (work: (round: number) => Promise<void>) => {
    for (let round = 0; round < rounds; round += 1) await work(round)
  }
  tenantsGate.start()
  rentersGate.start()
  const ends = await Promise.allSettled([
    repeat(() => acts.pastDue(pastDue, tenantsGate)),
    repeat(() => acts.current(current, tenantsGate)),
    repeat((round) => acts.renter(round, rentersGate)),
  ])
  const stops = await Promise.allSettled([tenantsGate.stop(), rentersGate.stop()])
  // The failure of a gate is thrown first, because acts that wait for the gate then fail too.
  const failed = [...stops, ...ends].find((end) => end.status === 'rejected')
  if (failed) throw failed.reason
}

/** Logs the figures of each act, and returns a violation for each figure above its maximum. */
function judge(timesByAct: ReadonlyMap<string, number[]>, log: Log): string[] {
  const violations: string[] = []
  for (const [name, times] of [...timesByAct, ['all acts', [...timesByAct.values()].flat()] as const]) {
    const { median, p99 } = figuresOf(times)
    log(`${name}: median ${median} ms, 99th ${p99} ms of ${times.length}`)
    if (median > MAX_MEDIAN_MS) violations.push(`The median of ${name} was ${median} ms`)
    if (p99 > MAX_P99_MS) violations.push(`The 99th of ${name} was ${p99} ms`)
  }
  return violations
}

/**
 * Polls every two seconds until the door and the site's records agree on each code of either.
 * @returns milliseconds until then
 * @throws Error when they do not agree within a minute
 */
async function waitForAgreement(db: Database, controller: PollingController, now: () => number): Promise<number> {
  const began = performance.now()
  for (;;) {
    await controller.poll()
    const ms = Math.round(performance.now() - began)
    if ((await findDifferingCodes(db, controller, now())).length === 0) return ms
    if (ms > 6 * MAX_RECOVERY_MS) throw new Error(`The gate of ${controller.facility} does not come to agree`)
    await pause(2000)
  }
}

interface Revocation {
  staff: StaffMember
  token: string
  sites: readonly Site[]
  log: Log
}

/**
 * Revokes a gate controller's key in Setup. Sends a request with it to all processes in parallel, before and after.
 * @returns violations: a process refused the key before the revocation, accepted it afterwards, or responded too slowly then
 */
async function revoke({ staff, token, sites, log }: Revocation): Promise<string[]> {
  const violations: string[] = []
  const request = async (site: Site) => {
    const began = performance.now()
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(`${site.url}/api/gate/${TENANTS_AT}/state`, { headers })
    const text = await answer.text()
    return { status: answer.status, text, ms: Math.round(performance.now() - began) }
  }
  for (const { status, text } of await Promise.all(sites.map(request)))
    if (status !== 200) violations.push(`A working key was answered ${status}: ${text}`)
  await staff.press(`/office/setup/keys/${token.slice(3, 15)}`, 'revoke', { reason: 'The controller was stolen' })
  const after = await Promise.all(sites.map(request))
  for (const { status, ms } of after) {
    log(`the revoked key was answered ${status} after ${ms} ms`)
    if (status !== 401) violations.push(`A revoked key was answered ${status}`)
    if (ms > MAX_REVOKED_MS) violations.push(`A revoked key was refused after ${ms} ms`)
  }
  return violations
}
