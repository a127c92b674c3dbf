/** What time it is by clocks of others: the card provider's `Date` header and the date in the mail server's greeting. */
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Clock } from './clock.ts'

export interface OutsideTime {
  whose: 'the card provider' | 'the mail server'
  /** How far our clock is ahead of it, in milliseconds. */
  ahead: number
}

/** Dates of others come in whole seconds and through caches; leases and rents go by days. */
const APART_MS = 600_000
const PATIENCE_MS = 3000

/** Asks both at once. @returns one entry for each that answers in time and says its time */
export async function askOutsideTimes(
  { cardProviderUrl, smtpUrl }: { cardProviderUrl: string; smtpUrl: string | null },
  clock: Clock,
): Promise<OutsideTime[]> {
  const asked = clock.now()
  const aheadOf = (said: string | null) => {
    const at = Date.parse(said ?? '')
    return Number.isNaN(at) ? [] : [(asked + clock.now()) / 2 - at]
  }
  const [card, mail] = await Promise.all([
    dateOfWebServer(cardProviderUrl).then(aheadOf),
    smtpUrl === null ? [] : dateOfMailServer(smtpUrl).then(aheadOf),
  ])
  return [
    ...card.map((ahead) => ({ whose: 'the card provider' as const, ahead })),
    ...mail.map((ahead) => ({ whose: 'the mail server' as const, ahead })),
  ]
}

/** @returns how far our clock is from all of them, in a sentence; null where one agrees, or none says its time */
export function outsideDoubt(times: readonly OutsideTime[]): string | null {
  if (times.length === 0 || times.some(({ ahead }) => Math.abs(ahead) <= APART_MS)) return null
  const told = times.map(
    ({ whose, ahead }) =>
      `${Math.round(Math.abs(ahead) / 60_000)} minutes ${ahead > 0 ? 'ahead of' : 'behind'} ${whose}`,
  )
  return `The clock here is ${told.join(' and ')}.`
}

const dateOfWebServer = (url: string): Promise<string | null> =>
  fetch(url, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS) }).then(
    (answer) => answer.headers.get('date'),
    () => null,
  )

/** RFC 5322, as Sendmail and Exchange write it into their greeting; many servers write none. */
const DATE = /\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} (?:[+-]\d{4}|GMT|UTC)/

function dateOfMailServer(url: string): Promise<string | null> {
  const { hostname, port, protocol } = new URL(url)
  const secure = protocol === 'smtps:' || port === '465'
  const host = hostname.replace(/^\[|\]$/g, '')
  return new Promise((resolve) => {
    const socket: Socket = secure
      ? connectTls({ host, port: Number(port || 465), servername: isIP(host) === 0 ? host : '' })
      : connectPlain({ host, port: Number(port || 587) })
    let greeting = ''
    const end = (said: string | null) => {
      socket.destroy()
      resolve(said)
    }
    socket.setTimeout(PATIENCE_MS, () => end(null))
    socket.on('error', () => end(null))
    socket.on('close', () => end(null))
    socket.on('data', (chunk) => {
      greeting = (greeting + chunk.toString('latin1')).slice(0, 2000)
      if (/^220 [^\n]*\n/m.test(greeting)) end(DATE.exec(greeting)?.[0] ?? null)
    })
  })
}
