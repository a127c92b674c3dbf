import { BlockList } from 'node:net'
import { join, resolve } from 'node:path'
import * as v from 'valibot'
import type { DatabasePlace, PostgresSettings } from '../../platform/database/open.ts'
import { defaults } from './defaults.ts'
import { Environment, type Settings } from './environment-variables.ts'
import {
  demoProblems,
  metricsPortProblems,
  partnerProblems,
  productionProblems,
  roleProblems,
} from './production-checks.ts'
import { readSecretFiles, SECRETS } from './secrets.ts'

/** The configuration, parsed once from the environment variables. */
export type Config = Readonly<ReturnType<typeof configOf>>

/** Thrown when the server cannot start. The message lists the problems, which are sentences for the operator. */
export class StartupError extends Error {
  constructor(problems: readonly string[]) {
    super(`Latchkey cannot start:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.name = 'StartupError'
  }
}

/**
 * Parses the environment variables. An empty variable counts as unset.
 * @returns the configuration, or all problems as sentences that name their variables
 */
export function configFrom(
  env: Readonly<Record<string, string | undefined>>,
): { ok: true; config: Config } | { ok: false; problems: string[] } {
  const { variables, problems: fileProblems } = readSecretFiles(
    Object.fromEntries(Object.entries(env).flatMap(([name, text]) => (text?.trim() ? [[name, text.trim()]] : []))),
  )
  const parsed = v.safeParse(Environment, variables)
  const problems = (parsed.issues ?? []).map((issue) => {
    const name = String(issue.path?.[0].key)
    const value = SECRETS.has(name) ? '' : `, not '${variables[name]}'`
    return `${name} should be ${issue.message}${value}.`
  })
  // The valid variables are checked together even if others are wrong.
  const settings: Settings = parsed.typed ? parsed.output : validVariables(variables)
  problems.unshift(...fileProblems)
  problems.push(...partnerProblems(variables), ...roleProblems(settings, variables), ...metricsPortProblems(settings))
  problems.push(...(settings.MODE === 'production' ? productionProblems : demoProblems)(settings, variables))
  if (problems.length > 0) return { ok: false, problems: [...new Set(problems)] }
  return { ok: true, config: deepFreeze(configOf(settings)) }
}

/** Returns the environment variables that are valid, each checked without the others. */
function validVariables(variables: Record<string, string>): Partial<Settings> {
  return Object.fromEntries(
    Object.entries(Environment.entries).flatMap(([name, schema]) => {
      const parsed = v.safeParse(schema, variables[name])
      return parsed.success ? [[name, parsed.output]] : []
    }),
  )
}

/** Freezes a value deeply, except for address lists. */
function deepFreeze<T>(value: T): T {
  if (value === null || typeof value !== 'object' || value instanceof BlockList) return value
  for (const part of Object.values(value)) deepFreeze(part)
  return Object.freeze(value)
}

function configOf(settings: Settings) {
  const mode = settings.MODE ?? defaults.MODE
  const demo = mode === 'demo'
  const port = settings.PORT ?? defaults.PORT
  const dataDir = settings.DATA_DIR ?? resolve('data')
  return {
    mode,
    role: settings.ROLE ?? defaults.ROLE,
    host: settings.HOST ?? defaults.HOST[mode],
    port,
    /** The site's origin without a trailing slash, such as https://rent.example.com */
    publicUrl: settings.PUBLIC_URL ?? `http://localhost:${port}`,
    dataDir,
    /** Folder of the files, if there is no object store. */
    filesDir: settings.FILES_DIR ?? join(dataDir, 'files'),
    databaseUrl: databaseUrlOf(settings),
    /** Settings of PostgreSQL; omitted ones have the defaults of `openDatabase`. */
    database: databaseOf(settings),
    /** True if a missing synchronous standby is an error, which workers log. */
    standbyRequired: settings.DATABASE_HA === 'required',
    /**
     * Time in milliseconds for which a stopping server still serves requests, so that the proxy notices that it is not
     * ready.
     */
    drainMs: settings.DRAIN_MS ?? defaults.DRAIN_MS[mode],
    /** Epoch milliseconds at which the demo's clock starts; null for the real time. */
    clock: settings.CLOCK ?? null,
    /** Keys of 64 hex digits; the first encrypts, all decrypt. If empty, a demo generates one in the data folder. */
    keys: settings.KEYS ?? [],
    ...moneyOf(settings, demo && settings.CARD_PROVIDER_URL === undefined),

    ...ratesOf(settings),
    ...mailOf(settings),
    ...(demo ? demoOf(settings) : { mailbox: false, demo: false, printLogins: false, visitorAt: null }),
    ...addressesOf(settings),
    ...partnersOf(settings),
    ...monitoringOf(settings, { mode, port }),
  }
}

const ratesOf = (settings: Settings) => ({
  /** Limits of this process's work; `providerPerSecond` null for no limit. */
  rates: {
    mailConnections: settings.MAIL_CONNECTIONS ?? defaults.MAIL_CONNECTIONS,
    autopayAtATime: settings.AUTOPAY_AT_A_TIME ?? defaults.AUTOPAY_AT_A_TIME,
    providerPerSecond: settings.PROVIDER_PER_SECOND ?? null,
  },
})

const mailOf = (settings: Settings) => ({
  /** `smtpUrl` null: mail is stored for the mailbox page instead of sent. */
  mail: { smtpUrl: settings.SMTP_URL ?? null, from: settings.MAIL_FROM ?? defaults.MAIL_FROM },
  /** E-mail address to which each day's audit hash is sent; null for none. */
  auditMailTo: settings.AUDIT_MAIL_TO ?? null,
})

const addressesOf = (settings: Settings) => ({
  trustProxy: settings.TRUST_PROXY ?? { hops: 0, ranges: null },
  /** Addresses from which the office may be opened; null for all. */
  officeAddresses: settings.OFFICE_ADDRESSES ?? null,
})

function monitoringOf(settings: Settings, { mode, port }: { mode: 'demo' | 'production'; port: number }) {
  const { METRICS_PORT = null } = settings
  return {
    sentryDsn: settings.SENTRY_DSN ?? null,
    logLevel: settings.LOG_LEVEL ?? defaults.LOG_LEVEL,
    /** True if responses are logged, and jobs, payments and partner calls at the level 'info' instead of 'debug'. */
    accessLog: settings.ACCESS_LOG ?? defaults.ACCESS_LOG[mode],
    /**
     * `port` null: served on the site's port to this machine, and with the token to others; never through a proxy.
     */
    metrics: {
      port: METRICS_PORT !== null && typeof METRICS_PORT === 'object' ? port + METRICS_PORT.abovePort : METRICS_PORT,
      host: settings.METRICS_HOST ?? defaults.METRICS_HOST,
      token: settings.METRICS_TOKEN ?? null,
    },
  }
}

/** Returns the database URL; with `DATABASE_CA` it verifies the server's certificate and host name. */
function databaseUrlOf({ DATABASE_URL, DATABASE_CA }: Settings): string | null {
  if (!DATABASE_URL || !DATABASE_CA) return DATABASE_URL ?? null
  const url = new URL(DATABASE_URL)
  url.searchParams.set('sslmode', 'verify-full')
  url.searchParams.set('sslrootcert', DATABASE_CA)
  return url.href
}

const databaseOf = (settings: Settings): Partial<PostgresSettings> => ({
  ...(settings.DATABASE_CONNECTIONS && { connections: settings.DATABASE_CONNECTIONS }),
  ...(settings.DATABASE_UNSYNCED_CONNECTIONS && { withoutFsyncConnections: settings.DATABASE_UNSYNCED_CONNECTIONS }),
  ...(settings.DATABASE_STATEMENT_MS && { statementMs: settings.DATABASE_STATEMENT_MS }),
  ...(settings.DATABASE_POOLED && { pooled: true }),
})

function demoOf(settings: Settings) {
  const demo = settings.DEMO ?? true
  return {
    mailbox: settings.MAILBOX ?? true,
    /** Whether the demo operator is seeded at the start; false also in a demo with DEMO=off. */
    demo,
    printLogins: demo && (settings.PRINT_LOGINS ?? true),
    visitorAt: { lat: settings.DEMO_LAT ?? defaults.DEMO_LAT, lng: settings.DEMO_LNG ?? defaults.DEMO_LNG },
  }
}

/**
 * Returns the addresses and credentials of the bank and the card provider.
 * @param sandbox whether the sandbox stands in for the card provider, and for the bank unless one is configured
 * @returns `bank` null if there is none; no debit can be made then
 */
function moneyOf(settings: Settings, sandbox: boolean) {
  const bank = settings.BANK_URL ? { url: settings.BANK_URL, key: settings.BANK_KEY! } : null
  if (!sandbox)
    return {
      bank,
      cardProvider: {
        sandbox,
        baseUrl: settings.CARD_PROVIDER_URL!,
        /** Origin of the hosted card pages, if it differs from `baseUrl`. */
        pageOrigin: settings.CARD_PROVIDER_PAGE_ORIGIN,
        credentials: {
          xwebId: settings.CARD_PROVIDER_XWEB_ID!,
          terminalId: settings.CARD_PROVIDER_TERMINAL_ID!,
          authKey: settings.CARD_PROVIDER_AUTH_KEY!,
        },
      },
    }
  const baseUrl = settings.SANDBOX_URL ?? `http://127.0.0.1:${settings.SANDBOX_PORT ?? defaults.SANDBOX_PORT}`
  const authKey = settings.SANDBOX_AUTH_KEY ?? defaults.SANDBOX_AUTH_KEY
  const {
    SANDBOX_XWEBID: xwebId = defaults.SANDBOX_XWEBID,
    SANDBOX_TERMINAL_ID: terminalId = defaults.SANDBOX_TERMINAL_ID,
  } = settings
  return {
    bank: bank ?? { url: `${baseUrl}/bank`, key: authKey },
    cardProvider: { sandbox, baseUrl, pageOrigin: undefined, credentials: { xwebId, terminalId, authKey } },
  }
}

function partnersOf(settings: Settings) {
  const { GEOCODER_URL, IP_LOCATION_URL, PM_HOST, SMS_URL, S3_URL } = settings
  return {
    /** null: only the offline gazetteer is used. */
    geocoder: GEOCODER_URL ? { url: GEOCODER_URL, key: settings.GEOCODER_KEY! } : null,
    ipLocation: {
      /** Headers in which a CDN sends the visitor's location. */
      headers: settings.IP_LOCATION_HEADERS ?? null,
      http: IP_LOCATION_URL ? { url: IP_LOCATION_URL, key: settings.IP_LOCATION_KEY ?? null } : null,
    },
    breachedPasswordsUrl: settings.BREACHED_PASSWORDS_URL ?? null,
    propertyManagement: PM_HOST ? { url: PM_HOST, key: settings.PM_KEY ?? null } : null,
    /** null: messages are stored in a demo, and fail in production. */
    sms: SMS_URL
      ? { url: SMS_URL, key: settings.SMS_KEY!, from: settings.SMS_FROM!, form: settings.SMS_FORM ?? defaults.SMS_FORM }
      : null,
    objectStore: S3_URL
      ? {
          url: S3_URL,
          bucket: settings.S3_BUCKET!,
          region: settings.S3_REGION ?? defaults.S3_REGION,
          accessKeyId: settings.S3_ACCESS_KEY_ID!,
          secretAccessKey: settings.S3_SECRET_ACCESS_KEY!,
        }
      : null,
  }
}

/** Returns the folder of the SQLite file and, if PostgreSQL is used, the URL and settings of that database. */
export const databaseLocationOf = ({ dataDir, databaseUrl, database }: Config): DatabasePlace => ({
  dataDir,
  ...(databaseUrl && { url: databaseUrl, settings: database }),
})

/** Lists warnings about settings that a production server can start without but should have. */
export function configWarnings(config: Config): string[] {
  if (config.mode !== 'production') return []
  const { trustProxy, sms } = config
  return [
    // This server speaks no TLS, so in production a proxy must be in front of it.
    ...(trustProxy.hops === 0 && !trustProxy.ranges
      ? [
          'TRUST_PROXY names no proxy: every visitor counts as the proxy in front, and one who guesses shuts all of them out',
        ]
      : []),
    ...(!sms ? ['SMS_URL is not set: text messages are dropped, and only mail goes out'] : []),
  ]
}
