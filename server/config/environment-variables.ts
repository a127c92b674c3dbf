import { BlockList, isIP } from 'node:net'
import { resolve } from 'node:path'
import * as v from 'valibot'

const MAIL_FROM = /^(?:[^<>\p{Cc}]+<[^\s<>@,]+@[^\s<>@,]+>|[^\s<>@,]+@[^\s<>@,]+)$/u

const INSTANT = /^(\d{4})-(\d{2})-(\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})$/

/**
 * Declares an optional variable.
 * @param shouldBe its description for error messages
 * @param read returns undefined for an invalid text
 */
const variable = <T>(shouldBe: string, read: (text: string) => T | undefined) =>
  v.optional(
    v.pipe(
      v.string(),
      v.rawTransform<string, T>(({ dataset, addIssue, NEVER }) => {
        const value = read(dataset.value)
        if (value !== undefined) return value
        addIssue({ message: shouldBe })
        return NEVER
      }),
    ),
  )

const oneOf = <const T extends string>(choices: readonly T[]) =>
  variable(choices.join(', ').replace(/, ([^,]*)$/, ' or $1'), (text) => choices.find((choice) => choice === text))

const textMatching = (shouldBe: string, pattern: RegExp) =>
  variable(shouldBe, (text) => (pattern.test(text) ? text : undefined))

/** Highest TCP port. */
export const MAX_PORT = 65_535

const portOf = (text: string) => (/^[1-9]\d{0,4}$/.test(text) && Number(text) <= MAX_PORT ? Number(text) : undefined)
const portNumber = variable('a whole number from 1 to 65535', portOf)

const onOrOff = variable("'on' or 'off'", (text) => ({ on: true, off: false })[text])

const degrees = (limit: number) =>
  variable(`degrees from -${limit} to ${limit}`, (text) =>
    /^-?\d{1,3}(?:\.\d+)?$/.test(text) && Math.abs(Number(text)) <= limit ? Number(text) : undefined,
  )

const nonBlankText = textMatching('some text without spaces', /^\S+$/)

function urlOf(text: string, protocols: readonly string[]): URL | undefined {
  const url = URL.parse(text)
  return url && protocols.includes(url.protocol) && url.hostname !== '' ? url : undefined
}

const webUrl = (shouldBe: string) =>
  variable(shouldBe, (text) => {
    const url = urlOf(text, ['http:', 'https:'])
    return url && !url.search && !url.hash && !url.username ? text.replace(/\/+$/, '') : undefined
  })

/**
 * Variable for a web origin, with or without a trailing slash.
 * @param shouldBe its description for error messages
 */
export const origin = (shouldBe: string) =>
  variable(shouldBe, (text) => {
    const url = urlOf(text, ['http:', 'https:'])
    return url && text.replace(/\/$/, '').toLowerCase() === url.origin ? url.origin : undefined
  })

const serverUrl = (shouldBe: string, protocols: readonly string[]) =>
  variable(shouldBe, (text) => (urlOf(text, protocols) ? text : undefined))

function parseInstant(text: string): number | undefined {
  const [, year, month, day] = INSTANT.exec(text) ?? []
  // Date.parse accepts 30 February as 2 March.
  const isDay = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day)
  const value = Date.parse(text)
  return isDay && Number.isFinite(value) ? value : undefined
}

function parseKeyList(text: string): string[] | undefined {
  const keys = text.split(',').map((key) => key.trim().toLowerCase())
  return keys.every((key) => /^[0-9a-f]{64}$/.test(key) && isRandom(key)) && new Set(keys).size === keys.length
    ? keys
    : undefined
}

/** Returns whether a key looks random: a random key has fewer than 16 different bytes with a probability below 10^-16. */
const isRandom = (key: string): boolean => new Set(key.match(/../g)).size >= 16

function parseProxies(text: string): { hops: number; ranges: BlockList | null } | undefined {
  if (/^\d{1,2}$/.test(text)) return { hops: Number(text), ranges: null }
  const ranges = parseAddresses(text)
  return ranges && { hops: 0, ranges }
}

/**
 * Parses the prefix length of a network address such as 10.0.0.0/8; all bits if it is missing, undefined if it is
 * invalid.
 */
function prefixBits(prefix: string | undefined, max: number): number | undefined {
  if (prefix === undefined) return max
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= max ? Number(prefix) : undefined
}

function parseAddresses(text: string): BlockList | undefined {
  const ranges = new BlockList()
  for (const range of text.split(',').map((part) => part.trim())) {
    const [address = '', prefix, more] = range.split('/')
    const family = isIP(address)
    const max = family === 6 ? 128 : 32
    const bits = prefixBits(prefix, max)
    if (family === 0 || more !== undefined || bits === undefined) return undefined
    ranges.addSubnet(address, bits, family === 6 ? 'ipv6' : 'ipv4')
  }
  return ranges
}

const between = (min: number, max: number, unit = 'a whole number') =>
  variable(`${unit} from ${min} to ${max}`, (text) =>
    /^\d{1,6}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined,
  )

const path = (shouldBe: string) => variable(shouldBe, (text) => (text.includes('\0') ? undefined : resolve(text)))
const folder = path('a folder')

export const Environment = v.object({
  MODE: oneOf(['demo', 'production']),
  ROLE: oneOf(['all', 'web', 'worker']),
  HOST: textMatching('a host name or address to listen on, such as 127.0.0.1', /^[\w.:%-]+$/),
  PORT: portNumber,
  SANDBOX_PORT: portNumber,
  SANDBOX_HOST: nonBlankText,
  SANDBOX_URL: origin('an origin such as http://127.0.0.1:3001'),
  SANDBOX_XWEBID: nonBlankText,
  SANDBOX_TERMINAL_ID: nonBlankText,
  SANDBOX_AUTH_KEY: nonBlankText,
  DATA_DIR: folder,
  DRAIN_MS: between(0, 60_000, 'milliseconds'),
  FILES_DIR: folder,
  FILES_SHARED: onOrOff,
  DATABASE_URL: serverUrl('a PostgreSQL address such as postgres://user:password@host:5432/latchkey', [
    'postgres:',
    'postgresql:',
  ]),
  DATABASE_CA: path('a file'),
  DATABASE_CONNECTIONS: between(1, 200),
  DATABASE_UNSYNCED_CONNECTIONS: between(1, 50),
  DATABASE_STATEMENT_MS: between(1000, 600_000, 'milliseconds'),
  DATABASE_POOLED: onOrOff,
  DATABASE_HA: oneOf(['required']),
  PUBLIC_URL: origin('an origin such as https://rent.example.com, without a path'),
  CLOCK: variable('an instant such as 2026-11-20T15:00:00Z', parseInstant),
  KEYS: variable(
    'different random keys of 64 hex digits each, such as from openssl rand -hex 32, the newest first, separated by commas',
    parseKeyList,
  ),
  CARD_PROVIDER_URL: webUrl('an address such as https://pay.example.com'),
  CARD_PROVIDER_PAGE_ORIGIN: origin('an origin such as https://pages.example.com, without a path'),
  CARD_PROVIDER_XWEB_ID: nonBlankText,
  CARD_PROVIDER_TERMINAL_ID: nonBlankText,
  CARD_PROVIDER_AUTH_KEY: nonBlankText,
  BANK_URL: webUrl('an address such as https://ach.example.com/v1'),
  BANK_KEY: nonBlankText,
  SMTP_URL: serverUrl('a mail server such as smtp://user:password@mail.example.com:587', ['smtp:', 'smtps:']),
  MAIL_CONNECTIONS: between(1, 100),
  AUTOPAY_AT_A_TIME: between(1, 500),
  PROVIDER_PER_SECOND: between(1, 1000),
  MAIL_FROM: textMatching('an address such as Latchkey <no-reply@rent.example.com>', MAIL_FROM),
  AUDIT_MAIL_TO: textMatching('an address such as audit@example.com', /^[^\s<>@,]+@[^\s<>@,]+$/),
  DEMO: onOrOff,
  MAILBOX: onOrOff,
  PRINT_LOGINS: onOrOff,
  OFFICE_ADDRESSES: variable('addresses and ranges such as 203.0.113.0/24, 2001:db8::/32', parseAddresses),
  TRUST_PROXY: variable('a number of proxies, or their addresses and ranges such as 10.0.0.0/8, ::1', parseProxies),
  DEMO_LAT: degrees(90),
  DEMO_LNG: degrees(180),
  GEOCODER_URL: webUrl('an address such as https://maps.example.com/maps/api/geocode/json'),
  GEOCODER_KEY: nonBlankText,
  IP_LOCATION_HEADERS: variable(
    'the names of two headers, such as CF-IPLatitude,CF-IPLongitude',
    (text): { latitude: string; longitude: string } | undefined => {
      const [latitude = '', longitude = '', ...more] = text.split(',').map((name) => name.trim().toLowerCase())
      const areNames = [latitude, longitude].every((name) => /^[a-z0-9-]+$/.test(name))
      return areNames && more.length === 0 ? { latitude, longitude } : undefined
    },
  ),
  IP_LOCATION_URL: webUrl('an address such as https://ip.example.com/v1'),
  IP_LOCATION_KEY: nonBlankText,
  BREACHED_PASSWORDS_URL: webUrl('an address such as https://api.pwnedpasswords.com'),
  PM_HOST: webUrl('an address such as https://manager.example.com'),
  PM_KEY: nonBlankText,
  SMS_URL: webUrl('an address such as https://sms.example.com/v1/messages'),
  SMS_KEY: nonBlankText,
  SMS_FROM: textMatching('the sending number, such as +14045550100', /^\+?\d{3,15}$/),
  SMS_FORM: oneOf(['json', 'twilio']),
  S3_URL: webUrl('an address such as https://s3.us-east-1.amazonaws.com'),
  S3_BUCKET: textMatching('the name of a bucket', /^[a-z0-9][a-z0-9.-]{1,62}$/),
  S3_REGION: textMatching('a region such as us-east-1', /^[a-z0-9-]+$/),
  S3_ACCESS_KEY_ID: nonBlankText,
  S3_SECRET_ACCESS_KEY: nonBlankText,
  SENTRY_DSN: variable('an address such as https://key@errors.example.com/1', (text) => {
    const url = urlOf(text, ['http:', 'https:'])
    return url?.username && /^\/(?:.*\/)?\d+$/.test(url.pathname) ? text : undefined
  }),
  ACCESS_LOG: onOrOff,
  METRICS_PORT: variable('a whole number from 1 to 65535, or one above PORT such as +6464', (text) => {
    const port = portOf(text.replace(/^\+/, ''))
    return port && text.startsWith('+') ? { abovePort: port } : port
  }),
  METRICS_HOST: textMatching('a host name or address to listen on, such as 127.0.0.1', /^[\w.:%-]+$/),
  METRICS_TOKEN: textMatching(
    '16 or more letters, digits and signs without spaces, such as from openssl rand -hex 32',
    /^\S{16,200}$/,
  ),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
})

export type Settings = v.InferOutput<typeof Environment>
