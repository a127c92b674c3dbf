/**
 * Limits against guessing (brute force): attempts per target and per address, and wrong attempts in all. Counted in the
 * database for all processes; see docs/decisions/signing-in.md.
 */
import { tooManyTries } from '../../domain/texts/too-many-attempts.ts'
import type { SharedLimit } from '../rate-limit-counters.ts'
import { type Refusal, refuse } from './outcome.ts'
import type { Services } from './services.ts'

const per = (perSeconds: number) => (points: number) => ({ points, perSeconds, shared: true }) as const
const quarter = per(900)
const hour = per(3600)
const day = per(86_400)

/** Rate limits for one kind of guess, such as passwords: per target, per network and in total. */
export interface GuessLimits {
  /** Attempts at one target, such as an account or a tenant, in one window or two; empty for no limit. */
  target: readonly SharedLimit[]
  /** Attempts per network. For the office's password only wrong ones count; unset where networks are not counted. */
  address?: SharedLimit
  /** Wrong attempts at one target from all networks; if set, `target` applies per network or known browser. */
  strangers?: SharedLimit
  /** Wrong attempts at all targets from all networks. */
  all: SharedLimit
}

export const guessLimits = {
  password: { target: [quarter(10), day(60)], address: quarter(40), all: hour(2000) },
  /** The current password, which a logged-in user must enter again. */
  presence: { target: [quarter(10), day(60)], all: hour(500) },
  /** A name without an account counts as wrong. */
  'reset name': { target: [hour(5)], address: quarter(20), all: hour(1000) },
  /** These limits apply in addition to five attempts per code. */
  'reset code': { target: [day(50)], address: quarter(20), all: hour(300) },
  unit: { target: [quarter(10), day(30)], address: quarter(20), all: hour(300) },
  reservation: { target: [quarter(10), day(30)], address: quarter(20), all: hour(300) },
  'reservation code': { target: [], address: quarter(20), all: hour(1000) },
  'guest e-mail': { target: [quarter(10), day(30)], address: quarter(20), all: hour(1000) },
  'gate code': { target: [quarter(10), day(30)], address: quarter(20), all: hour(1000) },
  /** Every lookup counts as a wrong one, also those by the contact form of a rental; hence the higher limits. */
  'tenant e-mail': { target: [quarter(10)], address: quarter(60), all: hour(3000) },
  /** Last name and phone digits of the existing tenant as whom a renter wants to continue. */
  'tenant match': { target: [quarter(10), day(30)], all: hour(300) },
  'office password': { target: [quarter(10), day(30)], address: quarter(40), strangers: day(150), all: hour(500) },
  'office factor': { target: [quarter(10), day(30)], all: hour(300) },
  link: { target: [], address: quarter(40), all: hour(1000) },
} as const satisfies Record<string, GuessLimits>

export type Guess = keyof typeof guessLimits

const limitsOf = (guess: Guess): GuessLimits => guessLimits[guess]

/**
 * Keys under which a failed attempt is counted, besides the count of all failed attempts: the client's network and the
 * account or code that was guessed.
 */
interface AttemptOrigin {
  network?: string
  target?: string
}

/** Returns the keys under which wrong attempts are counted. */
function wrongKeys(guess: Guess, { network, target }: AttemptOrigin): { key: string; limit: SharedLimit }[] {
  const { address, strangers, all } = limitsOf(guess)
  return [
    { key: `all:${guess}`, limit: all },
    ...(network === undefined || address === undefined ? [] : [{ key: `${guess}:${network}`, limit: address }]),
    ...(target === undefined || strangers === undefined ? [] : [{ key: `${target}:strangers`, limit: strangers }]),
  ]
}

/** Kinds of guesses whose callers record a reached limit in the security log themselves. */
const recordedByCaller: ReadonlySet<Guess> = new Set(['password', 'reset name', 'reset code'])

function tooMany(services: Services, guess: Guess, retryAfter: number, code: string): Refusal {
  if (!recordedByCaller.has(guess)) services.security.record('limit.reached', { operation: guess })
  return refuse(429, code, tooManyTries(retryAfter), { retryAfter })
}

/** Returns the keys under which attempts at a target are counted. */
export const targetKeys = (guess: Guess, name: string): { key: string; limit: SharedLimit }[] =>
  limitsOf(guess).target.map((limit, index) => ({ key: index === 0 ? name : `${name}:day`, limit }))

/**
 * Counts an attempt at a target, after checking the limits on wrong attempts.
 * @param attempt.name key of the target; if omitted, no attempt is counted
 * @param attempt.code code of the refusal
 * @param attempt.wrong network and target whose wrong attempts are checked, besides the total
 * @param attempt.isTrustedBrowser set for a browser of the target's owner, which is exempt from the limits on wrong
 *   attempts
 * @returns the refusal if a limit is reached, else null
 */
export async function checkAndCountGuess(
  services: Services,
  guess: Guess,
  attempt: { name?: string; isTrustedBrowser?: boolean; code?: string; wrong?: AttemptOrigin } = {},
): Promise<Refusal | null> {
  const code = attempt.code ?? 'too_many'
  for (const { key, limit } of attempt.isTrustedBrowser ? [] : wrongKeys(guess, attempt.wrong ?? {})) {
    const wait = await services.limits.retryAfter(key, limit)
    if (wait > 0) return tooMany(services, guess, wait, code)
  }
  if (attempt.name === undefined) return null
  const result = await services.limits.consumeAll(targetKeys(guess, attempt.name))
  return result.allowed ? null : tooMany(services, guess, result.retryAfterSeconds, code)
}

/** Counts a wrong guess, in total and, if given, for its network and its target. */
export async function countWrongGuess(services: Services, guess: Guess, wrong: AttemptOrigin = {}): Promise<void> {
  for (const { key, limit } of wrongKeys(guess, wrong)) await services.limits.consume(key, limit)
}

/**
 * Counts an attempt to open a link.
 * @returns the refusal if the address's network, or the wrong attempts from all networks, reached a limit, else null
 */
export async function refuseLinkAttempt(services: Services, address: string): Promise<Refusal | null> {
  const refusal = await checkAndCountGuess(services, 'link')
  if (refusal) return refusal
  const { allowed, retryAfterSeconds } = await services.limits.consumeFrom(address, 'link', guessLimits.link.address)
  return allowed ? null : refuse(429, 'too_many', tooManyTries(retryAfterSeconds), { retryAfter: retryAfterSeconds })
}
