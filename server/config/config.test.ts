import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { SANDBOX_CREDENTIALS } from '../../sandbox/server.ts'
import { PRODUCTION } from '../../tests/support/production-settings.ts'
import { clientAddress } from './client-address.ts'
import { type Config, configFrom, configWarnings, StartupError } from './config.ts'

type Env = Record<string, string>

function config(env: Env = {}): Config {
  const result = configFrom(env)
  if (!result.ok) throw new StartupError(result.problems)
  return result.config
}
function problems(env: Env): string[] {
  const result = configFrom(env)
  return result.ok ? [] : result.problems
}

const KEY = PRODUCTION.KEYS as string
const OLD_KEY = '0c9b52e8d6174fa3b1e07c4d8f2965ab3da81e60f794c25b58c3e9170a6df4b2'

describe('demo', () => {
  test('an empty environment runs the whole business on one machine', () => {
    expect(config()).toEqual({
      mode: 'demo',
      role: 'all',
      host: '127.0.0.1',
      port: 3000,
      publicUrl: 'http://localhost:3000',
      dataDir: resolve('data'),
      filesDir: resolve('data/files'),
      databaseUrl: null,
      database: {},
      standbyRequired: false,
      drainMs: 0,
      clock: null,
      keys: [],
      cardProvider: {
        sandbox: true,
        baseUrl: 'http://127.0.0.1:3001',
        pageOrigin: undefined,
        credentials: SANDBOX_CREDENTIALS,
      },
      bank: { url: 'http://127.0.0.1:3001/bank', key: SANDBOX_CREDENTIALS.authKey },
      rates: { mailConnections: 2, autopayAtATime: 4, providerPerSecond: null },
      auditMailTo: null,
      mail: { smtpUrl: null, from: 'Latchkey <no-reply@latchkey.example>' },
      mailbox: true,
      demo: true,
      printLogins: true,
      officeAddresses: null,
      trustProxy: { hops: 0, ranges: null },
      visitorAt: { lat: 33.7722, lng: -84.3656 },
      geocoder: null,
      ipLocation: { headers: null, http: null },
      propertyManagement: null,
      breachedPasswordsUrl: null,
      sms: null,
      objectStore: null,
      sentryDsn: null,
      logLevel: 'info',
      accessLog: false,
      metrics: { port: null, host: '127.0.0.1', token: null },
    })
  })

  test('reads settings from the environment', () => {
    const parsed = config({
      PORT: '3970',
      HOST: '::',
      SANDBOX_PORT: '3971',
      DATA_DIR: 'elsewhere',
      DATABASE_URL: 'postgres://u:p@db/latchkey',
      PUBLIC_URL: 'http://demo.test:3970/',
      CLOCK: '2026-11-20T10:00:00-05:00',
      KEYS: `${KEY.toUpperCase()}, ${OLD_KEY}`,
      SMTP_URL: 'smtp://127.0.0.1:2525',
      MAIL_CONNECTIONS: '10',
      AUTOPAY_AT_A_TIME: '64',
      PROVIDER_PER_SECOND: '50',
      PRINT_LOGINS: 'off',
      DEMO_LAT: '32.78',
      DEMO_LNG: '-79.93',
      LOG_LEVEL: 'debug',
      ACCESS_LOG: 'on',
      METRICS_PORT: '9464',
      METRICS_HOST: '10.0.0.5',
      METRICS_TOKEN: 'a-token-of-the-scraper',
    })
    expect(parsed).toMatchObject({
      port: 3970,
      host: '::',
      publicUrl: 'http://demo.test:3970',
      databaseUrl: 'postgres://u:p@db/latchkey',
      clock: Date.parse('2026-11-20T15:00:00Z'),
      keys: [KEY, OLD_KEY],
      cardProvider: { sandbox: true, baseUrl: 'http://127.0.0.1:3971' },
      rates: { mailConnections: 10, autopayAtATime: 64, providerPerSecond: 50 },
      mail: { smtpUrl: 'smtp://127.0.0.1:2525' },
      mailbox: true,
      printLogins: false,
      visitorAt: { lat: 32.78, lng: -79.93 },
      logLevel: 'debug',
      accessLog: true,
      metrics: { port: 9464, host: '10.0.0.5', token: 'a-token-of-the-scraper' },
    })
    expect(isAbsolute(parsed.dataDir)).toBe(true)
    expect(config({ PORT: '3970' }).publicUrl).toBe('http://localhost:3970')
  })

  test('a web server or worker alone needs a shared database', () => {
    for (const ROLE of ['web', 'worker']) {
      expect(problems({ ROLE })).toEqual([expect.stringMatching(/^ROLE should be all without DATABASE_URL/)])
      expect(config({ ROLE, DATABASE_URL: 'postgres://u:p@db/latchkey' }).role).toBe(ROLE)
    }
  })

  test('a metrics port above PORT is a port too', () => {
    expect(config({ PORT: '60000', METRICS_PORT: '+5535' }).metrics.port).toBe(65_535)
    expect(problems({ PORT: '60000', METRICS_PORT: '+5536' })).toEqual([
      "METRICS_PORT should be at most +5535 with the PORT 60000, not '+5536'.",
    ])
  })

  test('empty variables count as unset', () => expect(config({ PORT: '', CLOCK: '  ' })).toEqual(config()))

  test('another card provider needs its credentials', () => {
    expect(problems({ CARD_PROVIDER_URL: 'https://pay.example.com' })).toEqual([
      "CARD_PROVIDER_XWEB_ID is missing: the card provider's XWEBID.",
      "CARD_PROVIDER_TERMINAL_ID is missing: the card provider's terminal id.",
      "CARD_PROVIDER_AUTH_KEY is missing: the card provider's authentication key.",
    ])
  })

  test('mail needs a destination, and two servers never share a port', () => {
    expect(problems({ MAILBOX: 'off' })).toEqual(['SMTP_URL should be a mail server, since MAILBOX is off.'])
    expect(problems({ PORT: '3001' })).toEqual(['SANDBOX_PORT should be another than PORT.'])
    expect(problems({ SANDBOX_PORT: '3000' })).toEqual(['SANDBOX_PORT should be another than PORT.'])
    expect(problems({ PORT: '3001', SANDBOX_PORT: '3000' })).toEqual([])
    const { MODE: _mode, ...real } = PRODUCTION
    expect(problems({ ...real, PORT: '3001' })).toEqual([])
    expect(problems({ DEMO_LAT: '33' })).toEqual(['DEMO_LAT and DEMO_LNG should be given together.'])
  })
})

const PARTNERS: Env = {
  BANK_URL: 'https://ach.example.com/v1',
  BANK_KEY: 'bank-key',
  GEOCODER_URL: 'https://maps.example.com/geocode/json',
  GEOCODER_KEY: 'map-key',
  IP_LOCATION_HEADERS: 'CF-IPLatitude, CF-IPLongitude',
  IP_LOCATION_URL: 'https://ip.example.com/v1/',
  IP_LOCATION_KEY: 'ip-key',
  BREACHED_PASSWORDS_URL: 'https://breaches.example.com',
  PM_HOST: 'https://manager.example.com/',
  PM_KEY: 'pm-key',
  SMS_URL: 'https://sms.example.com/messages',
  SMS_KEY: 'sms-key',
  SMS_FROM: '+14045550100',
  SMS_FORM: 'twilio',
  S3_URL: 'https://s3.example.com',
  S3_BUCKET: 'kept-files',
  S3_REGION: 'eu-west-1',
  S3_ACCESS_KEY_ID: 'AKID',
  S3_SECRET_ACCESS_KEY: 'very-secret',
  SENTRY_DSN: 'https://key@errors.example.com/42',
}
describe('real partners', () => {
  test.each([
    ['in a demo', {}],
    ['in production', PRODUCTION],
  ])('are configured by their variables, %s', (_, env) => {
    expect(config({ ...env, ...PARTNERS })).toMatchObject({
      bank: { url: 'https://ach.example.com/v1', key: 'bank-key' },
      geocoder: { url: 'https://maps.example.com/geocode/json', key: 'map-key' },
      ipLocation: {
        headers: { latitude: 'cf-iplatitude', longitude: 'cf-iplongitude' },
        http: { url: 'https://ip.example.com/v1', key: 'ip-key' },
      },
      propertyManagement: { url: 'https://manager.example.com', key: 'pm-key' },
      breachedPasswordsUrl: 'https://breaches.example.com',
      sms: { url: 'https://sms.example.com/messages', key: 'sms-key', from: '+14045550100', form: 'twilio' },
      objectStore: { url: 'https://s3.example.com', bucket: 'kept-files', region: 'eu-west-1' },
      sentryDsn: 'https://key@errors.example.com/42',
    })
  })

  test.each([
    ['BANK_URL', ['BANK_KEY']],
    ['GEOCODER_URL', ['GEOCODER_KEY']],
    ['SMS_URL', ['SMS_KEY', 'SMS_FROM']],
    ['S3_URL', ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']],
  ])('%s needs the variables that belong to it', (name, required) => {
    const found = problems({ [name]: PARTNERS[name] as string })
    expect(found.map((problem) => problem.split(' ')[0])).toEqual(required)
  })

  test('messages contain no password, key or DSN', () => {
    for (const name of ['SMTP_URL', 'SENTRY_DSN']) {
      const found = problems({ [name]: 'hunter2' })
      expect(found[0]).toContain(name)
      expect(found.join()).not.toContain('hunter2')
    }
  })

  test('production accepts them over https only', () => {
    for (const name of Object.keys(PARTNERS).filter((name) => /_URL$|^PM_HOST$|^SENTRY_DSN$/.test(name))) {
      const all: Env = { ...PRODUCTION, ...PARTNERS }
      expect(problems({ ...all, [name]: all[name]!.replace('https', 'http') })).toEqual([
        `${name} should begin with https:// in production.`,
      ])
    }
  })
})

describe('wrong values', () => {
  test.each([
    ['MODE', 'prod', "MODE should be demo or production, not 'prod'."],
    ['PORT', '70000', "PORT should be a whole number from 1 to 65535, not '70000'."],
    ['MAIL_CONNECTIONS', '0', "MAIL_CONNECTIONS should be a whole number from 1 to 100, not '0'."],
    ['PORT', '80a', "PORT should be a whole number from 1 to 65535, not '80a'."],
    ['CLOCK', 'tomorrow', "CLOCK should be an instant such as 2026-11-20T15:00:00Z, not 'tomorrow'."],
    ['CLOCK', '2026-02-30T00:00Z', "CLOCK should be an instant such as 2026-11-20T15:00:00Z, not '2026-02-30T00:00Z'."],
    ['MAILBOX', 'yes', "MAILBOX should be 'on' or 'off', not 'yes'."],
    ['LOG_LEVEL', 'loud', "LOG_LEVEL should be fatal, error, warn, info, debug, trace or silent, not 'loud'."],
  ])('%s=%s', (name, text, problem) => expect(problems({ [name]: text })).toEqual([problem]))

  test.each([
    ['PUBLIC_URL', ['https://rent.example.com/shop', 'rent.example.com', 'javascript:alert(1)']],
    ['CARD_PROVIDER_URL', ['ftp://pay.example.com']],
    ['MAIL_FROM', ['a@b, c@d', 'Rent <a@b>\r\nBcc: c@d']],
    ['HOST', ['a b']],
    ['TRUST_PROXY', ['10.0.0.0/33', 'everyone', '10.0.0.0/8/8']],
    ['DEMO_LAT', ['91']],
  ])('%s=%s is named', (name, texts) => {
    for (const text of texts) expect(problems({ [name]: text })[0]).toMatch(`${name} should be`)
  })

  test.each([
    ['KEYS', 'hunter2'],
    ['KEYS', `${KEY},${KEY}`],
    ['KEYS', '0'.repeat(64)],
    ['KEYS', `${KEY},${'ab'.repeat(32)}`],
    ['KEYS', '0123456789abcdef'.repeat(4)],
    ['DATABASE_URL', 'mysql://u:hunter2@db/x'],
    ['SMTP_URL', 'https://u:hunter2@mail'],
  ])('%s is named without its value', (name, text) => {
    const [problem] = problems({ [name]: text })
    expect(problem).toMatch(`${name} should be`)
    expect(problem).not.toContain(text)
  })

  test('all problems are reported at once', () => {
    const all = problems({ MODE: 'production', PORT: 'x', KEYS: 'short', CLOCK: '2026-11-20T15:00:00Z' })
    for (const name of ['PORT', 'KEYS', 'CLOCK', 'PUBLIC_URL', 'CARD_PROVIDER_URL', 'SMTP_URL'])
      expect(all.filter((problem) => problem.startsWith(`${name} `))).toHaveLength(1)
    expect(new StartupError(all).message).toContain('\n  - PORT should be')
  })
})

describe('production', () => {
  test('starts with all partners configured', () => {
    expect(config(PRODUCTION)).toMatchObject({
      mode: 'production',
      host: '0.0.0.0',
      publicUrl: 'https://rent.example.com',
      cardProvider: {
        sandbox: false,
        baseUrl: 'https://pay.example.com',
        credentials: { xwebId: '8000', terminalId: '2001', authKey: 'k3y' },
      },
      mail: { smtpUrl: PRODUCTION.SMTP_URL, from: 'Rent <no-reply@rent.example.com>' },
      mailbox: false,
      demo: false,
      printLogins: false,
      clock: null,
      visitorAt: null,
    })
  })

  test('warns about settings that it can start without', () => {
    const cautions = (env: Env) => configWarnings(config(env)).map((sentence) => sentence.split(' ')[0])
    expect(cautions(PRODUCTION)).toEqual(['TRUST_PROXY', 'SMS_URL'])
    expect(cautions({ ...PRODUCTION, TRUST_PROXY: '0' })).toEqual(['TRUST_PROXY', 'SMS_URL'])
    const texting = { SMS_URL: 'https://sms.example.com', SMS_KEY: 'k3y', SMS_FROM: '+14045550100' }
    expect(cautions({ ...PRODUCTION, ...texting, TRUST_PROXY: '1' })).toEqual([])
    expect(cautions({ ...PRODUCTION, ...texting, TRUST_PROXY: '10.0.0.0/8' })).toEqual([])
    expect(cautions({})).toEqual([])
  })

  test('without DEMO the database is not seeded and no log-ins are printed', () => {
    const own = config({ DEMO: 'off', PRINT_LOGINS: 'on' })
    expect(own).toMatchObject({ mode: 'demo', demo: false, printLogins: false, mailbox: true })
  })

  test.each(Object.keys(PRODUCTION).filter((name) => name !== 'MODE'))('refuses to start without %s', (name) => {
    const { [name]: _left, ...rest } = PRODUCTION
    expect(problems(rest)).toEqual([expect.stringMatching(`^${name} is missing: `)])
  })

  test.each([
    ...['DEMO', 'MAILBOX', 'PRINT_LOGINS'].map((name) => [name, 'on'] as const),
    ['SANDBOX_PORT', '3001'] as const,
    ['SANDBOX_URL', 'http://127.0.0.1:3001'] as const,
    ['CLOCK', '2026-11-20T15:00:00Z'] as const,
    ['DEMO_LAT', '33'] as const,
  ])('refuses to start with %s', (name, text) => {
    const why = expect.stringMatching(`^${name} is set, but production `)
    expect(problems({ ...PRODUCTION, [name]: text })).toEqual([why])
  })

  test.each([
    ['CARD_PROVIDER_URL', 'http://pay.example.com', 'https://'],
    ['CARD_PROVIDER_URL', 'https://127.0.0.1:3001', "this machine's own"],
    ['CARD_PROVIDER_URL', 'https://localhost', "this machine's own"],
    ['PUBLIC_URL', 'http://rent.example.com', 'https://'],
    ['PUBLIC_URL', 'https://[::1]', "this machine's own"],
  ])('refuses %s=%s', (name, text, why) => {
    const [problem, ...more] = problems({ ...PRODUCTION, [name]: text })
    expect(problem).toMatch(`${name} should`)
    expect(problem).toContain(why)
    expect(more).toEqual([])
  })

  test('a shared database needs shared files', () => {
    const several = { ...PRODUCTION, DATABASE_URL: 'postgres://u:p@db/latchkey' }
    const missing = [expect.stringMatching(/^S3_URL is missing: .* FILES_SHARED=on/)]
    expect(problems(several)).toEqual(missing)
    expect(problems({ ...several, FILES_DIR: '/srv/files' })).toEqual(missing)
    expect(problems({ ...several, FILES_SHARED: 'on' })).toEqual(missing)
    expect(config({ ...several, FILES_DIR: '/srv/files', FILES_SHARED: 'on' }).filesDir).toBe('/srv/files')
    const { S3_URL, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = PARTNERS as Record<string, string>
    expect(problems({ ...several, S3_URL, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } as Env)).toEqual([])
  })

  test('demo switches that are off are accepted', () =>
    expect(problems({ ...PRODUCTION, MAILBOX: 'off', PRINT_LOGINS: 'off' })).toEqual([]))
})

test('the configuration cannot be changed afterwards', () => {
  const frozen = config() as unknown as { port: number; mail: { from: string }; keys: string[] }
  expect(() => {
    frozen.port = 1
  }).toThrow(TypeError)
  expect(() => {
    frozen.mail.from = 'x'
  }).toThrow(TypeError)
  expect(() => frozen.keys.push('x')).toThrow(TypeError)
})

test('reads the database’s settings, and requires a server that its CA has signed', () => {
  const databaseSettings = {
    DATABASE_URL: 'postgres://u:p@db/latchkey',
    DATABASE_CONNECTIONS: '6',
    DATABASE_POOLED: 'on',
  }
  expect(
    config({
      ...databaseSettings,
      DATABASE_UNSYNCED_CONNECTIONS: '2',
      DATABASE_STATEMENT_MS: '9000',
      DATABASE_HA: 'required',
    }),
  ).toMatchObject({
    databaseUrl: databaseSettings.DATABASE_URL,
    database: { connections: 6, withoutFsyncConnections: 2, statementMs: 9000, pooled: true },
    standbyRequired: true,
  })
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-ca-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'ca.pem')
  writeFileSync(file, '-----BEGIN CERTIFICATE-----\nMII=\n-----END CERTIFICATE-----\n')
  const { ssl } = new pg.Client(config({ ...databaseSettings, DATABASE_CA: file }).databaseUrl!) as { ssl?: unknown }
  expect(ssl).toEqual({ ca: expect.stringContaining('BEGIN CERTIFICATE') })
  const wrong = { DATABASE_CONNECTIONS: '0', DATABASE_STATEMENT_MS: '1s' }
  expect(problems({ ...databaseSettings, ...wrong }).map((problem) => problem.split(' ')[0])).toEqual(
    Object.keys(wrong),
  )
})

describe('the client’s address', () => {
  const PROXY = '10.0.0.5'
  const CLIENT = '203.0.113.7'
  const address = (trust: string, remote: string, forwarded?: string | null) =>
    clientAddress(config(trust ? { TRUST_PROXY: trust } : {}), remote, forwarded)

  test.each([
    ['', PROXY, '1.1.1.1', PROXY],
    ['0', PROXY, '1.1.1.1', PROXY],
    ['1', PROXY, CLIENT, CLIENT],
    ['1', PROXY, `6.6.6.6, ${CLIENT}`, CLIENT],
    ['2', PROXY, `6.6.6.6, ${CLIENT}, 10.0.0.9`, CLIENT],
    ['2', PROXY, CLIENT, CLIENT],
    ['1', PROXY, null, PROXY],
    ['1', PROXY, '', PROXY],
    ['1', PROXY, 'unknown', PROXY],
    ['1', PROXY, `${CLIENT}:51234`, CLIENT],
    ['1', PROXY, '[2001:db8::7]:443', '2001:db8::7'],
    ['10.0.0.0/8', PROXY, CLIENT, CLIENT],
    ['10.0.0.0/8', PROXY, `6.6.6.6, ${CLIENT}, 10.1.2.3`, CLIENT],
    ['10.0.0.0/8', '198.51.100.1', '6.6.6.6', '198.51.100.1'],
    ['10.0.0.0/8', `::ffff:${PROXY}`, CLIENT, CLIENT],
    ['10.0.0.0/8, ::1', '::1', CLIENT, CLIENT],
    ['fd00::/8', 'fd12::1', '2001:db8::7', '2001:db8::7'],
    ['10.0.0.0/8', PROXY, '10.0.0.1, 10.0.0.2', '10.0.0.1'],
    ['10.0.0.0/8', PROXY, "'; drop table, 10.0.0.2", '10.0.0.2'],
    ['', `::ffff:${CLIENT}`, null, CLIENT],
  ])('TRUST_PROXY=%s, from %s, forwarded %s: %s', (trust, remote, forwarded, expected) =>
    expect(address(trust, remote, forwarded)).toBe(expected),
  )
})
