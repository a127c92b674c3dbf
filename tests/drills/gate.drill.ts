import { setTimeout as pause } from 'node:timers/promises'
import { addDays } from '../../domain/plain-date.ts'
import { todayIn } from '../../domain/time-zone-dates.ts'
import { runBilling } from '../../modules/billing/run-billing.ts'
import { loadGateAccess } from '../../modules/gate/gate-codes.ts'
import { setOverride } from '../../modules/gate/gate-overrides.ts'
import { type Database, openDatabase } from '../../platform/database/open.ts'
import type { Services } from '../../platform/operations/services.ts'
import { systemRandom } from '../../server/system-clock.ts'
import { type DemoTenant, demoTenants, leaseOf, openCardPage, settle, signIn } from '../actors/payer.ts'
import { availableKinds, rentByCard } from '../actors/renter.ts'
import type { Site } from '../actors/site.ts'
import { StaffMember } from '../actors/staff-member.ts'
import { addressOf, payAtCardPage, type Reach, Visitor } from '../actors/visitor.ts'
import { identicalServers } from '../faults/identical-servers.ts'
import { addGateCodes } from '../support/gate-codes.ts'
import { type ControllerList, ModelController } from '../support/model-gate-controller.ts'
import { createPostgresDatabase, setup, teardown, temporaryFolder } from '../support/postgres.ts'
import { testServicesOn } from '../support/small-operator.ts'
import type { Drill } from './drill.ts'

const MOST_MEDIAN_MS = 2000
const MOST_P99_MS = 5000
const MOST_BACK_MS = 10_000
const MOST_REVOKED_MS = 1000
const AWAY_MS = 72 * 3_600_000
/** Facility of the tenants, and facility of the renters, where each round is billed for another day. */
const TENANTS_AT = 'ATL01'
const RENTERS_AT = 'SAV01'
const noon = 12 * 60

type Log = (line: string) => void
type PickSite = () => Site

/** A controller of one gate that asks any process every two seconds, as the protocol says. */
class PollingController {
  readonly doors = new ModelController()
  readonly facility: string
  readonly #token: string
  readonly #anyone: PickSite
  readonly #db: Database
  readonly #waiting = new Set<{ holds: () => boolean; done: () => void }>()
  #pollMs = 2000
  /** Time that the site's clock showed in its last list. */
  told = 0
  #running: Promise<void> | null = null
  #stopping = new AbortController()
  /** Contacts that named a list: how many were stored at once, and how many only by the next one. */
  readonly acknowledged = { atOnce: 0, atTheNext: 0, later: 0 }
  #unstored = 0

  constructor(of: { facility: string; token: string; anyone: PickSite; db: Database }) {
    this.facility = of.facility
    this.#token = of.token
    this.#anyone = of.anyone
    this.#db = of.db
  }

  /** Asks once. A process whose database is busy is asked again at the next turn. */
  async ask(): Promise<void> {
    const named = this.doors.etag
    const headers: Record<string, string> = { authorization: `Bearer ${this.#token}` }
    if (named !== '') headers['if-none-match'] = named
    const answer = await fetch(`${this.#anyone().url}/api/gate/${this.facility}/state`, { headers })
    const text = await answer.text()
    if (answer.status === 200) {
      const list = JSON.parse(text) as ControllerList & { poll_s: number; now: string }
      this.#pollMs = list.poll_s * 1000
      this.told = Date.parse(list.now)
      this.doors.receive(list)
    } else if (answer.status === 503) return
    else if (answer.status !== 304) throw new Error(`The gate was answered ${answer.status}: ${text}`)
    for (const one of this.#waiting) if (one.holds()) one.done()
    if (named !== '') await this.#countAcknowledgement(named)
  }

  /** Counts whether the list that a contact named is stored as the one in force there. */
  async #countAcknowledgement(named: string): Promise<void> {
    const gate = await this.#db.read
      .selectFrom('gates')
      .select(['epoch', 'applied_version'])
      .where('location_code', '=', this.facility)
      .executeTakeFirstOrThrow()
    if (`"${gate.epoch}-${gate.applied_version}"` === named) {
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
        await this.ask()
        await pause(this.#pollMs, undefined, { signal }).catch(() => undefined)
      }
    })()
    // A failure is thrown where the run ends.
    this.#running.catch(() => undefined)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  /** Resolves once the list in force satisfies a condition. @throws Error when it does not within a minute */
  async until(what: string, holds: () => boolean): Promise<void> {
    if (holds()) return
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const one = { holds, done: () => resolve(true) }
    this.#waiting.add(one)
    const inTime = await Promise.race([promise, pause(60_000, false, { ref: false })])
    this.#waiting.delete(one)
    if (!inTime) throw new Error(`The gate has not heard of it in a minute: ${what}`)
  }

  opens = (code: string): boolean => this.doors.opens(code, 0, noon)
}

/** Returns the codes whose door does not open exactly as the books say. */
async function disagreeing(db: Database, controller: PollingController, now: number) {
  const access = await loadGateAccess(db.read, controller.facility, now)
  return access.filter((one) => controller.opens(one.code) !== one.opens).map(({ code }) => code)
}

/** Returns the median and the 99th percentile of response times, in whole milliseconds. */
function figuresOf(took: readonly number[]): { median: number; worst: number } {
  const sorted = took.map(Math.round).sort((a, b) => a - b)
  return { median: sorted[sorted.length >> 1] ?? 0, worst: sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0 }
}

/** Acts through the product's own doors, and how long after its answer each is at the door. */
class Acts {
  readonly took = new Map<string, number[]>()
  readonly #reach: Reach
  readonly #staff: StaffMember
  readonly #db: Database
  readonly #services: Services
  #visitors = 0

  constructor(of: { reach: Reach; staff: StaffMember; db: Database; services: Services }) {
    this.#reach = of.reach
    this.#staff = of.staff
    this.#db = of.db
    this.#services = of.services
  }

  #visitor = () => {
    this.#visitors += 1
    return new Visitor(this.#reach, addressOf(1_000_000 + this.#visitors), { tries: 3 })
  }

  /** Does an act at a random moment, and waits until the gate has it. */
  async #measure(
    name: string,
    controller: PollingController,
    act: () => Promise<unknown>,
    agreed: () => boolean,
  ): Promise<void> {
    await pause(systemRandom.integer(0, 2000))
    if (agreed()) throw new Error(`The door is as after it already: ${name}`)
    await act()
    const from = performance.now()
    await controller.until(name, agreed)
    this.took.set(name, [...(this.took.get(name) ?? []), performance.now() - from])
  }

  #codeOf = async ({ location_code, lease_number }: Pick<DemoTenant, 'location_code' | 'lease_number'>) =>
    (
      await this.#db.read
        .selectFrom('leases')
        .select('gate_code')
        .where((eb) => eb.and({ location_code, lease_number }))
        .executeTakeFirstOrThrow()
    ).gate_code

  /** A past-due tenant's overlock is lifted and counts again; a payment ends it, and its refund begins it again. */
  async pastDue(tenant: DemoTenant, controller: PollingController): Promise<void> {
    const file = `/office/tenants/${tenant.location_code}/${tenant.tenant_id}`
    const code = await this.#codeOf(tenant)
    const [isOpen, isShut] = [() => controller.opens(code), () => !controller.opens(code)]
    const reason = 'Asked on the phone'
    const lift = () => this.#staff.press(`${file}/gate`, `lift ${tenant.lease_number}`, { reason })
    await this.#measure('lift', controller, lift, isOpen)
    const endLift = () => this.#staff.press(`${file}/gate`, /end [\w-]{36}/, { reason })
    await this.#measure('end the lift', controller, endLift, isShut)
    let paid = ''
    const visitor = this.#visitor()
    if (!(await signIn(visitor, tenant.username))) throw new Error('The past-due tenant cannot sign in')
    const { orderId, url, code: refused } = await openCardPage(visitor, leaseOf(tenant))
    if (orderId === '') throw new Error(`The past-due tenant cannot pay: ${refused}`)
    await payAtCardPage(url, 'visa')
    const pay = async () => {
      paid = await settle(visitor, orderId)
      if (paid !== 'APPROVED') throw new Error(`The payment is ${paid}`)
    }
    await this.#measure('pay', controller, pay, isOpen)
    const refund = `${file}/leases/${tenant.lease_number}/refund?order=${orderId}`
    const overlock = () => this.#staff.pressMoney(refund, { reason: 'charged-twice', afterwards: 'owed' })
    await this.#measure('overlock', controller, overlock, isShut)
  }

  /** A tenant's code is suspended, counts again, and is replaced. */
  async current(tenant: DemoTenant, controller: PollingController): Promise<void> {
    const page = `/office/tenants/${tenant.location_code}/${tenant.tenant_id}/gate`
    const code = await this.#codeOf(tenant)
    const reason = 'Asked on the phone'
    const [isOpen, isShut] = [() => controller.opens(code), () => !controller.opens(code)]
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

  /** A renter signs and pays, and has moved out after a later night's billing. */
  async renter(round: number, controller: PollingController): Promise<void> {
    const kinds = availableKinds.filter((kind) => kind.code === RENTERS_AT)
    const kind = kinds[round % kinds.length]
    if (!kind) throw new Error(`Nothing is free at ${RENTERS_AT}`)
    let [code, lease] = ['', 0]
    const sign = async () => {
      const told = await rentByCard(this.#visitor(), { kind, card: 'visa', email: `gate-${round}@example.com` })
      if (told.end !== 'moved in') throw new Error(`The renter ended so: ${told.end}`)
      code = told.gateCode ?? ''
      lease = Number(told.leaseNumber)
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

/** Three processes on one PostgreSQL, tenants, renters and staff at them, and controllers that ask any of them. */
export default {
  about:
    'A gate agrees with the books two seconds after an act in the middle and five at worst, asking three processes, and a revoked key is refused by each of them at its next request.',
  needs: ['initdb'],
  options: { rounds: { type: 'string', default: '10' }, codes: { type: 'string', default: '1000' } },
  async run({ rounds, codes }, log) {
    setup()
    const violations: string[] = []
    const databaseUrl = await createPostgresDatabase('latchkey_gate')
    const servers = await identicalServers(3, { databaseUrl })
    const { machines } = servers
    const anyone = () => machines[systemRandom.integer(0, machines.length - 1)] as Site
    const reach: Reach = {
      get url() {
        return anyone().url
      },
    }
    let ahead = 0
    const clock = { now: () => Date.now() + ahead }
    let db: Database | null = null
    try {
      await Promise.all(machines.map((machine) => machine.start()))
      const books = await openDatabase({ url: databaseUrl, dataDir: temporaryFolder() })
      db = books
      const services: Services = { ...testServicesOn(books), clock, random: systemRandom }
      const staff = new StaffMember(reach, addressOf(2_000_000))
      await staff.signIn('owner', clock.now())
      const token = await makeKey(staff)
      const tenantsGate = new PollingController({ facility: TENANTS_AT, token, anyone, db: books })
      const rentersGate = new PollingController({ facility: RENTERS_AT, token, anyone, db: books })
      await tenantsGate.ask()
      await rentersGate.ask()

      const acts = new Acts({ reach, staff, db: books, services })
      await doRounds({ db: books, acts, tenantsGate, rentersGate, rounds: Number(rounds) })
      for (const controller of [tenantsGate, rentersGate]) {
        const { atOnce, atTheNext, later } = controller.acknowledged
        log(`acknowledged: ${atOnce} at the contact, ${atTheNext} at the next, ${later} later`)
        if (later > 0) violations.push(`${later} acknowledgements were not stored by the next contact`)
      }
      violations.push(...judge(acts.took, log))
      for (const controller of [tenantsGate, rentersGate]) {
        await controller.ask()
        const wrong = await disagreeing(books, controller, clock.now())
        if (wrong.length > 0) violations.push(`The gate of ${controller.facility} disagrees on ${wrong.join(', ')}`)
      }

      // An import: every code comes to a gate that is connected already.
      const [like] = (await demoTenants(books)).filter((one) => one.location_code === RENTERS_AT)
      if (!like) throw new Error(`${RENTERS_AT} has no tenant`)
      const { location_code, tenant_id, lease_number } = like
      await books.transaction((tx) => addGateCodes(tx, Number(codes), { location_code, lease_number }))
      const agreesAgain = () => backInAgreement(books, rentersGate, clock.now)
      const importMs = await agreesAgain()
      log(`${codes} codes brought in agree after ${importMs} ms`)
      if (importMs > MOST_BACK_MS) violations.push(`${codes} codes brought in took ${importMs} ms`)

      // The gate is away for 72 hours, in which all of these codes are closed.
      const closing = { locationCode: location_code, tenantId: tenant_id, leaseNumber: null, reason: 'Asked' }
      const until = clock.now() + 2 * AWAY_MS
      await books.transaction((tx) => setOverride(tx, services, { ...closing, kind: 'suspended', until, staffId: 's' }))
      await Promise.all(machines.map((machine) => machine.end('SIGTERM')))
      ahead = AWAY_MS
      await Promise.all(machines.map((machine) => machine.start(clock.now())))
      const backMs = await agreesAgain()
      log(`${codes} codes agree ${backMs} ms after the gate is back`)
      if (backMs > MOST_BACK_MS) violations.push(`${codes} codes took ${backMs} ms`)
      const closed = await loadGateAccess(books.read, RENTERS_AT, clock.now())
      const shut = closed.filter((one) => one.tenantId === tenant_id && !rentersGate.opens(one.code)).length
      if (shut < Number(codes)) violations.push(`${shut} of ${codes} codes are shut after the absence`)

      // The processes' clocks stand still while they start.
      await staff.signIn('owner', rentersGate.told)
      violations.push(...(await revoke({ staff, token, machines, log })))
      return violations
    } finally {
      await db?.close()
      await servers.close()
      await teardown()
    }
  },
} satisfies Drill

/** Makes the controllers' key in Setup. @returns its token, which the page shows once */
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

/** Does the acts of three people at the same time, while both gates ask. */
async function doRounds({ db, acts, tenantsGate, rentersGate, rounds }: Rounds): Promise<void> {
  const tenants = await demoTenants(db)
  const at = (unit: string) => {
    const found = tenants.find((one) => one.location_code === TENANTS_AT && one.unit_number === unit)
    if (!found) throw new Error(`${TENANTS_AT} has no tenant of unit ${unit}`)
    return found
  }
  const [pastDue, current] = [at('332'), at('318')]
  const turns = async (work: (round: number) => Promise<void>) => {
    for (let round = 0; round < rounds; round += 1) await work(round)
  }
  tenantsGate.start()
  rentersGate.start()
  try {
    await Promise.all([
      turns(() => acts.pastDue(pastDue, tenantsGate)),
      turns(() => acts.current(current, tenantsGate)),
      turns((round) => acts.renter(round, rentersGate)),
    ])
  } finally {
    // One that fails does not leave the other running.
    await Promise.allSettled([tenantsGate.stop(), rentersGate.stop()])
  }
}

/** Logs the figures of each act, and returns those above the ceilings. */
function judge(took: ReadonlyMap<string, number[]>, log: Log): string[] {
  const violations: string[] = []
  for (const [name, each] of [...took, ['all acts', [...took.values()].flat()] as const]) {
    const { median, worst } = figuresOf(each)
    log(`${name}: median ${median} ms, 99th ${worst} ms of ${each.length}`)
    if (median > MOST_MEDIAN_MS) violations.push(`The median of ${name} was ${median} ms`)
    if (worst > MOST_P99_MS) violations.push(`The 99th of ${name} was ${worst} ms`)
  }
  return violations
}

/** Asks as the protocol says until every door is as the books say. @returns after how many milliseconds it was */
async function backInAgreement(db: Database, controller: PollingController, now: () => number): Promise<number> {
  const began = performance.now()
  for (;;) {
    await controller.ask()
    const ms = Math.round(performance.now() - began)
    if ((await disagreeing(db, controller, now())).length === 0) return ms
    if (ms > 6 * MOST_BACK_MS) throw new Error(`The gate of ${controller.facility} does not come to agree`)
    await pause(2000)
  }
}

interface Revocation {
  staff: StaffMember
  token: string
  machines: readonly Site[]
  log: Log
}

/** Revokes the key in Setup, and asks each process with it at once. */
async function revoke({ staff, token, machines, log }: Revocation): Promise<string[]> {
  const violations: string[] = []
  const ask = async (machine: Site) => {
    const began = performance.now()
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(`${machine.url}/api/gate/${TENANTS_AT}/state`, { headers })
    const text = await answer.text()
    return { status: answer.status, text, ms: Math.round(performance.now() - began) }
  }
  for (const { status, text } of await Promise.all(machines.map(ask)))
    if (status !== 200) violations.push(`A working key was answered ${status}: ${text}`)
  await staff.press(`/office/setup/keys/${token.slice(3, 15)}`, 'revoke', { reason: 'The controller was stolen' })
  const after = await Promise.all(machines.map(ask))
  for (const { status, ms } of after) {
    log(`the revoked key was answered ${status} after ${ms} ms`)
    if (status !== 401) violations.push(`A revoked key was answered ${status}`)
    if (ms > MOST_REVOKED_MS) violations.push(`A revoked key was refused after ${ms} ms`)
  }
  return violations
}
