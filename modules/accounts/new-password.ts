/** Whether a new password may be taken: at registration, after a reset, and where it is changed. On the server alone. */

import { passwordBreached } from '../../domain/texts/account.ts'
import type { Services } from '../../platform/operations/services.ts'
import { type CommonPasswords, weakPassword } from './password-rules.ts'

/** So many of the list, the commonest first, are also tried with digits and signs around them. */
const STEMS = 3000

let loading: Promise<CommonPasswords> | undefined

/** 49,000 passwords, the commonest first; read once somebody chooses one. */
async function load(): Promise<CommonPasswords> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const list = dictionary['passwords-common']
  const stems = list.slice(0, STEMS).filter((one) => /^[a-z]{4,}$/.test(one))
  return { all: new Set(list), stems: new Set(stems) }
}

/**
 * Why a new password is refused, as it is said to the person; null where it may be taken. A breach service is asked where
 * one is configured, and lets the password pass while it gives no answer.
 * @param own what belongs to the account and is tried first: e-mail address, username
 */
export async function passwordFault(
  services: Pick<Services, 'breachedPasswords'>,
  password: string,
  own: readonly string[],
): Promise<string | null> {
  loading ??= load()
  const weak = weakPassword(password, own, await loading)
  if (weak) return weak
  return (await services.breachedPasswords?.isKnown(password)) ? passwordBreached : null
}
