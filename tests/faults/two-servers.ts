/**
 * The website and its storage system as two processes with a database each: units are rented and dues paid by card while the
 * one, the other or both are killed at random moments. Then every invariant is checked, where what belongs to whom is kept,
 * and the website's copy is compared with the records row by row.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Database, openDatabase } from '../../database/open.ts'
import { demoPassword } from '../../demo/people.ts'
import { folderFiles } from '../../ports/files/folder.ts'
import { seededRandom } from '../../ports/testing.ts'
import type { TestCardName } from '../../sandbox/cards.ts'
import { payAtHostedPage } from '../../sandbox/pay.ts'
import { startSandbox } from '../../sandbox/sandbox.ts'
import { copyDiffers } from '../../storage-system/testing-two-servers.ts'
import { isSettled, type ProviderOrder, violations } from './invariants.ts'
import { lettable, rentAtKiosk, type Told } from './kiosk.ts'
import { type SiteMachine, siteMachine } from './machines.ts'

export interface TwoServerReport {
  websiteKills: number
  recordsKills: number
  movedIn: number
  duesPaid: number
  refused: number
  walkedAway: number
  /** Empty when every invariant holds. */
  violations: string[]
}

const cards: readonly TestCardName[] = ['visa', 'visa', 'mastercard', 'amex', 'declined', 'late', 'lost']
/** Both clocks go on this much at every start: past the time a browser gets to come back by itself. */
const step = 30_000
const mostRounds = 12

/**
 * @param of.postgres which of the two have a PostgreSQL database, and where
 * @throws Error where a server answers what it never should, or does not start
 */
export async function runTwoServerFaults(of: {
  runs: number
  seed: number
  kiosks?: number
  payers?: number
  postgres?: { website?: string | undefined; records?: string | undefined }
  log?: (line: string) => void
}): Promise<TwoServerReport> {
  const { runs, seed, kiosks = 4, payers = 4, postgres = {}, log = () => {} } = of
  const random = seededRandom(seed)
  const pick = <T>(list: readonly T[]): T => list[random.integer(0, list.length - 1)] as T
  const [websiteDir, recordsDir] = ['website', 'records'].map((name) =>
    mkdtempSync(join(tmpdir(), `latchkey-two-${name}-`)),
  ) as [string, string]
  const sandbox = await startSandbox({ port: 0, dataDir: websiteDir, slowMs: 300 })
  const SITE_KEY = 'what-website-and-storage-system-share'
  const none = { CARD_PROVIDER_URL: '', CARD_PROVIDER_XWEB_ID: '', CARD_PROVIDER_TERMINAL_ID: '' }
  const records = await siteMachine({
    ...{ dataDir: recordsDir, sandboxUrl: '' },
    ...(postgres.records && { databaseUrl: postgres.records }),
    environment: { STORAGE_SYSTEM: 'only', SITE_KEY, ...none, CARD_PROVIDER_AUTH_KEY: '' },
  })
  const website = await siteMachine({
    ...{ dataDir: websiteDir, sandboxUrl: sandbox.url },
    ...(postgres.website && { databaseUrl: postgres.website }),
    environment: { STORAGE_SYSTEM_URL: records.url, SITE_KEY },
  })
  const report: TwoServerReport = {
    ...{ websiteKills: 0, recordsKills: 0, movedIn: 0, duesPaid: 0, refused: 0, walkedAway: 0 },
    violations: [],
  }
  let clock = Date.now()
  const open: Database[] = []
  const ordersOf = async (): Promise<ProviderOrder[]> =>
    ((await (await fetch(`${sandbox.url}/sandbox/ledger`)).json()) as { orders: ProviderOrder[] }).orders
  try {
    await records.start(clock)
    await website.start(clock)
    const look = async (dataDir: string, url: string | undefined) => {
      const db = await openDatabase({ dataDir, readOnly: true, ...(url ? { url } : {}) })
      open.push(db)
      return db
    }
    const here = await look(websiteDir, postgres.website)
    const there = await look(recordsDir, postgres.records)
    const tenants = await there.read
      .selectFrom('leases')
      .innerJoin('tenants', (join) =>
        join
          .onRef('tenants.location_code', '=', 'leases.location_code')
          .onRef('tenants.tenant_id', '=', 'leases.tenant_id'),
      )
      .innerJoin('accounts', 'accounts.account_id', 'tenants.account_id')
      .select(['leases.location_code', 'leases.tenant_id', 'lease_number', 'username'])
      .where('leases.status', '!=', 'Closed')
      .where('auction_prepped', '=', 0)
      .execute()
    const reach = (sent: () => void) => ({ url: website.url, up: website.up, sent })

    /** A tenant that pays a month ahead; who is cut off walks away. */
    async function paysDues(address: string): Promise<boolean> {
      const one = pick(tenants)
      let token = ''
      const ask = async (path: string, body: object): Promise<Record<string, unknown>> => {
        const answer = await fetch(`${website.url}${path}`, {
          ...{ method: 'POST', body: JSON.stringify(body) },
          headers: {
            'content-type': 'application/json',
            'x-forwarded-for': address,
            ...(token && { authorization: `Bearer ${token}` }),
          },
        })
        if (answer.status >= 500 && answer.status !== 503)
          throw new Error(`${path} answered ${answer.status}: ${(await answer.text()).slice(0, 300)}`)
        return (await answer.json()) as Record<string, unknown>
      }
      try {
        token = String((await ask('/api/ssm/login', { username: one.username, password: demoPassword })).token ?? '')
        const lease = { location_code: one.location_code, tenant_id: one.tenant_id, lease_number: one.lease_number }
        const terms = { ...lease, pay_periods: '1', autopay_bit: pick(['0', '1']) }
        const opened = await ask('/api/paygateway/hostpay/transactions', terms)
        if (!opened.paypageurl) return false
        await payAtHostedPage(String(opened.paypageurl), pick(cards)).catch((error: unknown) => {
          if (!(error instanceof TypeError) && !/answered 303/.test(String(error))) throw error
        })
        await ask('/api/paygateway/directpay/express', { order_id: opened.order_id })
        return true
      } catch (error) {
        if (error instanceof TypeError || error instanceof SyntaxError) return false
        throw error
      }
    }

    const told: Told[] = []
    for (let run = 1; run <= runs; run += 1) {
      let toGo = random.integer(1, (kiosks + payers) * 4)
      let strike = () => {}
      const struck = new Promise<void>((done) => {
        strike = done
      })
      const sent = () => {
        toGo -= 1
        if (toGo === 0) strike()
      }
      const renting = Promise.all(
        Array.from({ length: kiosks }, (_, index) => {
          const place = pick(lettable)
          return rentAtKiosk(
            reach(sent),
            {
              ...{ locationCode: place.code, unitTypeId: place.type, card: pick(cards) },
              ...{ patient: random.integer(0, 3) > 0, email: `two-${seed}-${run}-${index}@example.com` },
              address: `10.${run % 250}.${index}.${random.integer(1, 250)}`,
            },
            random,
          )
        }),
      )
      const paying = Promise.all(
        Array.from({ length: payers }, (_, index) => paysDues(`172.16.${run % 250}.${index + 1}`)),
      )
      // Whatever they throw is looked at below; until then nobody else may.
      const all = Promise.allSettled([renting, paying]).then((ended) => {
        strike()
        return ended
      })
      await struck
      await pause(random.integer(0, 400))
      const killed: [SiteMachine, 'websiteKills' | 'recordsKills'][] = pick([
        [[website, 'websiteKills']],
        [[records, 'recordsKills']],
        [[records, 'recordsKills']],
        [
          [website, 'websiteKills'],
          [records, 'recordsKills'],
        ],
      ])
      for (const [machine, count] of killed) {
        await machine.end('SIGKILL')
        report[count] += 1
      }
      clock += step
      // The website may well be the first that is back.
      await Promise.all(killed.map(([machine]) => machine.start(clock)))
      for (const ended of await all) {
        if (ended.status === 'rejected') report.violations.push(`visitor: ${ended.reason}`)
        else for (const one of ended.value) if (typeof one === 'object') told.push(one)
      }
      log(`run ${run}: ${killed.map(([, name]) => name).join(' and ')}`)
    }

    const settled = async () => isSettled(here, await ordersOf(), clock)
    for (let round = 1; !(await settled()); round += 1) {
      if (round > mostRounds) {
        report.violations.push('the servers did not finish what was begun')
        break
      }
      await website.end('SIGTERM')
      await records.end('SIGTERM')
      clock += step
      await records.start(clock)
      await website.start(clock)
      for (let wait = 0; wait < 20 && !(await settled()); wait += 1) await pause(250)
      log(`coming to rest, round ${round}`)
    }
    // Those that ended last have their say within the copy's next look.
    for (let wait = 0; wait < 20 && (await copyDiffers(here, there)).length > 0; wait += 1) await pause(500)
    report.violations.push(...(await copyDiffers(here, there)))
    const files = folderFiles(join(websiteDir, 'files'))
    report.violations.push(...(await violations(here, files, await ordersOf(), told)))
    const posted = await here.read.selectFrom('payments').select('payer').where('state', '=', 'posted').execute()
    const mails = await here.read.selectFrom('mailbox').select(['recipient', 'subject']).execute()
    const receipts = mails.filter((one) => /^Receipt/.test(one.subject)).length
    const due = await here.read
      .selectFrom('payments')
      .select('order_id')
      .where('state', '=', 'posted')
      .where('amount', '>', 0)
      .execute()
    if (receipts !== due.length) report.violations.push(`I5: ${receipts} receipts for ${due.length} payments`)
    report.movedIn = posted.filter((one) => one.payer === 'move_in').length
    report.duesPaid = posted.filter((one) => one.payer === 'tenant').length
    report.refused = told.filter(({ end }) => end === 'refused').length
    report.walkedAway = told.filter(({ end }) => end === 'walked away').length
    return report
  } finally {
    for (const db of open) await db.close()
    await website.end('SIGKILL')
    await records.end('SIGKILL')
    await sandbox.close()
    for (const folder of [websiteDir, recordsDir]) rmSync(folder, { recursive: true, force: true })
  }
}
