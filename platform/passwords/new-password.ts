/** Whether a new password may be taken: at registration, after a reset, and where it is changed. On the server alone. */

import { passwordBreached, passwordIsName, passwordTooCommon } from '../../domain/texts/account.ts'
import type { Services } from '../operations/services.ts'

/** What is tried first; the list itself is large and is the caller's. */
interface CommonPasswords {
  /** In lower case. */
  all: ReadonlySet<string>
  /** Words that are tried with digits and signs around them as well. */
  stems: ReadonlySet<string>
}

/** What is tried first here, besides. */
const ours = new Set([
  'storage',
  'selfstorage',
  'mystorage',
  'latchkey',
  'changeme',
  'password',
  'mypassword',
  'newpassword',
])
const rows = [
  '1234567890',
  '0987654321',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'abcdefghijklmnopqrstuvwxyz',
  '1q2w3e4r5t6y7u8i9o0p',
]

/** Written the way people bend words: 'P@ssw0rd' is 'password'. */
const straightened = (text: string) =>
  text
    .toLowerCase()
    .replace(/[@4]/g, 'a')
    .replace(/0/g, 'o')
    .replace(/[1!|]/g, 'i')
    .replace(/3/g, 'e')
    .replace(/[5$]/g, 's')
    .replace(/7/g, 't')

/**
 * Why a password is refused beyond its length; null where it is not.
 * @param own what belongs to the account and is tried first: e-mail address, username
 */
function weakPassword(password: string, own: readonly string[], common: CommonPasswords): string | null {
  const lower = password.toLowerCase()
  if (own.some((name) => name !== '' && (lower === name.toLowerCase() || lower === name.toLowerCase().split('@')[0])))
    return passwordIsName
  const bare = lower.replace(/[^a-z]/g, '')
  const tooCommon = passwordTooCommon
  if (common.all.has(lower)) return tooCommon
  if (new Set(lower).size <= 2) return tooCommon
  if (rows.some((row) => row.repeat(2).includes(lower))) return tooCommon
  const core = lower.replace(/^[^a-z@$]+|[^a-z@$]+$/g, '')
  if (
    [bare, core, straightened(core), straightened(lower).replace(/[^a-z]/g, '')].some(
      (form) => common.stems.has(form) || ours.has(form),
    )
  )
    return tooCommon
  if (/^(\d)\1*$|^(?:0?1?23456789?0?|19\d\d19\d\d|20\d\d20\d\d)$/.test(lower)) return tooCommon
  return null
}

/** The first this many of the list, by frequency, are also tried with digits and signs around them. */
const STEMS = 3000

let loading: Promise<CommonPasswords> | undefined

/** 49,000 passwords, the commonest first; read at the first use. */
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
