// A gate controller (gates.md): GATE_KEY=lk_… node gate-client.mjs https://your-site ATL01. Each line typed is a code.
import { createInterface } from 'node:readline'

const [site, facility] = process.argv.slice(2)
const kept = { list: null, events: [], done: {}, shutAt: null, pause: 2 }
const happened = (event) => kept.events.push({ id: crypto.randomUUID(), at: new Date().toISOString(), ...event })
async function call(what, more) {
  const inForce = kept.list && { 'if-none-match': `"${kept.list.epoch}-${kept.list.version}"` }
  const headers = { authorization: `Bearer ${process.env.GATE_KEY}`, 'content-type': 'application/json', ...inForce }
  const init = { headers, redirect: 'error', signal: AbortSignal.timeout(10_000), ...more }
  const answer = await fetch(`${site}/api/gate/${facility}/${what}`, init)
  kept.pause = Number(answer.headers.get('retry-after')) || (kept.list?.poll_s ?? 2)
  if ([401, 403, 404].includes(answer.status)) kept.shutAt ??= Date.now() + 72 * 3_600_000
  if (answer.status >= 400) throw new Error(`${answer.status} ${await answer.text()}`)
  kept.shutAt = null
  return answer.status === 304 ? null : answer.json()
}
async function contact() {
  await new Promise((next) => setTimeout(next, kept.pause * 1000))
  const next = await call('state')
  if (next) {
    if (kept.list?.epoch !== next.epoch || next.version > kept.list.version) kept.list = next
    for (const { id, point } of next.open) kept.done[id] ??= happened({ what: 'opened', point, command: id })
    console.log(`list ${next.epoch}-${next.version}: ${next.codes.length} codes`)
  }
  const sent = kept.events.slice(0, 500)
  if (sent.length === 0) return
  const { unread } = await call('events', { method: 'POST', body: JSON.stringify({ events: sent }) })
  kept.events = kept.events.filter((_, place) => place >= sent.length || unread.some((one) => one.place === place))
}
createInterface({ input: process.stdin }).on('line', (digits) => {
  const found = kept.list?.codes.find(({ code }) => code === digits.trim())
  const local = new Date().toLocaleString('sv-SE', { timeZone: kept.list?.zone })
  const [from, to] = kept.list?.week[(new Date(local.slice(0, 10)).getUTCDay() + 6) % 7] ?? []
  const inHours = found?.hours === 'any' || (local.slice(11) >= from && local.slice(11) < to)
  const why = !found?.opens || Date.now() >= (kept.shutAt ?? Infinity) ? 'closed' : inHours ? '' : 'hours'
  console.log(why === '' ? `open: unit ${found.units.join(', ')}` : 'shut')
  if (found) happened({ what: why === '' ? 'opened' : 'refused', code_id: found.id, why })
})
for (;;) await contact().catch((error) => console.log(`failed: ${error.message}`))
