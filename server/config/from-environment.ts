import { resolve } from 'node:path'
import * as v from 'valibot'
import type { Config } from './config.ts'
import { demoProblems, partnerProblems, productionProblems } from './production-checks.ts'
import { Environment, PORT, SANDBOX_PORT, type Settings } from './variables.ts'

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
    // The demo's mailbox and log-ins are for the person at this machine.
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
