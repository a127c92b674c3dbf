// A gate controller: GATE_KEY=lk_… node gate-client.mjs https://your-site ATL01. Each line typed is a code at the keypad.
import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline'

const [site, facility] = process.argv.slice(2)
const address = `${site}/api/gate/${facility}`
const headers = { authorization: `Bearer ${process.env.GATE_KEY}`, 'content-type': 'application/json' }
const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const clock = { weekday: 'short', hour: '2-digit', minute: '2-digit' }
let list = null
let events = []

const happened = (event) => events.push({ id: randomUUID(), at: new Date().toISOString(), point: 'main', ...event })

async function contact() {
  const inForce = list ? { 'if-none-match': `"${list.epoch}-${list.version}"` } : {}
  const answer = await fetch(`${address}/state`, { headers: { ...headers, ...inForce } })
  if (answer.status === 200) {
    const next = await answer.json()
    if (list?.epoch !== next.epoch || next.version > list.version) list = next
    for (const { id, point } of next.open) happened({ id: `did-${id}`, point, what: 'opened', command: id })
    console.log(`list ${list.epoch}-${list.version}: ${list.codes.length} codes`)
  } else if (answer.status !== 304) console.log(`answer ${answer.status}: ${await answer.text()}`)
  const sent = events.slice(0, 500)
  const body = JSON.stringify({ events: sent })
  if (sent.length > 0 && (await fetch(`${address}/events`, { method: 'POST', headers, body })).ok)
    events = events.slice(sent.length)
}
createInterface({ input: process.stdin }).on('line', (digits) => {
  const found = list?.codes.find(({ code }) => code === digits.trim())
  const [day, time] = new Date().toLocaleString('en-GB', { ...clock, timeZone: list?.zone }).split(/,? /)
  const [from, to] = list?.week[days.indexOf(day)] ?? ['', '']
  const opens = found?.opens && (found.hours === 'any' || (time >= from && time < to))
  console.log(opens ? `open: unit ${found.units.join(', ')}` : 'shut')
  if (found) happened({ what: opens ? 'opened' : 'refused', code_id: found.id })
})
for (;;) {
  await contact().catch((error) => console.log(`no answer: ${error.message}`))
  await new Promise((next) => setTimeout(next, (list?.poll_s ?? 5) * 1000))
}
