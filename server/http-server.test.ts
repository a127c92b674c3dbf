import { connect, type Socket } from 'node:net'
import type { ServerType } from '@hono/node-server'
import { Hono } from 'hono'
import { afterEach, expect, it, vi } from 'vitest'
import { readBytes } from '../api/request-body.ts'
import { requestTooLate } from '../domain/texts/general-errors.ts'
import { type ClientTimeouts, clientTimeouts, listen } from './http-server.ts'

const servers: ServerType[] = []
const sockets: Socket[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const server of servers.splice(0)) {
    const { promise, resolve } = Promise.withResolvers<void>()
    server.close(() => resolve())
    await promise
  }
})

/** Limit that no test reaches, so that on a slow machine only the tested limit applies. */
const ever = 600_000
const patient: ClientTimeouts = {
  headMs: ever,
  bodyMs: ever,
  bytesPerSecond: 1,
  maxBytes: 1000,
  stillMs: ever,
  idleMs: ever,
}

async function startServer(bounds: ClientTimeouts) {
  const requests = { inside: 0, failed: 0, entered: Promise.withResolvers<void>(), left: Promise.withResolvers<void>() }
  const app = new Hono()
  app.post('/', async (context) => {
    requests.inside += 1
    requests.entered.resolve()
    try {
      return context.text(`read ${(await context.req.text()).length}`)
    } catch (error) {
      requests.failed += 1
      throw error
    } finally {
      requests.inside -= 1
      if (requests.failed > 0) requests.left.resolve()
    }
  })
  app.get('/large', (context) => context.body(new Uint8Array(64 * 1024 * 1024)))
  app.post('/refused', (context) => context.text('refused', 413))
  app.post('/limited', async (context) => {
    const read = await readBytes(context.req.raw, 1000)
    return context.text('refused', read.ok ? 200 : 413)
  })
  app.post('/begun', async (context) => {
    await context.req.raw.body?.getReader().read()
    return context.text('refused', 413)
  })
  app.onError((_, context) => context.text('failed', 500))
  const server = await listen({ fetch: app.fetch, first: () => false, host: '127.0.0.1', port: 0, timeouts: bounds })
  servers.push(server)
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('no port')
  const open = () => {
    const socket = connect(address.port, '127.0.0.1')
    sockets.push(socket)
    let received = ''
    const closed = Promise.withResolvers<string>()
    const answered = Promise.withResolvers<string>()
    socket.on('data', (bytes) => {
      received += bytes
      if (/read \d|refused/.test(received)) answered.resolve(received)
    })
    socket.on('error', () => {})
    socket.on('close', () => closed.resolve(received))
    return { socket, closed: closed.promise, answered: answered.promise }
  }
  return { requests, open }
}

const head = (length: string) => `POST / HTTP/1.1\r\nHost: site\r\n${length}\r\n\r\n`

it('answers 408 to a request head that does not end', async () => {
  const { requests, open } = await startServer({ ...patient, headMs: 100 })
  const headless = open()
  headless.socket.write('POST / HTTP/1.1\r\nHost: si')
  expect(await headless.closed).toMatch(/^HTTP\/1\.1 408 /)
  expect(requests.inside).toBe(0)
})

it('a client that never sends the rest of a body gets a response and leaves no request behind; a long body has enough time', async () => {
  const { requests, open } = await startServer({ ...patient, bodyMs: 100 })
  // Its first 400 bytes give this request at least 400 seconds more: it begins before the others and ends after them.
  const long = open()
  long.socket.write(head('Content-Length: 900') + 'x'.repeat(400))
  await requests.entered.promise
  for (let count = 1; count <= 2; count += 1) {
    requests.left = Promise.withResolvers()
    const endless = open()
    endless.socket.write(`${head('Content-Length: 2')}a`)
    const response = await endless.closed
    expect(response).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\nConnection: close\r\n/)
    expect(response.endsWith(`\r\n\r\n${requestTooLate}`)).toBe(true)
    await requests.left.promise
    expect(requests).toMatchObject({ inside: 1, failed: count })
  }
  long.socket.write('x'.repeat(500))
  expect(await long.answered).toContain('read 900')
})

it.each([
  // If the announced bytes extended the time, the test would not end.
  ['only promises its length', { bytesPerSecond: 100, maxBytes: ever }, head(`Content-Length: ${ever}`)],
  ['does not say how long it is', { maxBytes: 1 }, `${head('Transfer-Encoding: chunked')}3\r\nabc`],
])('a body that %s has time for the bytes received, at most for the longest body', async (_, bounds, sent) => {
  const { requests, open } = await startServer({ ...patient, bodyMs: 100, ...bounds })
  const slow = open()
  slow.socket.write(sent)
  expect(await slow.closed).toMatch(/^HTTP\/1\.1 408 /)
  await requests.left.promise
  expect(requests).toMatchObject({ inside: 0, failed: 1 })
})

it('a client that does not read its answer is disconnected', async () => {
  const { open } = await startServer({ ...patient, stillMs: 200 })
  const idle = open()
  idle.socket.pause()
  idle.socket.write('GET /large HTTP/1.1\r\nHost: site\r\n\r\n')
  await vi.waitFor(() => expect(idle.socket.readableLength).toBeGreaterThan(0), 10_000)
  const [server] = servers
  const connections = () => new Promise<number>((response) => server?.getConnections((_, count) => response(count)))
  await vi.waitFor(async () => expect(await connections()).toBe(0), { timeout: 10_000, interval: 50 })
})

it('accepts a file of 10 MB from a slow phone, 1 Mbit/s', () => {
  const bytes = 10 * 1024 * 1024
  const needed = (bytes * 8) / 1_000_000
  expect(clientTimeouts.maxBytes).toBeGreaterThanOrEqual(bytes)
  expect(clientTimeouts.bodyMs / 1000 + bytes / clientTimeouts.bytesPerSecond).toBeGreaterThan(needed * 2)
})

it('keeps the connection after refusing a request before its body arrived, since a proxy reuses it', async () => {
  const { open } = await startServer(patient)
  const proxy = open()
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  proxy.socket.write(`POST /refused HTTP/1.1\r\nHost: site\r\nContent-Length: 900\r\n\r\n${'x'.repeat(400)}`)
  expect(await proxy.answered).toMatch(/^HTTP\/1\.1 413 /)
  for (let turn = 0; turn < 5; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve))
    await vi.advanceTimersByTimeAsync(2000)
  }
  let next = ''
  const read = new Promise<string>((resolve) => {
    proxy.socket.on('data', (bytes) => {
      next += bytes
      if (/read 3/.test(next)) resolve(next)
    })
  })
  proxy.socket.write(`${'x'.repeat(500)}${head('Content-Length: 3')}abc`)
  expect(await Promise.race([read, proxy.closed])).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*read 3$/)
})

const megabyte = 'x'.repeat(1024 * 1024)
const long = `Content-Length: ${8 * megabyte.length}`
const chunk = `100000\r\n${megabyte}\r\n`

it.each([
  ['/refused', 'before any of it is read', long, megabyte, ''],
  ['/begun', 'when a part of it is read', long, megabyte, ''],
  ['/limited', 'at the limit of a body without a length', 'Transfer-Encoding: chunked', chunk, '0\r\n\r\n'],
])('keeps the connection after an upload that %s answers early, %s', async (path, _, length, part, end) => {
  const { open } = await startServer(patient)
  const proxy = open()
  proxy.socket.write(`POST ${path} HTTP/1.1\r\nHost: site\r\n${length}\r\n\r\n${part}`)
  expect(await Promise.race([proxy.answered, proxy.closed])).toMatch(/^HTTP\/1\.1 413 /)
  const next = Promise.withResolvers<string>()
  let nextResponse = ''
  proxy.socket.on('data', (bytes) => {
    nextResponse += bytes
    if (/read 3/.test(nextResponse)) next.resolve(nextResponse)
  })
  for (let sent = 1; sent < 8; sent += 1) proxy.socket.write(part)
  proxy.socket.write(`${end}${head('Content-Length: 3')}abc`)
  expect(await Promise.race([next.promise, proxy.closed])).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*read 3$/)
})

it('closes the connection if the rest of a refused body does not arrive in time', async () => {
  const { open } = await startServer({ ...patient, bodyMs: 100 })
  const endless = open()
  endless.socket.write('POST /refused HTTP/1.1\r\nHost: site\r\nContent-Length: 2\r\n\r\na')
  expect(await endless.closed).toMatch(/^HTTP\/1\.1 413 [\s\S]*refused$/)
})
