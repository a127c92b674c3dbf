/** Passwords that everybody tries first (OWASP ASVS 2.1.7): the commonest words and rows of keys, and what is made of them. */

import { passwordIsName, passwordTooCommon } from '../../domain/texts/account.ts'

/** What is tried first; the list itself is large and is the caller's. */
export interface CommonPasswords {
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
export function weakPassword(password: string, own: readonly string[], common: CommonPasswords): string | null {
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
