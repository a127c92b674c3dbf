/**
 * Load shedding at a listening server: an address has a limited share; payments and the office have reserved capacity.
 */
import { connect, type Socket } from 'node:net'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { openerForTests } from '../../tests/support/databases.ts'
import { configOf, openTestSite } from '../../tests/support/site.ts'
import { listen } from '../http-server.ts'

const open = openerForTests()
let port: number
let gate: PromiseWithResolvers<void>

beforeEach(async () => {
  gate = Promise.withResolvers<void>()
  const { app } = await openTestSite(await open(), {
    config: configOf({ TRUST_PROXY: '1' }),
    pages: async (request) => {
      if (new URL(request.url).searchParams.has('waits')) await gate.promise
      return new Response('a page')
    },
  })
  const server = await listen({ fetch: app.fetch, first: () => false, host: '127.0.0.1', port: 0 })
  onTestFinished(async () => {
    gate.resolve()
    const { promise, resolve } = Promise.withResolvers<void>()
    server.close(() => resolve())
    await promise
  })
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('no port')
  port = address.port
})

/** Opens a proxy's connection and sends a visitor's request; `answer` has the status of the first response. */
function send(from: string, request: string, headers = '', body = ''): { socket: Socket; answer: Promise<number> } {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  const { promise, resolve } = Promise.withResolvers<number>()
  socket.on('error', () => {})
  socket.on('data', (bytes) => resolve(Number(String(bytes).slice(9, 12))))
  socket.write(`${request} HTTP/1.1\r\nHost: localhost:3000\r\nX-Forwarded-For: ${from}\r\n${headers}\r\n${body}`)
  return { socket, answer: promise }
}

const getStatus = (from: string, path = '/vehicle') => send(from, `GET ${path}`).answer
const form = 'Origin: http://localhost:3000\r\nContent-Type: application/x-www-form-urlencoded\r\n'
/** Sends a request that announces two bytes and has one. */
const sendOneByte = (from: string) => send(from, 'POST /contact', `${form}Content-Length: 2\r\n`, 'a')

/** Waits until this many requests are answered. @returns their statuses */
async function firstStatuses(requests: readonly { answer: Promise<number> }[], count: number): Promise<number[]> {
  const statuses: number[] = []
  const { promise, resolve } = Promise.withResolvers<number[]>()
  for (const { answer } of requests)
    void answer.then((status) => {
      statuses.push(status)
      if (statuses.length === count) resolve(statuses)
    })
  return promise
}

it('refuses a flood of requests only to the address that sends it, one-byte bodies included', async () => {
  const waiting = Array.from({ length: 100 }, () => send('203.0.113.9', 'GET /vehicle?waits=1'))
  expect(new Set(await firstStatuses(waiting, 100 - 64))).toEqual(new Set([503]))
  const bodies = Array.from({ length: 300 }, () => sendOneByte('203.0.113.9').answer)
  expect(new Set(await Promise.all(bodies))).toEqual(new Set([503]))
  expect(await getStatus('198.51.100.4')).toBe(200)
  expect(await send('198.51.100.4', 'POST /contact', `${form}Content-Length: 2\r\n`, 'a=').answer).toBe(200)
})

it('a full site accepts payments and the office', async () => {
  const waiting = Array.from({ length: 256 }, (_, n) => send(`203.0.${Math.floor(n / 32)}.1`, 'GET /vehicle?waits=1'))
  const statuses = Promise.all(waiting.map(({ answer }) => answer))
  const waitUntilFull = async (): Promise<void> =>
    (await getStatus('198.51.100.4')) === 503 ? undefined : waitUntilFull()
  await waitUntilFull()
  expect(await getStatus('198.51.100.4')).toBe(503)
  for (const path of ['/office', '/checkout-completed', '/card-return/LK-1', '/guest/accept-payment'])
    expect([path, await getStatus('198.51.100.4', path)]).toEqual([path, 200])
  // A network may use only part of the reserve.
  const more = Array.from({ length: 20 }, () => send('203.0.113.9', 'GET /online-payment?waits=1'))
  expect(new Set(await firstStatuses(more, 12))).toEqual(new Set([503]))
  expect(await getStatus('198.51.100.4', '/office')).toBe(200)
  gate.resolve()
  expect(new Set(await statuses)).toEqual(new Set([200]))
  expect(await getStatus('198.51.100.4')).toBe(200)
})
