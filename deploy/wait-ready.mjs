/** Waits until a server says that it is ready: `node wait-ready.mjs http://127.0.0.1:3000/readyz [seconds]`. */
import { setTimeout as pause } from 'node:timers/promises'

const [url, seconds = '100'] = process.argv.slice(2)
const last = Date.now() + Number(seconds) * 1000
let said = 'no answer'
while (Date.now() < last) {
  said = await fetch(url, { signal: AbortSignal.timeout(5000) }).then(
    async (answer) => (answer.ok ? '' : answer.text()),
    (error) => String(error.cause?.message ?? error.message),
  )
  if (said === '') process.exit(0)
  await pause(200)
}
console.error(`${url} is not ready after ${seconds} s: ${said}`)
process.exit(1)
