import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it } from 'vitest'
import { officeOperations } from '../../api/catalogue.ts'
import { openPayingServices, type PayingServices, recordOf, recordsOf } from '../../modules/payments/testing.ts'
import { sandboxForTests } from '../../modules/payments/testing-card-provider.ts'
import { postCharge } from '../../modules/standing/post-entries.ts'
import { perform } from '../../platform/operations/operation.ts'
import { folderFiles } from '../../ports/files/folder.ts'
import { SANDBOX_CREDENTIALS } from '../../sandbox/server.ts'
import { bundledProgram } from '../support/bundle-program.ts'
import { describeOnBothEngines, placeOf } from '../support/databases.ts'
import { addRecord, lease } from '../support/rows.ts'
import { addStaffCaller, type StaffCallers, withApprovals } from '../support/staff.ts'
import { counterActs } from './drawer-and-rent-operations-to-kill.ts'
import { storedDataActs } from './erasure-and-snapshot-operations.ts'
import type { OfficeTask } from './fixtures/office-process.ts'
import { runBackgroundWork } from './fixtures/run-background-work.ts'
import type { People, PreparedAct } from './killed-operation-interfaces.ts'
import { lienActs } from './lien-operations.ts'
import { multiUnitActs } from './multi-unit-operations.ts'
import { refundActs } from './office-refund-operations.ts'
import { transferActs } from './transfer-operations.ts'

const program = bundledProgram(join(import.meta.dirname, 'fixtures', 'office-process.ts'))
/** Whether to kill at every point, as `npm run faults -- --office` does; the normal tests kill at a few. */
const isEveryPoint = process.env.LATCHKEY_OFFICE_FAULTS === 'every'
const PATIENCE_MS = isEveryPoint ? 1_800_000 : 180_000
const MINUTE = 60_000

/** Adds a closed lease with a fee of $24, and returns the form that waives the fee. */
async function addFee(services: PayingServices, number: number) {
  const lease_number = 40_000 + number
  await addRecord(
    services,
    'leases',
    lease({ lease_number, tenant_id: 1001, unit_id: 6, unit_number: `${number}`, status: 'Closed', gate_code: '' }),
  )
  const once = `fee:${number}`
  const charge = {
    locationCode: 'GA1',
    leaseNumber: lease_number,
    kind: 'fee',
    cents: 24_00,
    description: 'Fee',
    once,
  } as const
  await services.db.transaction((tx) => postCharge(tx, services, charge))
  const { entry_id } = await recordOf(services, 'ledger_entries', { once })
  return {
    location_code: 'GA1',
    tenant_id: 1001,
    lease_number,
    balance: 24_00,
    newest_entry: entry_id,
    entry_id,
    act_id: services.random.uuid(),
    reason: 'courtesy',
    note: '',
  }
}

const { till, folder } = sandboxForTests('office-killed')
const files = join(folder, 'files')

describeOnBothEngines('An office operation whose process is killed (SIGKILL)', (open) => {
  /**
   * Runs the operation in a process of its own.
   * @returns points that it reached
   */
  async function runInProcess(
    services: PayingServices,
    act: PreparedAct,
    options: { by: StaffCallers; key: string; killAt: number },
  ): Promise<string[]> {
    const { staffId, name, roles } = options.by.staff
    const task: OfficeTask = {
      place: placeOf(services.db),
      filesFolder: files,
      sandboxUrl: till.sandbox.url,
      credentials: SANDBOX_CREDENTIALS,
      now: services.clock.now(),
      operation: act.operation,
      input: act.input,
      key: options.key,
      killAt: options.killAt,
      by: { staffId, name, role: roles[0]?.role ?? 'agent' },
    }
    const taskText = JSON.stringify(task, (_, value) =>
      value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value,
    )
    const child = spawn(process.execPath, [program(), taskText], { stdio: ['ignore', 'pipe', 'inherit'] })
    const exit = once(child, 'exit')
    const points: string[] = []
    for await (const line of createInterface(child.stdout)) {
      const [pointNumber, ...words] = line.split(' ')
      if (pointNumber !== '-') points.push(words.join(' '))
      if (Number(pointNumber) === options.killAt || line === '- end') child.kill('SIGKILL')
    }
    await exit
    return points
  }

  /** Repeats the operation, as after a missing response, then runs the jobs that a killed process has left. */
  async function finish(services: PayingServices, act: PreparedAct, by: StaffCallers, key: string): Promise<void> {
    services.later(3 * MINUTE)
    const operation = officeOperations.find(({ name }) => name === act.operation)
    const outcome = operation
      ? await perform(services, operation, act.input, by, key)
      : await runBackgroundWork(services, act.operation, act.input)
    if (!outcome.ok) expect(outcome.status, JSON.stringify(outcome)).toBe(409)
    for (let round = 0; round < 3; round += 1) {
      await services.runDueJobs()
      services.later(2 * MINUTE)
    }
  }

  it.runIf(isEveryPoint)(
    'the daily limit on waivers holds when three processes waive at once, each less than the limit of one waiver',
    async () => {
      const services = withApprovals(await openPayingServices(await open(), till, folder))
      const by = await addStaffCaller(services, 'agent')
      const waivers = await Promise.all([1, 2, 3, 4, 5, 6].map((number) => addFee(services, number)))
      for (const forms of [waivers.slice(0, 3), waivers.slice(3)])
        await Promise.all(
          forms.map((input) =>
            runInProcess(
              services,
              { operation: 'WaiveCharge', input, findViolations: async () => [] },
              { by, key: services.random.uuid(), killAt: 0 },
            ),
          ),
        )
      const events = await recordsOf(services, 'audit_events', { kind: 'charge.waived' })
      const waived = (await recordsOf(services, 'ledger_entries', { kind: 'fee' })).filter(({ cents }) => cents < 0)
      // Four of the six $24 waivers are within an agent's daily $100; the others become requests.
      expect([events.length, waived.length]).toEqual([4, 4])
      expect(await recordsOf(services, 'approvals', { state: 'open' })).toHaveLength(2)
    },
    PATIENCE_MS,
  )

  const acts = [
    ...refundActs,
    ...counterActs,
    ...transferActs,
    ...lienActs,
    ...storedDataActs,
    ...multiUnitActs,
  ].filter(({ inTests }) => isEveryPoint || inTests)
  for (const [index, { name, prepare, by: role = 'finance' }] of acts.entries())
    it(
      `${name}: ledger, provider and audit agree after each kill, of a single process or of one of three`,
      async () => {
        const services = withApprovals(await openPayingServices(await open(), till, folder))
        services.files = folderFiles(files)
        const people: People = {
          agent: await addStaffCaller(services, 'agent'),
          manager: await addStaffCaller(services, 'manager'),
          district: await addStaffCaller(services, 'district'),
          finance: await addStaffCaller(services, 'finance'),
        }
        const by = people[role]
        const isFirst = index === 0
        const prepareAct = () => prepare(services, till, people)
        const prepared = await prepareAct()
        const key = services.random.uuid()
        const points = await runInProcess(services, prepared, { by, key, killAt: 0 })
        // Jobs that were not due in the process run now.
        await finish(services, prepared, by, key)
        expect(await prepared.findViolations()).toEqual([])
        expect(points.length).toBeGreaterThan(0)
        const all = points.map((_, index) => index + 1)
        // Killed there, the process has committed without responding, or the provider's refund is not recorded yet.
        const few = ['committed', 'provider answered'].map((point) => points.indexOf(point) + 1)
        for (const killAt of isEveryPoint ? all : few.filter((at) => at > 0)) {
          const act = await prepareAct()
          const key = services.random.uuid()
          await runInProcess(services, act, { by, key, killAt })
          await finish(services, act, by, key)
          expect(await act.findViolations(), `killed at ${killAt} ${points[killAt - 1]}`).toEqual([])
        }
        for (const killAt of isEveryPoint ? all : isFirst ? few.slice(-1) : []) {
          const act = await prepareAct()
          const key = services.random.uuid()
          const other = await addStaffCaller(services, role)
          await Promise.all([
            runInProcess(services, act, { by, key, killAt }),
            runInProcess(services, act, { by, key, killAt: 0 }),
            runInProcess(services, act, { by: other, key: services.random.uuid(), killAt: 0 }),
          ])
          await finish(services, act, by, key)
          expect(await act.findViolations(), `three, killed at ${killAt} ${points[killAt - 1]}`).toEqual([])
        }
      },
      PATIENCE_MS,
    )
})
