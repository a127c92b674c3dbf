/** One id finds what a request did: its page, its payment, its calls of partners, and the mail that it caused. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { payAtHostedPage } from '../../sandbox/pay.ts'
import { SANDBOX_CREDENTIALS, startSandbox } from '../../sandbox/server.ts'
import { ensureBuild } from '../../server/build.mjs'
import { freePort } from '../actors/free-port.ts'
import { openCardPage } from '../actors/payer.ts'
import { isAvailable, reserve, signLease } from '../actors/renter.ts'
import { environmentOf } from '../actors/site.ts'
import { Visitor } from '../actors/visitor.ts'
import { temporaryFolder } from '../support/databases.ts'

type Line = Record<string, unknown> & { msg: string; request_id?: string }

beforeAll(() => ensureBuild())

/** The built site with a log, and what waits for a line of it. */
async function openLoggedSite() {
  const sandbox = await startSandbox({ port: 0, dataDir: temporaryFolder(), credentials: SANDBOX_CREDENTIALS })
  onTestFinished(() => sandbox.close())
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, ['server/launch.mjs'], {
    cwd: join(import.meta.dirname, '../..'),
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...environmentOf({ dataDir: temporaryFolder() }, sandbox.url),
      ...{ PORT: String(port), PUBLIC_URL: url, TRUST_PROXY: '1', ACCESS_LOG: 'on', LOG_LEVEL: 'info' },
      PRINT_LOGINS: 'off',
    },
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await once(child, 'close')
  })
  const lines: Line[] = []
  const waiting = new Set<() => void>()
  createInterface({ input: child.stdout }).on('line', (text) => {
    if (text.startsWith('{')) lines.push(JSON.parse(text) as Line)
    for (const look of waiting) look()
  })
  const line = (is: (one: Line) => boolean) =>
    new Promise<Line>((resolve) => {
      const look = () => {
        const found = lines.find(is)
        if (!found) return
        waiting.delete(look)
        resolve(found)
      }
      waiting.add(look)
      look()
    })
  await line(({ msg }) => msg === 'ready')
  return { url, lines, line }
}

it('finds page, payment, provider call and mail by the id that the page answered with', async () => {
  const { url, lines, line } = await openLoggedSite()
  let id = ''
  const answered = ({ headers }: { headers: Record<string, unknown> }) => {
    id = String(headers['x-request-id'])
  }
  const visitor = new Visitor({ url, answered }, '203.0.113.7')
  const kind = isAvailable[0]!
  expect(await reserve(visitor, kind, 'one-id@example.com')).not.toBeNull()
  await signLease(visitor, kind.code)
  const { url: cardPage, orderId } = await openCardPage(visitor, { location_code: kind.code })
  const { returnUrl } = await payAtHostedPage(cardPage, 'visa')
  const frame = await visitor.page(returnUrl.slice(url.length))
  const back = /\/confirm-rental-payment[^"']*/.exec(frame.html)?.[0].replaceAll('&amp;', '&') ?? ''
  expect(await visitor.page(back)).toMatchObject({ status: 302, to: '/rental-completed' })
  const own = (is: (one: Line) => boolean) => line((one) => one.request_id === id && is(one))
  expect(await own(({ msg }) => msg === 'answered')).toMatchObject({ route: '/confirm-rental-payment', status: 302 })
  expect(await own(({ msg }) => msg === 'payment')).toMatchObject({ order: orderId, outcome: 'posted' })
  expect(await own(({ party }) => party === 'card')).toMatchObject({ call: 'queryPayment', order: orderId })
  for (const kind of ['receipt', 'move_in_completed']) await own((one) => one.msg === 'job done' && one.kind === kind)
  await own(({ party, call }) => party === 'mail' && call === 'send')
  expect(lines.filter(({ msg }) => msg === 'payment')).toHaveLength(1)
}, 60_000)
