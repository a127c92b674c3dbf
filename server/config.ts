import { BlockList, isIP, isIPv6 } from 'node:net'
import { resolve } from 'node:path'
import * as v from 'valibot'

/**
 * The environment, parsed once at the start. Every setting is an environment variable; a wrong one stops the start with
 * its name and what it should be, all of them at once. Nothing else in the house reads the environment.
 */
export interface Config {
  /** 'demo' runs out of the box; 'production' refuses everything that only a demo may have. */
  readonly mode: 'demo' | 'production'
  readonly host: string
  readonly port: number
  /** Our own origin without a trailing slash, such as https://rent.example.com */
  readonly publicUrl: string
  /** Absolute path. */
  readonly dataDir: string
  /** PostgreSQL; null is the SQLite file in the data folder. */
  readonly databaseUrl: string | null
  /** Epoch milliseconds at which the demo's clock starts; null is the machine's own time. */
  readonly clock: number | null
  /**
   * 32-byte keys as 64 hex digits each, for cookies and sealed columns. The first seals, all open. Empty in a demo that
   * was given none: the server then makes one and keeps it in the data folder.
   */
  readonly keys: readonly string[]
  readonly cardProvider: {
    /** The pretend provider that `npm start` runs beside the site. */
    readonly sandbox: boolean
    readonly baseUrl: string
    /** Origin of the hosted card pages, where it is not that of `baseUrl`. */
    readonly pageOrigin: string | undefined
    readonly credentials: { readonly xwebId: string; readonly terminalId: string; readonly authKey: string }
  }
  /** Debits of bank accounts; null: none can be made. In a demo the sandbox's, unless another is named. */
  readonly bank: { readonly url: string; readonly key: string } | null
  /** `smtpUrl` null: mail is captured. */
  readonly mail: { readonly smtpUrl: string | null; readonly from: string }
  /** The page that shows captured mail and text messages. */
  readonly mailbox: boolean
  /** The demo operator is put into an empty database. */
  readonly demo: boolean
  /** The demo's log-ins are printed at the start. */
  readonly printLogins: boolean
  /** Whose word on the client's address is believed; see `clientAddress`. */
  readonly trustProxy: { readonly hops: number; readonly ranges: BlockList | null }
  /** Where every visitor of the demo stands, for the nearby card. */
  readonly visitorAt: { readonly lat: number; readonly lng: number } | null
  /** null: the offline gazetteer alone. */
  readonly geocoder: { readonly url: string; readonly key: string } | null
  readonly ipLocation: {
    /** Headers in which a CDN says where the visitor is. */
    readonly headers: { readonly latitude: string; readonly longitude: string } | null
    readonly http: { readonly url: string; readonly key: string | null } | null
  }
  /** null: captured in a demo, not sent in production. */
  readonly sms: { readonly url: string; readonly key: string; readonly from: string; readonly form: SmsForm } | null
  /** null: this house keeps the appointments itself. */
  /** Whom new passwords are shown to, as five digits of a hash; null for nobody. */
  readonly breachedPasswordsUrl: string | null
  readonly propertyManagement: { readonly url: string; readonly key: string | null } | null
  /** null: a folder in the data folder. */
  readonly objectStore: {
    readonly url: string
    readonly bucket: string
    readonly region: string
    readonly accessKeyId: string
    readonly secretAccessKey: string
  } | null
  /** null: the log alone. */
  readonly sentryDsn: string | null
  readonly logLevel: (typeof LOG_LEVELS)[number]
}

type SmsForm = (typeof SMS_FORMS)[number]

/** A start that the configuration does not allow; the message names each variable and what it should be. */
export class StartupError extends Error {
  constructor(problems: readonly string[]) {
    super(`Latchkey cannot start:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.name = 'StartRefused'
  }
}

const PORT = 3000
const SANDBOX_PORT = 3001
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const SMS_FORMS = ['json', 'twilio'] as const

/** Their values are never repeated in a message. */
const SECRETS = new Set([
  'KEYS',
  'DATABASE_URL',
  'SMTP_URL',
  'CARD_PROVIDER_AUTH_KEY',
  'SANDBOX_AUTH_KEY',
  'BANK_KEY',
  'GEOCODER_KEY',
  'IP_LOCATION_KEY',
  'SMS_KEY',
  'PM_KEY',
  'S3_SECRET_ACCESS_KEY',
  'SENTRY_DSN',
])

const MAIL_FROM = /^(?:[^<>\p{Cc}]+<[^\s<>@,]+@[^\s<>@,]+>|[^\s<>@,]+@[^\s<>@,]+)$/u
const INSTANT = /^(\d{4})-(\d{2})-(\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})$/

// ── One variable each ─────────────────────────────────────────────────────────────────────────────────────────────────

/** A variable that `read` turns into its value, or into undefined where it is not what `shouldBe` says. */
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

const matching = (shouldBe: string, pattern: RegExp) =>
  variable(shouldBe, (text) => (pattern.test(text) ? text : undefined))

const portNumber = variable('a whole number from 1 to 65535', (text) =>
  /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined,
)
const switched = variable("'on' or 'off'", (text) => ({ on: true, off: false })[text])
const degrees = (limit: number) =>
  variable(`degrees from -${limit} to ${limit}`, (text) =>
    /^-?\d{1,3}(?:\.\d+)?$/.test(text) && Math.abs(Number(text)) <= limit ? Number(text) : undefined,
  )
const someText = matching('some text without spaces', /^\S+$/)

function urlOf(text: string, protocols: readonly string[]): URL | undefined {
  const url = URL.parse(text)
  return url && protocols.includes(url.protocol) && url.hostname !== '' ? url : undefined
}
const webUrl = (shouldBe: string) =>
  variable(shouldBe, (text) => {
    const url = urlOf(text, ['http:', 'https:'])
    return url && !url.search && !url.hash && !url.username ? text.replace(/\/+$/, '') : undefined
  })
const origin = (shouldBe: string) =>
  variable(shouldBe, (text) => {
    const url = urlOf(text, ['http:', 'https:'])
    return url && text.replace(/\/$/, '').toLowerCase() === url.origin ? url.origin : undefined
  })
const serverUrl = (shouldBe: string, protocols: readonly string[]) =>
  variable(shouldBe, (text) => (urlOf(text, protocols) ? text : undefined))

function instant(text: string): number | undefined {
  const [, year, month, day] = INSTANT.exec(text) ?? []
  // Date.parse takes 30 February for 2 March.
  const isDay = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day)
  const value = Date.parse(text)
  return isDay && Number.isFinite(value) ? value : undefined
}

function keyList(text: string): string[] | undefined {
  const keys = text.split(',').map((key) => key.trim().toLowerCase())
  return keys.every((key) => /^[0-9a-f]{64}$/.test(key) && isRandom(key)) && new Set(keys).size === keys.length
    ? keys
    : undefined
}

/** 32 random bytes have fewer than 16 different ones once in 10^13 times; zeros and repeated patterns do. */
const isRandom = (key: string): boolean => new Set(key.match(/../g)).size >= 16

function proxies(text: string): Config['trustProxy'] | undefined {
  if (/^\d{1,2}$/.test(text)) return { hops: Number(text), ranges: null }
  const ranges = new BlockList()
  for (const range of text.split(',').map((one) => one.trim())) {
    const [address = '', prefix, more] = range.split('/')
    const family = isIP(address)
    const bits = prefix === undefined ? (family === 6 ? 128 : 32) : /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1
    if (family === 0 || more !== undefined || bits < 0 || bits > (family === 6 ? 128 : 32)) return undefined
    ranges.addSubnet(address, bits, family === 6 ? 'ipv6' : 'ipv4')
  }
  return { hops: 0, ranges }
}

const Environment = v.object({
  MODE: oneOf(['demo', 'production']),
  HOST: matching('a host name or address to listen on, such as 127.0.0.1', /^[\w.:%-]+$/),
  PORT: portNumber,
  SANDBOX_PORT: portNumber,
  SANDBOX_HOST: someText,
  SANDBOX_URL: origin('an origin such as http://127.0.0.1:3001'),
  SANDBOX_XWEBID: someText,
  SANDBOX_TERMINAL_ID: someText,
  SANDBOX_AUTH_KEY: someText,
  DATA_DIR: variable('a folder', (text) => (text.includes('\0') ? undefined : resolve(text))),
  DATABASE_URL: serverUrl('a PostgreSQL address such as postgres://user:password@host:5432/latchkey', [
    'postgres:',
    'postgresql:',
  ]),
  PUBLIC_URL: origin('an origin such as https://rent.example.com, without a path'),
  CLOCK: variable('an instant such as 2026-11-20T15:00:00Z', instant),
  KEYS: variable(
    'different random keys of 64 hex digits each, such as from openssl rand -hex 32, the newest first, separated by commas',
    keyList,
  ),
  CARD_PROVIDER_URL: webUrl('an address such as https://pay.example.com'),
  CARD_PROVIDER_PAGE_ORIGIN: origin('an origin such as https://pages.example.com, without a path'),
  CARD_PROVIDER_XWEB_ID: someText,
  CARD_PROVIDER_TERMINAL_ID: someText,
  CARD_PROVIDER_AUTH_KEY: someText,
  BANK_URL: webUrl('an address such as https://ach.example.com/v1'),
  BANK_KEY: someText,
  SMTP_URL: serverUrl('a mail server such as smtp://user:password@mail.example.com:587', ['smtp:', 'smtps:']),
  MAIL_FROM: matching('an address such as Latchkey <no-reply@rent.example.com>', MAIL_FROM),
  DEMO: switched,
  MAILBOX: switched,
  PRINT_LOGINS: switched,
  TRUST_PROXY: variable('a number of proxies, or their addresses and ranges such as 10.0.0.0/8, ::1', proxies),
  DEMO_LAT: degrees(90),
  DEMO_LNG: degrees(180),
  GEOCODER_URL: webUrl('an address such as https://maps.example.com/maps/api/geocode/json'),
  GEOCODER_KEY: someText,
  IP_LOCATION_HEADERS: variable(
    'the names of two headers, such as CF-IPLatitude,CF-IPLongitude',
    (text): { latitude: string; longitude: string } | undefined => {
      const [latitude = '', longitude = '', ...more] = text.split(',').map((name) => name.trim().toLowerCase())
      const right = [latitude, longitude].every((name) => /^[a-z0-9-]+$/.test(name))
      return right && more.length === 0 ? { latitude, longitude } : undefined
    },
  ),
  IP_LOCATION_URL: webUrl('an address such as https://ip.example.com/v1'),
  IP_LOCATION_KEY: someText,
  BREACHED_PASSWORDS_URL: webUrl('an address such as https://api.pwnedpasswords.com'),
  PM_HOST: webUrl('an address such as https://manager.example.com'),
  PM_KEY: someText,
  SMS_URL: webUrl('an address such as https://sms.example.com/v1/messages'),
  SMS_KEY: someText,
  SMS_FROM: matching('the sending number, such as +14045550100', /^\+?\d{3,15}$/),
  SMS_FORM: oneOf(SMS_FORMS),
  S3_URL: webUrl('an address such as https://s3.us-east-1.amazonaws.com'),
  S3_BUCKET: matching('the name of a bucket', /^[a-z0-9][a-z0-9.-]{1,62}$/),
  S3_REGION: matching('a region such as us-east-1', /^[a-z0-9-]+$/),
  S3_ACCESS_KEY_ID: someText,
  S3_SECRET_ACCESS_KEY: someText,
  SENTRY_DSN: variable('an address such as https://key@errors.example.com/1', (text) => {
    const url = urlOf(text, ['http:', 'https:'])
    return url?.username && /^\/(?:.*\/)?\d+$/.test(url.pathname) ? text : undefined
  }),
  LOG_LEVEL: oneOf(LOG_LEVELS),
})
type Settings = v.InferOutput<typeof Environment>

// ── All of them together ──────────────────────────────────────────────────────────────────────────────────────────────

/**
 * @param env such as process.env; an empty variable counts as none
 * @returns the frozen configuration, or every problem at once, each naming its variable
 */
export function configFrom(
  env: Readonly<Record<string, string | undefined>>,
): { ok: true; config: Config } | { ok: false; problems: string[] } {
  const given = Object.fromEntries(
    Object.entries(env).flatMap(([name, text]) => (text?.trim() ? [[name, text.trim()]] : [])),
  )
  const parsed = v.safeParse(Environment, given)
  const problems = (parsed.issues ?? []).map((issue) => {
    const name = String(issue.path?.[0].key)
    const was = SECRETS.has(name) ? '' : `, not '${given[name]}'`
    return `${name} should be ${issue.message}${was}.`
  })
  // What does not depend on a wrong value is checked as well, so that one look at the list mends all.
  const settings = (parsed.typed ? parsed.output : sound(given)) as Settings
  problems.push(...partnerProblems(given))
  problems.push(...(settings.MODE === 'production' ? productionProblems : demoProblems)(settings, given))
  // What two parts miss is said once.
  if (problems.length > 0) return { ok: false, problems: [...new Set(problems)] }
  return { ok: true, config: freeze(settings) }
}

/** The variables that are right, each by itself. */
function sound(given: Record<string, string>): Partial<Settings> {
  return Object.fromEntries(
    Object.entries(Environment.entries).flatMap(([name, schema]) => {
      const parsed = v.safeParse(schema, given[name])
      return parsed.success ? [[name, parsed.output]] : []
    }),
  )
}

function demoProblems(settings: Settings, given: Record<string, string>): string[] {
  const problems: string[] = []
  if (settings.MAILBOX === false && !given.SMTP_URL)
    problems.push('SMTP_URL should be a mail server, since MAILBOX is off.')
  if ((given.DEMO_LAT === undefined) !== (given.DEMO_LNG === undefined))
    problems.push('DEMO_LAT and DEMO_LNG should be given together.')
  if (!given.CARD_PROVIDER_URL && (settings.PORT ?? PORT) === (settings.SANDBOX_PORT ?? SANDBOX_PORT))
    problems.push('SANDBOX_PORT should be another than PORT.')
  return problems
}

const CARD_PROVIDER_CREDENTIALS = {
  CARD_PROVIDER_XWEB_ID: "the card provider's XWEBID",
  CARD_PROVIDER_TERMINAL_ID: "the card provider's terminal id",
  CARD_PROVIDER_AUTH_KEY: "the card provider's authentication key",
}

const missing = (given: Record<string, string>, wanted: Record<string, string>) =>
  Object.entries(wanted).flatMap(([name, what]) => (given[name] ? [] : [`${name} is missing: ${what}.`]))

/** What a real outside party needs once its address is given. */
function partnerProblems(given: Record<string, string>): string[] {
  const problems: string[] = []
  const together = (name: string, wanted: Record<string, string>) => {
    if (given[name]) problems.push(...missing(given, wanted))
  }
  together('CARD_PROVIDER_URL', CARD_PROVIDER_CREDENTIALS)
  together('BANK_URL', { BANK_KEY: "the bank's key" })
  together('GEOCODER_URL', { GEOCODER_KEY: "the geocoder's key" })
  together('SMS_URL', { SMS_KEY: "the SMS provider's key", SMS_FROM: 'the number that text messages come from' })
  together('S3_URL', {
    S3_BUCKET: 'the bucket that keeps our files',
    S3_ACCESS_KEY_ID: "the object store's access key id",
    S3_SECRET_ACCESS_KEY: "the object store's secret access key",
  })
  return problems
}

function productionProblems(settings: Settings, given: Record<string, string>): string[] {
  const problems = missing(given, {
    PUBLIC_URL: 'the origin visitors use, such as https://rent.example.com',
    KEYS: 'keys of 64 hex digits each, for cookies and sealed data',
    CARD_PROVIDER_URL: 'the real card provider',
    ...CARD_PROVIDER_CREDENTIALS,
    SMTP_URL: 'the mail server that sends to tenants',
    MAIL_FROM: 'the sender of our mail',
  })
  const refuse = (name: string, why: string) => problems.push(`${name} is set, but production ${why}.`)
  if (settings.DEMO) refuse('DEMO', 'never holds the demo operator')
  if (settings.MAILBOX) refuse('MAILBOX', 'never shows mail on a page')
  if (settings.PRINT_LOGINS) refuse('PRINT_LOGINS', 'never prints log-ins')
  for (const name of Object.keys(given).filter((name) => name.startsWith('SANDBOX_')))
    refuse(name, 'never runs the card sandbox')
  if (given.CLOCK) refuse('CLOCK', 'keeps the real time')
  for (const name of ['DEMO_LAT', 'DEMO_LNG']) if (given[name]) refuse(name, 'puts no visitor anywhere')

  for (const name of [
    'PUBLIC_URL',
    'CARD_PROVIDER_URL',
    'CARD_PROVIDER_PAGE_ORIGIN',
    ...([
      'BANK_URL',
      'BREACHED_PASSWORDS_URL',
      'GEOCODER_URL',
      'IP_LOCATION_URL',
      'PM_HOST',
      'SMS_URL',
      'S3_URL',
      'SENTRY_DSN',
    ] as const),
  ] as const) {
    const url = settings[name] === undefined ? null : new URL(settings[name])
    if (url && url.protocol !== 'https:') problems.push(`${name} should begin with https:// in production.`)
    else if (url && (name === 'PUBLIC_URL' || name.startsWith('CARD_')) && isOwnMachine(url.hostname))
      problems.push(`${name} should not be this machine's own address in production.`)
  }
  return problems
}

const isOwnMachine = (host: string) =>
  host === 'localhost' ||
  host.endsWith('.localhost') ||
  host.startsWith('127.') ||
  ['0.0.0.0', '[::1]', '[::]'].includes(host)

function bankOf(settings: Settings, sandbox: boolean): Config['bank'] {
  if (settings.BANK_URL) return Object.freeze({ url: settings.BANK_URL, key: settings.BANK_KEY! })
  if (!sandbox) return null
  const origin = settings.SANDBOX_URL ?? `http://127.0.0.1:${settings.SANDBOX_PORT ?? SANDBOX_PORT}`
  return Object.freeze({ url: `${origin}/bank`, key: settings.SANDBOX_AUTH_KEY ?? 'practice' })
}

function cardProviderOf(settings: Settings, sandbox: boolean): Config['cardProvider'] {
  if (sandbox)
    return Object.freeze({
      sandbox,
      baseUrl: settings.SANDBOX_URL ?? `http://127.0.0.1:${settings.SANDBOX_PORT ?? SANDBOX_PORT}`,
      pageOrigin: undefined,
      credentials: Object.freeze({
        xwebId: settings.SANDBOX_XWEBID ?? 'sandbox',
        terminalId: settings.SANDBOX_TERMINAL_ID ?? '001',
        authKey: settings.SANDBOX_AUTH_KEY ?? 'practice',
      }),
    })
  return Object.freeze({
    sandbox,
    baseUrl: settings.CARD_PROVIDER_URL!,
    pageOrigin: settings.CARD_PROVIDER_PAGE_ORIGIN,
    credentials: Object.freeze({
      xwebId: settings.CARD_PROVIDER_XWEB_ID!,
      terminalId: settings.CARD_PROVIDER_TERMINAL_ID!,
      authKey: settings.CARD_PROVIDER_AUTH_KEY!,
    }),
  })
}

function freeze(settings: Settings): Config {
  const mode = settings.MODE ?? 'demo'
  const demo = mode === 'demo'
  const port = settings.PORT ?? PORT
  const sandbox = demo && settings.CARD_PROVIDER_URL === undefined
  return Object.freeze({
    mode,
    // The demo's mailbox and log-ins are for whoever sits at the machine.
    host: settings.HOST ?? (demo ? '127.0.0.1' : '0.0.0.0'),
    port,
    publicUrl: settings.PUBLIC_URL ?? `http://localhost:${port}`,
    dataDir: settings.DATA_DIR ?? resolve('data'),
    databaseUrl: settings.DATABASE_URL ?? null,
    clock: settings.CLOCK ?? null,
    keys: Object.freeze(settings.KEYS ?? []),
    cardProvider: cardProviderOf(settings, sandbox),
    bank: bankOf(settings, sandbox),
    mail: Object.freeze({
      smtpUrl: settings.SMTP_URL ?? null,
      from: settings.MAIL_FROM ?? 'Latchkey <no-reply@latchkey.example>',
    }),
    mailbox: demo && (settings.MAILBOX ?? true),
    demo: demo && (settings.DEMO ?? true),
    printLogins: demo && (settings.DEMO ?? true) && (settings.PRINT_LOGINS ?? true),
    trustProxy: Object.freeze(settings.TRUST_PROXY ?? { hops: 0, ranges: null }),
    // Between the demo's two Atlanta facilities, so that the nearby card has something to show.
    visitorAt: demo ? Object.freeze({ lat: settings.DEMO_LAT ?? 33.7722, lng: settings.DEMO_LNG ?? -84.3656 }) : null,
    geocoder: settings.GEOCODER_URL ? Object.freeze({ url: settings.GEOCODER_URL, key: settings.GEOCODER_KEY! }) : null,
    ipLocation: Object.freeze({
      headers: settings.IP_LOCATION_HEADERS ? Object.freeze(settings.IP_LOCATION_HEADERS) : null,
      http: settings.IP_LOCATION_URL
        ? Object.freeze({ url: settings.IP_LOCATION_URL, key: settings.IP_LOCATION_KEY ?? null })
        : null,
    }),
    breachedPasswordsUrl: settings.BREACHED_PASSWORDS_URL ?? null,
    propertyManagement: settings.PM_HOST
      ? Object.freeze({ url: settings.PM_HOST, key: settings.PM_KEY ?? null })
      : null,
    sms: settings.SMS_URL
      ? Object.freeze({
          url: settings.SMS_URL,
          key: settings.SMS_KEY!,
          from: settings.SMS_FROM!,
          form: settings.SMS_FORM ?? 'json',
        })
      : null,
    objectStore: settings.S3_URL
      ? Object.freeze({
          url: settings.S3_URL,
          bucket: settings.S3_BUCKET!,
          region: settings.S3_REGION ?? 'us-east-1',
          accessKeyId: settings.S3_ACCESS_KEY_ID!,
          secretAccessKey: settings.S3_SECRET_ACCESS_KEY!,
        })
      : null,
    sentryDsn: settings.SENTRY_DSN ?? null,
    logLevel: settings.LOG_LEVEL ?? 'info',
  })
}

/** What a production may start with, and whoever runs it should know: a sentence each, for the log. */
export function configWarnings(config: Config): string[] {
  if (config.mode !== 'production') return []
  const { trustProxy, sms } = config
  return [
    // Its own address is https and this server speaks plain HTTP: something always stands in front.
    ...(trustProxy.hops === 0 && !trustProxy.ranges
      ? [
          'TRUST_PROXY is not set: every visitor counts as the proxy in front, and one who guesses shuts all of them out',
        ]
      : []),
    ...(!sms ? ['SMS_URL is not set: text messages are given up, and only mail goes out'] : []),
  ]
}

// ── Who is calling ────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * The client's address as far as TRUST_PROXY lets it be believed: limits count by it, so a visitor must not be able to
 * choose it. Each proxy appends the address it was called from, so the list is read from its end: past as many entries
 * as there are proxies, or past every address in the trusted ranges. What a stranger wrote further left is not read.
 *
 * @param remoteAddress of the socket
 * @param forwardedFor the X-Forwarded-For header as it came
 */
export function clientAddress(
  config: Pick<Config, 'trustProxy'>,
  remoteAddress: string,
  forwardedFor: string | null | undefined,
): string {
  const { hops, ranges } = config.trustProxy
  let address = plainAddress(remoteAddress) ?? remoteAddress
  const forwarded = forwardedFor?.split(',') ?? []
  for (let hop = 0; forwarded.length > 0; hop++) {
    const isProxy = ranges
      ? isIP(address) !== 0 && ranges.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
      : hop < hops
    if (!isProxy) break
    const before = plainAddress(forwarded.pop()!)
    // 'unknown' or garbage: the last address that a trusted proxy vouched for is the best there is.
    if (before === null) break
    address = before
  }
  return address
}

/** Whether what called is one of our own proxies, as TRUST_PROXY says: by its address, or by there being any. */
export function isTrustedProxy(config: Pick<Config, 'trustProxy'>, remoteAddress: string): boolean {
  const { hops, ranges } = config.trustProxy
  const address = plainAddress(remoteAddress)
  if (!ranges) return hops > 0
  return address !== null && ranges.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

/** '1.2.3.4', '1.2.3.4:5678', '[::1]:80', '::ffff:1.2.3.4', 'fe80::1%eth0' → the bare address; null for anything else. */
function plainAddress(text: string): string | null {
  const trimmed = text.trim().replace(/^"|"$/g, '')
  const inBrackets = /^\[([^\]]+)\](?::\d+)?$/.exec(trimmed)?.[1]
  const withPort = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(trimmed)?.[1]
  const bare = (inBrackets ?? withPort ?? trimmed).replace(/%[\w.-]+$/, '').toLowerCase()
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(bare)?.[1]
  return isIP(mapped ?? bare) === 0 ? null : (mapped ?? bare)
}
