import { setTimeout as timer } from 'node:timers/promises'
import { DAY } from '../../../domain/durations.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Limit } from '../../../platform/rate-limits.ts'
import { type BankAccount, BankUnavailable } from '../../../ports/bank/bank.ts'

/** Attempts of a failed call; `CALL_RETRY_MS` is the pause between them. */
const CALL_ATTEMPTS = 3
const CALL_RETRY_MS = 3000

export interface DebitAuthorizer {
  address: string
  agent: string
}

export interface BankCallOptions {
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

/** A refused account may be opened or unblocked later, so it is validated again after this many milliseconds. */
const REFUSED_MS = DAY

const CHECKS: Limit = { points: 30, perSeconds: 3600, shared: true }

const fingerprintOf = (services: Services, { routing, account }: Pick<BankAccount, 'routing' | 'account'>): string =>
  services.sealer.fingerprint(`${routing}:${account}`, 'bank account')

async function noteAccount(
  services: Services,
  hash: string,
  state: 'valid' | 'refused',
  reference: string,
): Promise<void> {
  const row = { state, reference: reference.slice(0, 100), checked_at: services.clock.now() }
  await services.db.write
    .insertInto('bank_accounts')
    .values({ account_hash: hash, ...row })
    .onConflict((known) => known.column('account_hash').doUpdateSet(row))
    .execute()
}

/**
 * Returns whether the account is open and may be debited. Asks the bank only before the account's first debit.
 * @throws BankUnavailable
 */
export async function canBeDebited(
  services: Services,
  account: BankAccount,
  address: string,
  ways: BankCallOptions,
): Promise<boolean> {
  const hash = fingerprintOf(services, account)
  const known = await services.db.read
    .selectFrom('bank_accounts')
    .select(['state', 'checked_at'])
    .where('account_hash', '=', hash)
    .executeTakeFirst()
  if (known?.state === 'valid') return true
  if (known && known.checked_at > services.clock.now() - REFUSED_MS) return false
  // Looks like a refusal, so that the response does not reveal which accounts exist.
  if (!(await services.limits.consumeFrom(address, 'bank account', CHECKS)).allowed) return false
  const { valid, reference } = await callWithRetries(ways, () => services.bank.validateAccount(account))
  await noteAccount(services, hash, valid ? 'valid' : 'refused', reference)
  return valid
}

export const noteAccountGone = (services: Services, account: BankAccount, code: string): Promise<void> =>
  noteAccount(services, fingerprintOf(services, account), 'refused', code)
