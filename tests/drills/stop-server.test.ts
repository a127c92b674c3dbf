/** Stopping a server, as real processes: it ends however it was started, and no visitor sees an error. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { ensureBuild } from '../../server/build.mjs'
import { freePort } from '../actors/free-port.ts'
import { environmentOf, fetchStatus, openSite } from '../actors/run-site-process.ts'
import { openerForTests, placeOf } from '../support/databases.ts'
import { openTestServices } from '../support/small-operator.ts'
import { findProgram } from './drill-definition.ts'

const root = join(import.meta.dirname, '..', '..')
/** Waits until a condition is met. Returns whether that happened in time. */
const waitUntil = async (isMet: () => Promise<boolean>, maxMs: number) => {
  const began = performance.now()
  while (performance.now() - began < maxMs) {
    if (await isMet()) return true
    await pause(25)
  }
  return false
}

const open = openerForTests()

/** Creates a business in a data folder, so that the site need not seed the demo. */
async function newDataDir(): Promise<string> {
  const db = await open()
  await openTestServices(db)
  return placeOf(db).dataDir
}

describe('SIGTERM', () => {
  beforeAll(() => ensureBuild())

  const node = [process.execPath, 'server/launch.mjs'] as const
  const supervisors = ['tini', 'dumb-init'].filter((program) => findProgram(program))
  it.each([
    ['npm start', 'npm', ['start']],
    ['node --run start', process.execPath, ['--run', 'start']],
    ['node server/launch.mjs', node[0], [node[1]]],
    ...supervisors.map((program): [string, string, string[]] => [
      `${program} -- node server/launch.mjs`,
      program,
      ['--', ...node],
    ]),
  ])(
    'to %s ends the site and its sandbox',
    async (form, program, words) => {
      const port = await freePort()
      const sandboxPort = await freePort()
      const dataDir = await newDataDir()
      const child = spawn(program, words, {
        cwd: root,
        stdio: 'ignore',
        env: {
          ...environmentOf({ dataDir }),
          DEMO: 'off',
          PORT: String(port),
          SANDBOX_PORT: String(sandboxPort),
          LOG_LEVEL: 'silent',
          PRINT_LOGINS: 'off',
          // npm or Node has set these for the test run. A server with one of them stops when its parent process changes,
          // so only a start command under test may set it.
          npm_lifecycle_event: '',
          NODE_RUN_SCRIPT_NAME: '',
        },
      })
      onTestFinished(() => void child.kill('SIGKILL'))
      const ended = once(child, 'exit')
      const urls = [`http://127.0.0.1:${port}/readyz`, `http://127.0.0.1:${sandboxPort}/`] as const
      expect(
        await waitUntil(
          async () => (await fetchStatus(urls[0])) === 200 && (await fetchStatus(urls[1])) === 200,
          60_000,
        ),
      ).toBe(true)
      child.kill('SIGTERM')
      for (const url of urls)
        expect(await waitUntil(async () => (await fetchStatus(url)) === 0, 10_000), url).toBe(true)
      if (form.includes('launch.mjs')) expect((await ended)[0]).toBe(0)
    },
    90_000,
  )

  it('lets the proxy notice first: later requests are answered, and each connection closes after its response', async () => {
    const site = await openSite({ dataDir: await newDataDir(), environment: { DEMO: 'off', DRAIN_MS: '1500' } })
    onTestFinished(() => site.end('SIGKILL').then(() => {}))
    await site.start()
    const { hostname, port } = new URL(site.url)
    const at = { hostname, port }
    let lastAnswerAt = 0
    /**
     * Sends one request on the agent's only connection.
     * @returns whether the response says `Connection: close`
     */
    const sendRequest = (agent: Agent) =>
      new Promise<boolean>((resolve, reject) => {
        request({ ...at, agent, path: '/api/settings?name=maintenance' }, (answer) => {
          lastAnswerAt = performance.now()
          if (answer.statusCode !== 200) reject(new Error(`answered ${answer.statusCode}`))
          answer.resume().once('end', () => resolve(answer.headers.connection === 'close'))
        })
          .once('error', reject)
          .end()
      })
    // Like a proxy, each client sends no more requests once a response says `Connection: close`.
    const clients = Promise.all(
      Array.from({ length: 8 }, async () => {
        const agent = new Agent({ keepAlive: true, maxSockets: 1 })
        while (!(await sendRequest(agent))) await pause(20)
        agent.destroy()
      }),
    )
    // The rest of the body is sent after the signal.
    const slow = new Promise<number>((resolve, reject) => {
      const body = JSON.stringify({ location_code: 'GA1' })
      const sent = request(
        {
          ...at,
          method: 'POST',
          path: '/api/ssm/GetLocations',
          headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
        },
        (answer) => resolve(answer.resume().statusCode!),
      )
      sent.once('error', reject)
      sent.write(body.slice(0, 5))
      setTimeout(() => sent.end(body.slice(5)), 1400)
    })
    await pause(300)
    const signalled = performance.now()
    const ended = site.end('SIGTERM')
    expect(await waitUntil(async () => (await fetchStatus(`${site.url}/readyz`)) === 503, 1000)).toBe(true)
    // Clients that have not noticed yet are still served.
    expect(await fetchStatus(`${site.url}/api/settings?name=maintenance`)).toBe(200)
    await clients
    expect(lastAnswerAt).toBeGreaterThan(signalled)
    expect(await slow).toBeLessThan(500)
    expect(await ended).toBe(0)
    expect(performance.now() - signalled).toBeGreaterThan(1500)
    expect(await fetchStatus(`${site.url}/readyz`)).toBe(0)
  }, 60_000)
})
