import { createHmac, timingSafeEqual } from 'node:crypto'
import { expect, it, onTestFinished } from 'vitest'
import { httpGate } from '../../ports/gate/http.ts'
import { serverForTests } from '../../ports/testing-server.ts'
import { openerForTests } from '../../tests/support/databases.ts'
import { type ControllerList, ModelController } from '../../tests/support/model-gate-controller.ts'
import { openTestSite } from '../../tests/support/site.ts'
import { openTestServices, type TestServices } from '../../tests/support/small-operator.ts'
import { makeMachineKey } from '../staff/machine-keys.ts'
import { type GateBench, gateContract } from './gate.contract.ts'
import { storeGateEvents } from './gate-events.ts'
import { gateSettingsContext } from './gate-settings-encryption-context.ts'
import { loadGateList } from './internal/gate-list.ts'
import { pushGates } from './push-gates.ts'
import { syncGates } from './refresh-stored-gate-lists.ts'
import type { GateWeek } from './rules/gate-hours.ts'
import type { GateFormat } from './rules/json-or-flat-gate-list.ts'
import { setGate } from './set-gate-kind-and-hours.ts'

const week: GateWeek = Array.from({ length: 7 }, () => ['05:00', '21:00'] as const)
const noon = 12 * 60
const open = openerForTests()

/** Opens a site with a gate that polls with a key of its own. @param format format in which the gate gets its list */
async function siteWithPullingGate(format: GateFormat) {
  const { services, app } = await openTestSite(await open())
  await services.db.transaction((tx) => setGate(tx, services, 'GA1', { kind: 'pull', week }))
  const key = await services.db.transaction((tx) =>
    makeMachineKey(tx, services, 'test', {
      name: 'gate',
      role: 'gate',
      scopes: [{ facility: 'GA1' }],
      pii: false,
      perMinute: 6000,
      expiresAt: null,
    }),
  )
  const authorization = `Bearer ${key?.token}`
  const gate = 'http://localhost:3000/api/gate/GA1'
  return {
    services,
    requestList(etag: string) {
      const headers = { authorization, ...(etag !== '' && { 'if-none-match': etag }) }
      return app.request(`${gate}/state?format=${format}`, { headers })
    },
    async send(body: { events: object[]; refused?: object[] }) {
      const headers = { authorization, 'content-type': 'application/json' }
      const answer = await app.request(`${gate}/events`, { method: 'POST', headers, body: JSON.stringify(body) })
      if (answer.status !== 200) throw new Error(await answer.text())
    },
  }
}

const visit = (services: TestServices, id: string, code_id: string) => ({
  id,
  at: new Date(services.clock.now()).toISOString(),
  what: 'opened',
  code_id,
})

async function pullingGate(): Promise<GateBench> {
  const { services, requestList, send } = await siteWithPullingGate('json')
  const controller = new ModelController()
  let lost = false
  let away = false
  let refused = ''
  let ids = new Map<string, string>()
  return {
    services,
    async meet() {
      await syncGates(services, () => false)
      if (away) return
      const answer = await requestList(controller.etag)
      if (answer.status === 200 && !lost) {
        const list = (await answer.json()) as ControllerList
        ids = new Map(list.codes.map(({ code, id }) => [code, id]))
        controller.receive({ ...list, codes: list.codes.filter(({ code }) => code !== refused) })
        const unstored = list.codes.filter(({ code }) => code === refused)
        await send({ events: [], refused: unstored.map(({ id }) => ({ id, why: 'in use' })) })
      }
      lost = false
    },
    loseNext() {
      lost = true
    },
    setAway(to) {
      away = to
    },
    refuse(code) {
      refused = code
    },
    report: (id, code) => send({ events: [visit(services, id, ids.get(code) ?? '')] }),
    opens: (code) => controller.opens(code, 0, noon),
  }
}

/** Sets up a bridge that writes the flat file to an older controller, which opens for the PINs of rented units. */
async function flatFileGate(): Promise<GateBench> {
  const { services, requestList, send } = await siteWithPullingGate('flat')
  let lost = false
  let away = false
  let etag = ''
  let opening = new Set<string>()
  return {
    services,
    async meet() {
      await syncGates(services, () => false)
      if (away) return
      const answer = await requestList(etag)
      if (answer.status === 200 && !lost) {
        const records = (await answer.text()).split('\r\n').filter(Boolean)
        opening = new Set(records.flatMap((record) => (record[229] === '1' ? [record.slice(6, 16).trim()] : [])))
        etag = answer.headers.get('etag') ?? ''
      }
      lost = false
    },
    loseNext() {
      lost = true
    },
    setAway(to) {
      away = to
    },
    refuse() {},
    report: (id) => send({ events: [visit(services, id, '')] }),
    opens: (code) => opening.has(code),
  }
}

async function pushedGate(): Promise<GateBench> {
  const services = await openTestServices(await open())
  const key = Buffer.from('a secret of the gate of 32 bytes')
  const secret = `whsec_${key.toString('base64')}`
  const controller = new ModelController()
  let lost = false
  let away = false
  let refused = ''
  const url = await serverForTests(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = request.headers
    const own = `v1,${createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')}`
    if (away || !timingSafeEqual(Buffer.from(own), Buffer.from(String(signature)))) return void request.socket.destroy()
    const list = JSON.parse(body) as ControllerList
    const codes = list.codes.filter((code) => code.code !== refused)
    controller.receive({ ...list, codes })
    if (lost) {
      lost = false
      return void request.socket.destroy()
    }
    const ids = list.codes.filter((code) => code.code === refused).map(({ id: code }) => ({ id: code, why: 'in use' }))
    response.end(JSON.stringify({ version: Number(controller.etag.split('-')[1]?.slice(0, -1)), refused: ids }))
  }, onTestFinished)
  services.gateBridge = httpGate(services.clock)
  const settings_sealed = services.sealer.seal(JSON.stringify({ url, secret }), gateSettingsContext('GA1'))
  await services.db.transaction((tx) => setGate(tx, services, 'GA1', { kind: 'push', week }))
  await services.db.write.updateTable('gates').set({ settings_sealed }).execute()
  return {
    services,
    meet: async () => void (await pushGates(services, () => false)),
    loseNext() {
      lost = true
    },
    setAway(to) {
      away = to
    },
    refuse(code) {
      refused = code
    },
    async report(id, code) {
      const listed = (await loadGateList(services.db.read, 'GA1'))?.codes.find((expected) => expected.code === code)
      await storeGateEvents(services, 'GA1', [visit(services, id, listed?.codeId ?? '')])
    },
    opens: (code) => controller.opens(code, 0, noon),
  }
}

gateContract('a controller that asks', pullingGate)
gateContract('a controller that gets calls', pushedGate)
gateContract('a bridge that writes the flat file', flatFileGate, { namesCodes: false })

it('reports a response that is too long as such, and not as a silent gate', async () => {
  const url = await serverForTests((_, response) => void response.end('x'.repeat(70_000)), onTestFinished)
  const sent = httpGate(Date)({ url, secret: 'whsec_' }).send({ facility: 'GA1', epoch: 'e', version: 1 })
  await expect(sent).rejects.toThrow('The gate’s answer is too long')
})

it('retries a gate that does not respond, with a delay that grows from five seconds to an hour', async () => {
  const bench = await pushedGate()
  const { services } = bench
  bench.setAway(true)
  const waits: number[] = []
  for (let time = 0; time < 24; time += 1) {
    await bench.meet()
    const { next_try_at, last_error } = await services.db.read
      .selectFrom('gates')
      .select(['next_try_at', 'last_error'])
      .executeTakeFirstOrThrow()
    expect(last_error).toMatch(/^The gate did not answer: 127\.0\.0\.1/)
    waits.push(Math.round(((next_try_at ?? 0) - services.clock.now()) / 1000))
    services.clock.set(next_try_at ?? 0)
  }
  expect(waits.slice(0, 4)).toEqual([5, 5, 5, 8])
  expect(waits.at(-1)).toBe(3600)
  expect(waits.toSorted((a, b) => a - b)).toEqual(waits)
})
