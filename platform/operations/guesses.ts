/**
 * Bounds on guessing: per target, per address, and wrong tries in all. Counted in the shared table; see
 * docs/decisions/signing-in.md.
 */
import { tooManyTries } from '../../domain/texts/tries.ts'
import type { SharedLimit } from '../rate-limits.ts'
import { type Refusal, refuse } from './outcome.ts'
import type { Services } from './services.ts'

const per = (perSeconds: number) => (points: number) => ({ points, perSeconds, shared: true }) as const
const quarter = per(900)
const hour = per(3600)
const day = per(86_400)

export interface Bounds {
  target: readonly SharedLimit[]
  /** Every try; declared as the operation's `limit`. Of the office's password the wrong ones. */
  address: SharedLimit
  /** Wrong tries at one target from all networks; where it is given, `target` is for each network. */
  strangers?: SharedLimit
  all: SharedLimit
}

export const guessBounds = {
  password: { target: [quarter(10), day(60)], address: quarter(40), all: hour(2000) },
  /** The current password, of a browser that is signed in. */
  presence: { target: [quarter(10), day(60)], address: quarter(40), all: hour(500) },
  /** Names without an account are the wrong ones. */
  'reset name': { target: [hour(5)], address: quarter(20), all: hour(1000) },
  /** Besides five tries at each code. */
  'reset code': { target: [day(50)], address: quarter(20), all: hour(300) },
  unit: { target: [quarter(10), day(30)], address: quarter(20), all: hour(300) },
  reservation: { target: [quarter(10), day(30)], address: quarter(20), all: hour(300) },
  'reservation code': { target: [], address: quarter(20), all: hour(1000) },
  'guest e-mail': { target: [quarter(10), day(30)], address: quarter(20), all: hour(1000) },
  'gate code': { target: [quarter(10), day(30)], address: quarter(20), all: hour(1000) },
  /** The contact form asks for each renter, so every question counts. */
  'tenant e-mail': { target: [quarter(10)], address: quarter(60), all: hour(3000) },
  /** Last name and digits of the tenant on file with whom a renter says to continue. */
  'tenant match': { target: [quarter(10), day(30)], address: hour(120), all: hour(300) },
  'office password': { target: [quarter(10), day(30)], address: quarter(40), strangers: day(150), all: hour(500) },
  'office factor': { target: [quarter(10), day(30)], address: quarter(40), all: hour(300) },
  link: { target: [], address: quarter(40), all: hour(1000) },
} as const satisfies Record<string, Bounds>

export type Guess = keyof typeof guessBounds

const boundsOf = (guess: Guess): Bounds => guessBounds[guess]

/** Whose wrong tries are counted besides all of them: those from a network, and those of strangers at a target. */
interface Wrong {
  network?: string
  target?: string
}

/** Where the wrong tries of strangers are counted. */
function wrongKeys(guess: Guess, { network, target }: Wrong): { key: string; limit: SharedLimit }[] {
  const { address, strangers, all } = boundsOf(guess)
  return [
    { key: `all:${guess}`, limit: all },
    ...(network === undefined ? [] : [{ key: `${guess}:${network}`, limit: address }]),
    ...(target === undefined || strangers === undefined ? [] : [{ key: `${target}:strangers`, limit: strangers }]),
  ]
}

/** Their callers record the lock-out themselves, with the account. */
const writtenByCaller: ReadonlySet<Guess> = new Set(['password', 'reset name', 'reset code'])

function tooMany(services: Services, guess: Guess, retryAfter: number, code: string): Refusal {
  if (!writtenByCaller.has(guess)) services.security.record('limit.reached', { operation: guess })
  return refuse(429, code, tooManyTries(retryAfter), { retryAfter })
}

/** The keys under which tries at a target are counted. */
export const targetKeys = (guess: Guess, name: string): { key: string; limit: SharedLimit }[] =>
  boundsOf(guess).target.map((limit, at) => ({ key: at === 0 ? name : `${name}:day`, limit }))

/**
 * Counts a try at a target. @param asked.known a browser of the target's owner is exempt from the bounds on strangers.
 * @returns the refusal at a bound
 */
export async function countGuess(
  services: Services,
  guess: Guess,
  asked: { name?: string; known?: boolean; code?: string; wrong?: Wrong } = {},
): Promise<Refusal | null> {
  const code = asked.code ?? 'too_many'
  for (const { key, limit } of asked.known ? [] : wrongKeys(guess, asked.wrong ?? {})) {
    const wait = await services.limits.retryAfter(key, limit)
    if (wait > 0) return tooMany(services, guess, wait, code)
  }
  if (asked.name === undefined) return null
  const spent = await services.limits.consumeAll(targetKeys(guess, asked.name))
  return spent.allowed ? null : tooMany(services, guess, spent.retryAfterSeconds, code)
}

/** Counts a stranger's wrong try. */
export async function wrongGuess(services: Services, guess: Guess, wrong: Wrong = {}): Promise<void> {
  for (const { key, limit } of wrongKeys(guess, wrong)) await services.limits.consume(key, limit)
}
