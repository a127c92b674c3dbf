/** Passwords that everybody tries first (OWASP ASVS 2.1.7): the commonest words and rows of keys, and what is made of them. */

/** Stems; with digits and signs around them they are tried as well. */
const stems =
  `password passwort passw0rd letmein welcome admin administrator login guest master shadow sunshine princess
dragon monkey football baseball basketball soccer hockey superman batman pokemon starwars trustno iloveyou loveme whatever
qwerty qwertz azerty qazwsx asdfgh zxcvbn abcdef abcabc michael jordan jennifer jessica ashley daniel charlie thomas robert
andrew matthew michelle nicole jasmine hunter ranger buster killer pepper ginger cookie cheese chocolate banana summer winter
spring autumn monday friday january december flower freedom secret computer internet samsung google facebook mustang corvette
ferrari harley yankees cowboys eagles steelers lakers liverpool arsenal chelsea america storage latchkey selfstorage changeme
default test testing hello hellothere lovely angel blessed jesus jesuschrist family forever mypassword newpassword access
matrix phoenix maverick thunder tigger snoopy orange purple yellow diamond silver golden butterfly unicorn`
    .split(/\s+/)
    .filter(Boolean)

const known = new Set(stems)
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
export function weakPassword(password: string, own: readonly string[]): string | null {
  const lower = password.toLowerCase()
  const bare = lower.replace(/[^a-z]/g, '')
  const tooCommon = 'This password is one of those that are tried first. Choose another one.'
  if (new Set(lower).size <= 2) return tooCommon
  if (rows.some((row) => row.repeat(2).includes(lower))) return tooCommon
  const core = lower.replace(/^[^a-z@$]+|[^a-z@$]+$/g, '')
  if ([bare, core, straightened(core), straightened(lower).replace(/[^a-z]/g, '')].some((form) => known.has(form)))
    return tooCommon
  if (/^(\d)\1*$|^(?:0?1?23456789?0?|19\d\d19\d\d|20\d\d20\d\d)$/.test(lower)) return tooCommon
  if (own.some((name) => name !== '' && (lower === name.toLowerCase() || lower === name.toLowerCase().split('@')[0])))
    return 'Your password must not be your e-mail address or username.'
  return null
}
