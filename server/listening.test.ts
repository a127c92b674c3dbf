import { connect, type Socket } from 'node:net'
import type { ServerType } from '@hono/node-server'
import { Hono } from 'hono'
import { afterEach, expect, it } from 'vitest'
import { listen, type Patience, patience } from './listening.ts'

let server: ServerType | undefined
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  const { promise, resolve } = Promise.withResolvers<void>()
  if (server) server.close(() => resolve())
  else resolve()
  await promise
  server = undefined
})

const hasty: Patience = { headMs: 100, bodyMs: 100, bytesPerSecond: 1, mostBytes: 1000, idleMs: 60_000 }

/** A site that reads what it is sent, and knows how many requests are inside. */
async function reading(bounds: Patience) {
  const seen = { inside: 0, failed: 0, left: Promise.withResolvers<void>() }
  const app = new Hono()
  app.post('/', async (context) => {
    seen.inside += 1
    try {
      return context.text(`read ${(await context.req.text()).length}`)
    } catch (error) {
      seen.failed += 1
      throw error
    } finally {
      seen.inside -= 1
      if (seen.failed > 0) seen.left.resolve()
    }
  })
  app.onError((_, context) => context.text('failed', 500))
  server = await listen({ fetch: app.fetch, first: () => false, host: '127.0.0.1', port: 0, patience: bounds })
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('no port')
  const open = () => {
    const socket = connect(address.port, '127.0.0.1')
    sockets.push(socket)
    let said = ''
    const closed = Promise.withResolvers<string>()
    const answered = Promise.withResolvers<string>()
    socket.on('data', (bytes) => {
      said += bytes
      if (/read \d/.test(said)) answered.resolve(said)
    })
    socket.on('error', () => {})
    socket.on('close', () => closed.resolve(said))
    return { socket, closed: closed.promise, answered: answered.promise }
  }
  return { seen, open }
}

const head = (length: string) => `POST / HTTP/1.1\r\nHost: site\r\n${length}\r\n\r\n`

it('a body that does not come, and a head that does not end, are answered 408; a long body has its time', async () => {
  const { seen, open } = await reading(hasty)
  // 900 bytes at a byte a second: begun before the others, and still in time after them.
  const long = open()
  long.socket.write(head('Content-Length: 900') + 'x'.repeat(400))
  const headless = open()
  headless.socket.write('POST / HTTP/1.1\r\nHost: si')
  expect(await headless.closed).toMatch(/^HTTP\/1\.1 408 /)
  expect(seen.inside).toBe(1)
  long.socket.write('x'.repeat(500))
  expect(await long.answered).toContain('read 900')
})

it('whoever never sends the rest of a body leaves no request behind', async () => {
  const { seen, open } = await reading({ ...hasty, bytesPerSecond: 1_000_000 })
  for (const body of ['Content-Length: 900', 'Transfer-Encoding: chunked']) {
    seen.left = Promise.withResolvers()
    const endless = open()
    endless.socket.write(`${head(body)}3\r\nabc`)
    expect(await endless.closed).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\nConnection: close\r\n/)
    await seen.left.promise
    expect(seen.inside).toBe(0)
  }
  expect(seen.failed).toBe(2)
})

it('a file of 10 MB from a slow phone, 1 Mbit/s, is in time', () => {
  const bytes = 10 * 1024 * 1024
  const needed = (bytes * 8) / 1_000_000
  expect(patience.mostBytes).toBeGreaterThanOrEqual(bytes)
  expect(patience.bodyMs / 1000 + bytes / patience.bytesPerSecond).toBeGreaterThan(needed * 2)
})
