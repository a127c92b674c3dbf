import { setTimeout as timer } from 'node:timers/promises'
import { DAY } from '../../../domain/durations.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Limit } from '../../../platform/rate-limit-counters.ts'
import { type BankAccount, BankUnavailable } from '../../../ports/bank/bank.ts'

/** Maximum number of attempts of a failing call to the bank. */
const CALL_ATTEMPTS = 3
/** Pause between two attempts, in milliseconds. */
const CALL_RETRY_MS = 3000

/** Browser that authorized a bank debit. */
export interface DebitAuthorizer {
  /** IP address. */
  address: string
  /** User agent. */
  agent: string
}

export interface BankCallOptions {
  /** Waits between two attempts; a timer if omitted. */
  pause?: (milliseconds: number) => Promise<unknown>
}

/**
 * Calls the bank up to three times, three seconds apart (spec 1 §4).
 * @throws BankUnavailable after the last attempt
 */
export async function callWithRetries<T>({ pause = timer }: BankCallOptions, call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof BankUnavailable) || attempt >= CALL_ATTEMPTS) throw error
      await pause(CALL_RETRY_MS)
    }
  }
}

/**
 * Time in milliseconds after which a bank account that was refused is checked again, since it may have been opened or
 * unblocked.
 */
const REFUSED_MS = DAY

const ACCOUNT_CHECK_LIMIT: Limit = { points: 30, perSeconds: 3600, shared: true }

/** Returns the keyed hash of a bank account's numbers, under which the account's state is stored. */
const fingerprintOf = (services: Services, { routing, account }: Pick<BankAccount, 'routing' | 'account'>): string =>
  services.sealer.fingerprint(`${routing}:${account}`, 'bank account')

/** Stores the result of an account check under the account's hash. */
async function saveAccountState(
  services: Services,
  hash: string,
  state: 'valid' | 'refused',
  reference: string,
): Promise<void> {
  const row = { state, reference: reference.slice(0, 100), checked_at: services.clock.now() }
  await services.db.write
    .insertInto('bank_accounts')
    .values({ account_hash: hash, ...row })
    .onConflict((conflict) => conflict.column('account_hash').doUpdateSet(row))
    .execute()
}

/**
 * Returns whether the account is open and may be debited. Asks the bank before the account's first debit, and again a
 * day after a refusal. Returns false without asking if too many accounts were checked from this IP address.
 * @throws BankUnavailable
 */
export async function canBeDebited(
  services: Services,
  account: BankAccount,
  address: string,
  options: BankCallOptions,
): Promise<boolean> {
  const hash = fingerprintOf(services, account)
  const stored = await services.db.read
    .selectFrom('bank_accounts')
    .select(['state', 'checked_at'])
    .where('account_hash', '=', hash)
    .executeTakeFirst()
  if (stored?.state === 'valid') return true
  if (stored && stored.checked_at > services.clock.now() - REFUSED_MS) return false
  // Looks like a refusal, so that a caller who tries account numbers cannot tell the limit from a refused account.
  if (!(await services.limits.consumeFrom(address, 'bank account', ACCOUNT_CHECK_LIMIT)).allowed) return false
  const { valid, reference } = await callWithRetries(options, () => services.bank.validateAccount(account))
  await saveAccountState(services, hash, valid ? 'valid' : 'refused', reference)
  return valid
}

/**
 * Stores that a bank account is closed or cannot be debited.
 * @param code the bank's return code
 */
export const recordAccountClosed = (services: Services, account: BankAccount, code: string): Promise<void> =>
  saveAccountState(services, fingerprintOf(services, account), 'refused', code)
