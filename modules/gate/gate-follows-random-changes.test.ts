import type { Selectable } from 'kysely'
import { expect, it } from 'vitest'
import { weekMinuteIn } from '../../domain/time-zone-dates.ts'
import { perform } from '../../platform/operations/operation.ts'
import type { LeasesTable } from '../../platform/schema/tables.ts'
import { seededRandom } from '../../ports/testing-clock-and-random.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { ModelController, tellingInstants, unevenWeek } from '../../tests/support/model-gate-controller.ts'
import { unit } from '../../tests/support/rows.ts'
import { openTestServices, type TestServices, visitor } from '../../tests/support/small-operator.ts'
import { loadGateFacts } from './gate-facts.ts'
import type { GateAnswer } from './gate-list-message.ts'
import { endOverrides, setOverride } from './gate-overrides.ts'
import { getGateState } from './operations/get-gate-list-for-controller.ts'
import { syncGates } from './refresh-stored-gate-lists.ts'
import { startGateEpochs } from './restart-gate-list.ts'
import { accessByCode } from './rules/gate-access.ts'
import { isInGateHours } from './rules/gate-hours.ts'
import { setGate } from './set-gate-kind-and-hours.ts'

/** Number of rounds of random changes and a contact, on each engine, set by `npm run gate -- --engines N`. */
const histories = Number(process.env.GATE_ENGINES || 15)
const seed = Number(process.env.GATE_SEED || 32)
const HOUR = 3_600_000
const zones = ['America/New_York', 'America/Chicago', 'Pacific/Honolulu']

/** A random change: sells a unit at auction to a winner, who has a gate code and in three of four cases has paid. */
async function sellUnit(services: TestServices, lease: Selectable<LeasesTable>, draw: (max: number) => number) {
  const { location_code, lease_number, tenant_id, unit_number } = lease
  const { write } = services.db
  const winner = await write
    .selectFrom('auction_winners')
    .select('auction_winner_id')
    .where('lease_number', '=', lease_number)
    .executeTakeFirst()
  if (winner) return
  const auction_winner_id = draw(900_000)
  const gate_code = String(200_000 + draw(700_000))
  const code = { location_code, gate_code, tenant_id, lease_number, time_zone_name: 'standard' as const }
  const paid = draw(3) > 0
  await write
    .insertInto('auction_winners')
    .values({
      auction_winner_id,
      uuid: services.random.uuid(),
      location_code,
      lease_number,
      unit_number,
      facility_name: 'Depot',
      facility_balance: 0,
      name: 'Wynn',
      email: '',
      city: '',
      zip: '',
      gate_code,
      combo_code: '0000',
      state: 'open',
      order_id: null,
      created_at: 0,
      paid_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await write
    .insertInto('gate_codes')
    .values({ ...code, active: 1, created_at: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  if (paid)
    await write
      .updateTable('auction_winners')
      .set({ state: 'paid', paid_at: services.clock.now() })
      .where('auction_winner_id', '=', auction_winner_id)
      .execute()
}

/** Makes one random change. Rows of leases, codes and facilities change directly, so that only the triggers notice. */
async function changeRecords(services: TestServices, draw: (max: number) => number): Promise<void> {
  const { write } = services.db
  const leases = await write.selectFrom('leases').selectAll().where('status', '!=', 'Closed').execute()
  const lease = leases[draw(leases.length - 1)]
  if (!lease) return
  const key = { location_code: lease.location_code, lease_number: lease.lease_number }
  const override = { locationCode: 'GA1', tenantId: lease.tenant_id, reason: 'Asked', staffId: 's' }
  const until = services.clock.now() + (1 + draw(72)) * HOUR
  const update = (to: object) =>
    write
      .updateTable('leases')
      .set(to)
      .where((eb) => eb.and(key))
      .execute()
  const acts: (() => Promise<unknown>)[] = [
    () => update({ overlocked: 1 }),
    () => update({ overlocked: 0 }),
    () =>
      services.db.transaction((tx) =>
        setOverride(tx, services, { ...override, leaseNumber: null, kind: 'suspended', until }),
      ),
    () =>
      services.db.transaction((tx) =>
        setOverride(tx, services, { ...override, leaseNumber: lease.lease_number, kind: 'lifted', until }),
      ),
    () =>
      services.db.transaction((tx) =>
        endOverrides(tx, { ...override, leaseNumber: null, kind: 'suspended' }, services.clock.now()),
      ),
    () =>
      services.db.transaction((tx) =>
        endOverrides(tx, { ...override, leaseNumber: lease.lease_number, kind: 'lifted' }, services.clock.now()),
      ),
    () => sellUnit(services, lease, draw),
    () => write.updateTable('gate_codes').set({ active: 0 }).where('gate_code', '=', lease.gate_code).execute(),
    () =>
      write
        .updateTable('gate_codes')
        .set({ time_zone_name: draw(1) === 1 ? 'standard' : '24-hour' })
        .where('gate_code', '=', lease.gate_code)
        .execute(),
    () => update({ unit_number: `${300 + draw(20)}` }),
    () =>
      write
        .updateTable('locations')
        .set({ time_zone: zones[draw(zones.length - 1)] ?? '' })
        .execute(),
    async () => {
      const gate_code = String(200_000 + draw(700_000))
      await write
        .insertInto('gate_codes')
        .values({ ...key, gate_code, tenant_id: lease.tenant_id, time_zone_name: 'standard', active: 1, created_at: 0 })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      await update({ gate_code })
    },
    async () => {
      const { balance: _, ...row } = lease
      const lease_number = 20_000 + draw(900_000)
      const newLease = { lease_number, unit_id: lease_number, unit_number: `${lease_number}` }
      if (leases.length < 6) {
        await write
          .insertInto('units')
          .values(unit('GA1', lease_number, 1, newLease.unit_number))
          .execute()
        await write
          .insertInto('leases')
          .values({ ...row, ...newLease, document_id: null, order_id: null, reservation_code: `R${lease_number}` })
          .execute()
      } else await update({ status: 'Closed' })
    },
    async () => services.clock.advance((1 + draw(72)) * HOUR),
    () => syncGates(services, () => false),
    () => services.db.transaction((tx) => startGateEpochs(tx, services.clock.now())),
  ]
  await acts[draw(acts.length - 1)]?.()
}

describeOnBothEngines('Random histories at a gate', (open) => {
  it('never leave a door open or closed against the leases as of the last contact', async () => {
    const services = await openTestServices(await open())
    const random = seededRandom(seed)
    const draw = (max: number) => random.integer(0, Math.max(0, max))
    await services.db.transaction((tx) => setGate(tx, services, 'GA1', { kind: 'pull', week: unevenWeek }))
    const machine = { keyId: 'k', name: 'k', role: 'gate', facilities: 'all', pii: false, perMinute: 1e9 } as const
    const controller = new ModelController()
    const late: GateAnswer[] = []
    let compared = 0
    for (let history = 0; history < histories; history += 1) {
      for (let step = draw(5); step >= 0; step -= 1) await changeRecords(services, draw)
      const response = await perform(
        services,
        getGateState,
        { facility: 'GA1', if_none_match: controller.etag },
        { ...visitor(), machine },
      )
      if (!response.ok) throw new Error(response.code)
      const lost = draw(5)
      // Without news the answer is empty: the list in force is up to date.
      const list = typeof response.value === 'string' ? null : response.value
      expect(list === null).toBe(response.version?.isCurrent)
      if (lost === 0 && list) late.push(list)
      if (lost <= 1) continue
      if (list) controller.receive(list)
      if (lost === 2 && list) controller.receive(list)
      // An earlier answer of this epoch that arrives late changes nothing.
      for (const old of late.splice(0)) if (controller.etag.startsWith(`"${old.epoch}-`)) controller.receive(old)
      const access = accessByCode(
        await loadGateFacts(services.db.read, { location_code: 'GA1' }, services.clock.now()),
        services.clock.now(),
      )
      expect(access.length).toBeGreaterThan(0)
      const { time_zone } = await services.db.read
        .selectFrom('locations')
        .select('time_zone')
        .where('location_code', '=', 'GA1')
        .executeTakeFirstOrThrow()
      /** Whether the gate takes standard codes at each instant, by the facility's clock. */
      const inHours = tellingInstants.map((instant) => {
        const { weekday, minute } = weekMinuteIn(time_zone, instant)
        return isInGateHours(unevenWeek, weekday, minute)
      })
      const doors = (code: string) => controller.opensAt(code, tellingInstants)
      for (const { code, opens, hours } of access)
        expect([code, doors(code)]).toEqual([code, inHours.map((open) => opens && (open || hours === '24-hour'))])
      const ended = await services.db.read
        .selectFrom('gate_codes')
        .select('gate_code')
        .where('active', '=', 0)
        .execute()
      const live = new Set(access.map(({ code }) => code))
      for (const { gate_code } of ended)
        if (!live.has(gate_code)) expect([gate_code, doors(gate_code)]).toEqual([gate_code, inHours.map(() => false)])
      compared += 1
    }
    expect(compared).toBeGreaterThan(histories / 3)
  }, 3_600_000)
})
