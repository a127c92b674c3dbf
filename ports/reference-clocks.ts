/**
 * Compares our clock with outside ones: the card provider's `Date` header and the date in the mail server's greeting.
 */

import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { MINUTE } from '../domain/durations.ts'
import type { Clock } from './clock-and-random.ts'

/** The difference between our clock and an outside clock. */
export interface OutsideTime {
  whose: 'the card provider' | 'the mail server'
  /** Milliseconds by which our clock is ahead; negative if it is behind. */
  ahead: number
}

/**
 * Tolerated difference in milliseconds: outside dates have whole seconds and may be cached, and rents are due by the
 * day.
 */
const TOLERANCE_MS = 600_000
const TIMEOUT_MS = 3000

/** Reads both outside clocks concurrently. @returns an entry for each server that sends its time before the timeout */
export async function askOutsideTimes(
  { cardProviderUrl, smtpUrl }: { cardProviderUrl: string; smtpUrl: string | null },
  clock: Clock,
): Promise<OutsideTime[]> {
  const startedAt = clock.now()
  const aheadOf = (date: string | null) => {
    const outsideNow = Date.parse(date ?? '')
    return Number.isNaN(outsideNow) ? [] : [(startedAt + clock.now()) / 2 - outsideNow]
  }
  const [card, mail] = await Promise.all([
    readWebServerDate(cardProviderUrl).then(aheadOf),
    smtpUrl === null ? [] : readMailServerDate(smtpUrl).then(aheadOf),
  ])
  return [
    ...card.map((ahead) => ({ whose: 'the card provider' as const, ahead })),
    ...mail.map((ahead) => ({ whose: 'the mail server' as const, ahead })),
  ]
}

/**
 * Returns a sentence on how far our clock differs from the outside clocks; null if one agrees or none sent its time.
 */
export function findReferenceClockProblem(times: readonly OutsideTime[]): string | null {
  if (times.length === 0 || times.some(({ ahead }) => Math.abs(ahead) <= TOLERANCE_MS)) return null
  const differences = times.map(
    ({ whose, ahead }) =>
      `${Math.round(Math.abs(ahead) / MINUTE)} minutes ${ahead > 0 ? 'ahead of' : 'behind'} ${whose}`,
  )
  return `The clock here is ${differences.join(' and ')}.`
}

const readWebServerDate = (url: string): Promise<string | null> =>
  fetch(url, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) }).then(
    (response) => response.headers.get('date'),
    () => null,
  )

/** The RFC 5322 date in the greeting of Sendmail and Exchange; many servers send none. */
const DATE = /\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} (?:[+-]\d{4}|GMT|UTC)/

function readMailServerDate(url: string): Promise<string | null> {
  const { hostname, port, protocol } = new URL(url)
  const secure = protocol === 'smtps:' || port === '465'
  const host = hostname.replace(/^\[|\]$/g, '')
  return new Promise((resolve) => {
    const socket: Socket = secure
      ? connectTls({ host, port: Number(port || 465), servername: isIP(host) === 0 ? host : '' })
      : connectPlain({ host, port: Number(port || 587) })
    let greeting = ''
    const end = (date: string | null) => {
      socket.destroy()
      resolve(date)
    }
    socket.setTimeout(TIMEOUT_MS, () => end(null))
    socket.on('error', () => end(null))
    socket.on('close', () => end(null))
    socket.on('data', (chunk) => {
      greeting = (greeting + chunk.toString('latin1')).slice(0, 2000)
      if (/^220 [^\n]*\n/m.test(greeting)) end(DATE.exec(greeting)?.[0] ?? null)
    })
  })
}
