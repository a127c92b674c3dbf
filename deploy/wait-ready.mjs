/** Waits until the server at HOST and PORT is ready: `node wait-ready.mjs [about how many seconds, 100]`. */
import { setTimeout as pause } from 'node:timers/promises'

const { HOST = '0.0.0.0', PORT = '3000' } = process.env
const host = { '0.0.0.0': '127.0.0.1', '::': '::1' }[HOST] ?? HOST
const url = `http://${host.includes(':') ? `[${host}]` : host}:${PORT}/readyz`
const seconds = Number(process.argv[2] ?? 100)
const deadline = Date.now() + seconds * 1000
let problem = 'no answer'
while (Date.now() < deadline) {
  problem = await fetch(url, { signal: AbortSignal.timeout(5000) }).then(
    async (response) => (response.ok ? '' : response.text()),
    (error) => String(error.cause?.message ?? error.message),
  )
  if (problem === '') process.exit(0)
  await pause(200)
}
console.error(`${url} is not ready after ${seconds} s: ${problem}`)
process.exit(1)
