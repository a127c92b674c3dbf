/** Checks new passwords, apart from their length, whose limits are in `domain/field-lengths.ts`. Server only. */

import { passwordBreached, passwordIsName, passwordTooCommon } from '../../domain/texts/account.ts'
import type { Services } from '../operations/services.ts'

/** Passwords that attackers try first. */
interface CommonPasswords {
  /** All common passwords, in lower case. */
  all: ReadonlySet<string>
  /** Words that are also refused with digits and signs around them. */
  stems: ReadonlySet<string>
}

/** Words that attackers would try on this site, refused in addition to the most frequent passwords. */
const siteWords = new Set([
  'storage',
  'selfstorage',
  'mystorage',
  'latchkey',
  'changeme',
  'password',
  'mypassword',
  'newpassword',
])
const keyRows = [
  '1234567890',
  '0987654321',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'abcdefghijklmnopqrstuvwxyz',
  '1q2w3e4r5t6y7u8i9o0p',
]

/** Replaces look-alike digits and signs by letters: 'P@ssw0rd' becomes 'password'. */
const replaceLookAlikes = (text: string) =>
  text
    .toLowerCase()
    .replace(/[@4]/g, 'a')
    .replace(/0/g, 'o')
    .replace(/[1!|]/g, 'i')
    .replace(/3/g, 'e')
    .replace(/[5$]/g, 's')
    .replace(/7/g, 't')

/**
 * Returns why a password is too weak, apart from its length, which callers have checked; null if it is not.
 * @param ownNames names of the user, such as the e-mail address
 */
function findWeakness(password: string, ownNames: readonly string[], common: CommonPasswords): string | null {
  const lower = password.toLowerCase()
  if (
    ownNames.some((name) => name !== '' && (lower === name.toLowerCase() || lower === name.toLowerCase().split('@')[0]))
  )
    return passwordIsName
  const bare = lower.replace(/[^a-z]/g, '')
  const tooCommon = passwordTooCommon
  if (common.all.has(lower)) return tooCommon
  if (new Set(lower).size <= 2) return tooCommon
  if (keyRows.some((row) => row.repeat(2).includes(lower))) return tooCommon
  const core = lower.replace(/^[^a-z@$]+|[^a-z@$]+$/g, '')
  if (
    [bare, core, replaceLookAlikes(core), replaceLookAlikes(lower).replace(/[^a-z]/g, '')].some(
      (form) => common.stems.has(form) || siteWords.has(form),
    )
  )
    return tooCommon
  // Two years in a row, such as 19871999, are guessed early.
  if (/^(?:19\d\d19\d\d|20\d\d20\d\d)$/.test(lower)) return tooCommon
  return null
}

/** Number of most frequent passwords of which those of at least four letters, and nothing else, become stems. */
const STEMS = 3000

let loading: Promise<CommonPasswords> | undefined

async function loadCommonPasswords(): Promise<CommonPasswords> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const list = dictionary['passwords-common']
  const stems = list.slice(0, STEMS).filter((password) => /^[a-z]{4,}$/.test(password))
  return { all: new Set(list), stems: new Set(stems) }
}

/**
 * Returns why a new password is refused, as a sentence for the user; null if it is accepted. Asks the breach service if
 * one is configured; the password passes if the service fails.
 * @param ownNames names of the user, such as the e-mail address
 */
export async function findPasswordProblem(
  services: Pick<Services, 'breachedPasswords'>,
  password: string,
  ownNames: readonly string[],
): Promise<string | null> {
  loading ??= loadCommonPasswords()
  const weak = findWeakness(password, ownNames, await loading)
  if (weak) return weak
  return (await services.breachedPasswords?.isKnown(password)) ? passwordBreached : null
}
