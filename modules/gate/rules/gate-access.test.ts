import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { weekMinuteIn } from '../../../domain/time-zone-dates.ts'
import { ModelController, tellingInstants, unevenWeek } from '../../../tests/support/model-gate-controller.ts'
import {
  type ActiveGateCode,
  accessByCode,
  diffGateCodes,
  type GateFacts,
  type GateOverride,
  gateSyncState,
  type ListedGateCode,
  nextGateChange,
  type OpenLease,
} from './gate-access.ts'
import { isInGateHours } from './gate-hours.ts'

/** Number of random histories, set by `npm run gate -- --histories N`. */
const histories = Number(process.env.GATE_HISTORIES || 2000)
const seed = process.env.GATE_SEED ? { seed: Number(process.env.GATE_SEED) } : {}

const HOUR = 3_600_000
const tenants = 3

type Step =
  | { does: 'rent' | 'overlock' | 'pay' | 'close' | 'sell' | 'new code' | 'any hour'; which: number }
  | { does: 'suspend' | 'lift' | 'end override'; which: number; hours: number }
  | { does: 'wait'; hours: number }
  | { does: 'move'; zone: string }
  | { does: 'ask'; answer: 'arrives' | 'is lost' | 'comes late' | 'comes twice' }
  | { does: 'an old answer arrives'; which: number }
  | { does: 'back up' | 'restore' }

const which = fc.nat({ max: 5 })
const hours = fc.constantFrom(1, 5, 24, 72)
const zones = ['America/New_York', 'America/Chicago', 'America/Phoenix', 'Pacific/Honolulu'] as const
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constantFrom('rent', 'rent', 'overlock', 'overlock', 'pay', 'close', 'sell', 'new code', 'any hour'),
      which,
    }),
  },
  { weight: 3, arbitrary: fc.record({ does: fc.constantFrom('suspend', 'lift', 'end override'), which, hours }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('wait'), hours }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('move'), zone: fc.constantFrom(...zones) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant('ask'),
      answer: fc.constantFrom('arrives', 'arrives', 'is lost', 'comes late', 'comes twice'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('an old answer arrives'), which }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constantFrom('back up', 'restore') }) },
) as fc.Arbitrary<Step>

interface Records {
  codes: ActiveGateCode[]
  leases: OpenLease[]
  overrides: GateOverride[]
  /** Time zone of the facility; `listedZone` is the time zone in the gate's list. */
  zone: string
  listedZone: string
  listed: ListedGateCode[]
  version: number
}

/** Records, and the list that is derived from them as in `refreshGate`. */
class World {
  records: Records = {
    codes: [],
    leases: [],
    overrides: [],
    zone: zones[0],
    listedZone: zones[0],
    listed: [],
    version: 0,
  }
  epoch = 1
  now = 0
  #lastId = 0
  #backup: Records | null = null

  #next = (): number => {
    this.#lastId += 1
    return this.#lastId
  }
  lease = (at: number): OpenLease | undefined => this.records.leases[at % Math.max(1, this.records.leases.length)]

  #change(lease: OpenLease | undefined, to: Partial<OpenLease>): void {
    if (!lease) return
    this.records = {
      ...this.records,
      leases: this.records.leases.map((open) => (open === lease ? { ...open, ...to } : open)),
    }
  }

  #give(tenantId: number): string {
    const code = String(100_000 + this.#next())
    this.records = {
      ...this.records,
      codes: [...this.records.codes, { code, tenantId, hours: 'standard', since: this.now }],
    }
    return code
  }

  #override(kind: GateOverride['kind'], lease: OpenLease | undefined, hours: number): void {
    if (!lease) return
    const override: GateOverride = {
      overrideId: String(this.#next()),
      tenantId: lease.tenantId,
      leaseNumber: kind === 'lifted' ? lease.leaseNumber : null,
      kind,
      until: this.now + hours * HOUR,
      reason: '',
    }
    this.records = { ...this.records, overrides: [...this.records.overrides, override] }
  }

  #rent(which: number): void {
    const tenantId = which % tenants
    const earlierLease = this.records.leases.find((lease) => lease.tenantId === tenantId)
    // Most tenants have one code for all their leases; imports bring some with two.
    const code = earlierLease && which > 2 ? earlierLease.code : this.#give(tenantId)
    const leaseNumber = this.#next()
    const lease = { leaseNumber, tenantId, unit: String(leaseNumber), code, overlocked: false, winnersCode: null }
    this.records = { ...this.records, leases: [...this.records.leases, lease] }
  }

  #sell(lease: OpenLease | undefined): void {
    if (lease && lease.winnersCode === null) this.#change(lease, { winnersCode: this.#give(lease.tenantId) })
  }

  act(step: Step): void {
    const lease = 'which' in step ? this.lease(step.which) : undefined
    switch (step.does) {
      case 'rent':
        this.#rent(step.which)
        break
      case 'overlock':
      case 'pay':
        this.#change(lease, { overlocked: step.does === 'overlock' })
        break
      case 'sell':
        this.#sell(lease)
        break
      case 'close':
        this.records = { ...this.records, leases: this.records.leases.filter((open) => open !== lease) }
        break
      case 'new code':
        if (lease) this.#change(lease, { code: this.#give(lease.tenantId) })
        break
      case 'any hour':
        this.records = {
          ...this.records,
          codes: this.records.codes.map((code) => (code.code === lease?.code ? { ...code, hours: '24-hour' } : code)),
        }
        break
      case 'suspend':
      case 'lift':
        this.#override(step.does === 'lift' ? 'lifted' : 'suspended', lease, step.hours)
        break
      case 'end override':
        this.records = { ...this.records, overrides: this.records.overrides.slice(1) }
        break
      case 'wait':
        this.now += step.hours * HOUR
        break
      case 'move':
        this.records = { ...this.records, zone: step.zone }
        break
      case 'back up':
        this.#backup = this.records
        break
      case 'restore':
        if (this.#backup) [this.records, this.epoch] = [this.#backup, this.epoch + 1]
        break
    }
  }

  /** Brings the records' list up to date, as `refreshGate` does, and returns it as the gate gets it. */
  answer() {
    const { listed, zone, listedZone } = this.records
    const { added, changed, gone } = diffGateCodes(listed, accessByCode(this.records, this.now))
    if (added.length + changed.length + gone.length > 0 || zone !== listedZone) {
      const changes = new Map(changed.map(({ codeId, to }) => [codeId, to]))
      this.records = {
        ...this.records,
        version: this.records.version + 1,
        listedZone: zone,
        listed: [
          ...listed
            .filter((code) => !gone.includes(code.codeId))
            .map((code) => ({ ...code, ...changes.get(code.codeId) })),
          ...added.map((code) => ({ ...code, codeId: String(this.#next()) })),
        ],
      }
    }
    return {
      epoch: `e${this.epoch}`,
      version: this.records.version,
      zone: this.records.listedZone,
      week: unevenWeek,
      codes: this.records.listed.map((code) => ({
        id: code.codeId,
        code: code.code,
        opens: code.opens,
        hours: code.hours === '24-hour' ? ('any' as const) : ('week' as const),
      })),
    }
  }
}

/** Indexes of the instants at which standard codes open, by time zone. */
const openPlaces = new Map(
  zones.map((zone) => [
    zone as string,
    tellingInstants.flatMap((instant, place) => {
      const { weekday, minute } = weekMinuteIn(zone, instant)
      return isInGateHours(unevenWeek, weekday, minute) ? [place] : []
    }),
  ]),
)
const everyPlace = tellingInstants.map((_, place) => place)

/**
 * Plays a history. After each step since the first contact, compares the doors with what the records opened when the
 * site issued the list in force.
 * @returns the number of comparisons
 */
function play(steps: readonly Step[]): number {
  const world = new World()
  const controller = new ModelController()
  let inTransit: ReturnType<World['answer']>[] = []
  let last = ''
  let compared = 0
  const openedByEtag = new Map<string, string[]>()
  const everyCode = () => [...new Set([...world.records.codes.map((code) => code.code)])]
  /** Returns the codes that the records open, each with the index of an instant at which it opens. */
  const recordsNow = () =>
    accessByCode(world.records, world.now).flatMap(({ code, opens, hours }) => {
      const places = hours === '24-hour' ? everyPlace : (openPlaces.get(world.records.zone) ?? [])
      return opens ? places.map((place) => `${code} ${place}`) : []
    })
  const doorsNow = () =>
    everyCode().flatMap((code) =>
      controller.opensAt(code, tellingInstants).flatMap((opens, place) => (opens ? [`${code} ${place}`] : [])),
    )
  for (const step of steps) {
    if (step.does === 'ask') {
      const answer = world.answer()
      openedByEtag.set(`"${answer.epoch}-${answer.version}"`, recordsNow())
      if (step.answer === 'comes late') inTransit.push(answer)
      if (step.answer === 'comes twice') inTransit.push(answer)
      if (step.answer === 'arrives' || step.answer === 'comes twice') {
        controller.receive(answer)
        last = controller.etag
      }
    } else if (step.does === 'an old answer arrives') {
      const answer = inTransit[step.which % Math.max(1, inTransit.length)]
      if (answer) controller.receive(answer)
      // A late list may still be newer than the one in force, which it then replaces.
      last = controller.etag
    } else {
      world.act(step)
      // Connections do not outlive the server whose database is restored.
      if (step.does === 'restore') inTransit = []
    }
    if (last === '') continue
    const currentCodes = new Set(everyCode())
    const doors = doorsNow().sort()
    const records = (openedByEtag.get(last) ?? []).filter((key) => currentCodes.has(key.split(' ')[0] ?? '')).sort()
    // Strings are compared first, since `toEqual` is slow in a run with millions of comparisons.
    if (doors.join() !== records.join()) expect(doors).toEqual(records)
    compared += 1
  }
  return compared
}

it('opens after each contact exactly the codes allowed at that time', () => {
  let compared = 0
  fc.assert(
    fc.property(fc.array(step, { minLength: 6, maxLength: 30 }), (steps) => {
      compared += play(steps)
    }),
    { numRuns: histories, ...seed },
  )
  expect(compared).toBeGreaterThan(histories * 3)
}, 3_600_000)

it('returns when the access next changes by itself', () => {
  const lease = { leaseNumber: 1, tenantId: 1, unit: '12', code: '482917', overlocked: true, winnersCode: null }
  const facts: GateFacts = {
    codes: [{ code: '482917', tenantId: 1, hours: 'standard', since: 0 }],
    leases: [lease],
    overrides: [{ overrideId: 'o', tenantId: 1, leaseNumber: 1, kind: 'lifted', until: 1000, reason: '' }],
  }
  expect([0, 999, 1000].map((now) => accessByCode(facts, now)[0]?.opens)).toEqual([true, true, false])
  expect([nextGateChange(facts, 0), nextGateChange(facts, 1000)]).toEqual([1000, null])
})

it('returns the state of a code at the gate', () => {
  const now = 1_000_000
  const contacts = { connectedAt: 0, epochAt: 0, firstHeardAt: 1, heardAt: now - 1000 }
  const gate = { kind: 'pull' as const, appliedVersion: 4, ...contacts }
  const listed = { version: 5, changedAt: now - 5000, isCurrent: true, refused: null, isClosedAtGate: false }
  expect(gateSyncState(null, listed, now)).toBe('unconnected')
  expect(gateSyncState({ ...gate, kind: 'none' }, listed, now)).toBe('unconnected')
  expect(gateSyncState(gate, listed, now)).toBe('coming')
  expect(gateSyncState({ ...gate, appliedVersion: 5 }, listed, now)).toBe('taken')
  expect(gateSyncState({ ...gate, appliedVersion: 5 }, { ...listed, isCurrent: false }, now)).toBe('coming')
  expect(gateSyncState(gate, { ...listed, changedAt: now - 60_001 }, now)).toBe('late')
  expect(gateSyncState({ ...gate, heardAt: now - 90_001 }, listed, now)).toBe('late')
  expect(gateSyncState({ ...gate, heardAt: null }, null, now)).toBe('late')
  const connected = { ...gate, heardAt: null, firstHeardAt: null, connectedAt: now - 60_000, epochAt: now - 60_000 }
  expect(gateSyncState(connected, listed, now)).toBe('coming')
  expect(gateSyncState(connected, { ...listed, changedAt: 0 }, now)).toBe('coming')
  expect(gateSyncState(connected, { ...listed, changedAt: 0 }, now + 1)).toBe('late')
  expect(gateSyncState({ ...gate, epochAt: now }, { ...listed, changedAt: 0 }, now)).toBe('coming')
  expect(gateSyncState(gate, { ...listed, isClosedAtGate: true }, now)).toBe('taken')
  expect(gateSyncState(gate, null, now)).toBe('coming')
  expect(gateSyncState({ ...gate, appliedVersion: 5 }, { ...listed, refused: 'full' }, now)).toBe('refused')
})
