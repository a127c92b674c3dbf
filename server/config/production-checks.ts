import { defaults } from './defaults.ts'
import { MAX_PORT, type Settings } from './environment-variables.ts'

/** Returns the problem of a METRICS_PORT above PORT that no machine has. */
export function metricsPortProblems({ PORT = defaults.PORT, METRICS_PORT }: Settings): string[] {
  if (typeof METRICS_PORT !== 'object' || PORT + METRICS_PORT.abovePort <= MAX_PORT) return []
  const { abovePort } = METRICS_PORT
  return [`METRICS_PORT should be at most +${MAX_PORT - PORT} with the PORT ${PORT}, not '+${abovePort}'.`]
}

/** Lists what is wrong with a demo's settings, as sentences. */
export function demoProblems(settings: Settings, variables: Record<string, string>): string[] {
  const problems: string[] = []
  if (settings.MAILBOX === false && !variables.SMTP_URL)
    problems.push('SMTP_URL should be a mail server, since MAILBOX is off.')
  if ((variables.DEMO_LAT === undefined) !== (variables.DEMO_LNG === undefined))
    problems.push('DEMO_LAT and DEMO_LNG should be given together.')
  if (
    !variables.CARD_PROVIDER_URL &&
    (settings.PORT ?? defaults.PORT) === (settings.SANDBOX_PORT ?? defaults.SANDBOX_PORT)
  )
    problems.push('SANDBOX_PORT should be another than PORT.')
  return problems
}

const CARD_PROVIDER_CREDENTIALS = {
  CARD_PROVIDER_XWEB_ID: "the card provider's XWEBID",
  CARD_PROVIDER_TERMINAL_ID: "the card provider's terminal id",
  CARD_PROVIDER_AUTH_KEY: "the card provider's authentication key",
}

const listMissing = (variables: Record<string, string>, required: Record<string, string>) =>
  Object.entries(required).flatMap(([name, description]) =>
    variables[name] ? [] : [`${name} is missing: ${description}.`],
  )

/** Returns a sentence for each missing setting, such as the bank's key, that a partner whose URL is set requires. */
export function partnerProblems(variables: Record<string, string>): string[] {
  const problems: string[] = []
  const requireTogether = (name: string, required: Record<string, string>) => {
    if (variables[name]) problems.push(...listMissing(variables, required))
  }
  requireTogether('CARD_PROVIDER_URL', CARD_PROVIDER_CREDENTIALS)
  requireTogether('BANK_URL', { BANK_KEY: "the bank's key" })
  requireTogether('GEOCODER_URL', { GEOCODER_KEY: "the geocoder's key" })
  requireTogether('SMS_URL', { SMS_KEY: "the SMS provider's key", SMS_FROM: 'the number that text messages come from' })
  requireTogether('S3_URL', {
    S3_BUCKET: 'the bucket that keeps our files',
    S3_ACCESS_KEY_ID: "the object store's access key id",
    S3_SECRET_ACCESS_KEY: "the object store's secret access key",
  })
  return problems
}

/**
 * Returns the problem of a ROLE other than 'all' without PostgreSQL. Only one process can use SQLite, so it must do
 * everything.
 */
export const roleProblems = ({ ROLE = 'all' }: Settings, variables: Record<string, string>): string[] =>
  ROLE !== 'all' && !variables.DATABASE_URL
    ? [`ROLE should be all without DATABASE_URL: one process has the SQLite file, and it does everything.`]
    : []

/**
 * Returns the problem of settings with which the servers of one PostgreSQL database would not share their files: no
 * object store and no shared folder.
 */
const filesProblems = (settings: Settings, variables: Record<string, string>): string[] =>
  variables.DATABASE_URL && !variables.S3_URL && !(variables.FILES_DIR && settings.FILES_SHARED)
    ? [
        'S3_URL is missing: with DATABASE_URL each server has to find the files of all. Or name a folder that all of them mount in FILES_DIR, and set FILES_SHARED=on.',
      ]
    : []

/** Lists what is wrong with the settings in production, as sentences. */
export function productionProblems(settings: Settings, variables: Record<string, string>): string[] {
  const problems = listMissing(variables, {
    PUBLIC_URL: 'the origin visitors use, such as https://rent.example.com',
    KEYS: 'keys of 64 hex digits each, for cookies and sealed data',
    CARD_PROVIDER_URL: 'the real card provider',
    ...CARD_PROVIDER_CREDENTIALS,
    SMTP_URL: 'the mail server that sends to tenants',
    MAIL_FROM: 'the sender of our mail',
  })
  problems.push(...filesProblems(settings, variables))
  const refuse = (name: string, why: string) => problems.push(`${name} is set, but production ${why}.`)
  if (settings.DEMO) refuse('DEMO', 'never holds the demo operator')
  if (settings.MAILBOX) refuse('MAILBOX', 'never shows mail on a page')
  if (settings.PRINT_LOGINS) refuse('PRINT_LOGINS', 'never prints log-ins')
  for (const name of Object.keys(variables).filter((name) => name.startsWith('SANDBOX_')))
    refuse(name, 'never runs the card sandbox')
  if (variables.CLOCK) refuse('CLOCK', 'keeps the real time')
  for (const name of ['DEMO_LAT', 'DEMO_LNG']) if (variables[name]) refuse(name, 'puts no visitor anywhere')
  return [...problems, ...addressSettings.flatMap((name) => addressProblems(name, settings[name]))]
}

const addressSettings = [
  'PUBLIC_URL',
  'CARD_PROVIDER_URL',
  'CARD_PROVIDER_PAGE_ORIGIN',
  'BANK_URL',
  'BREACHED_PASSWORDS_URL',
  'GEOCODER_URL',
  'IP_LOCATION_URL',
  'PM_HOST',
  'SMS_URL',
  'S3_URL',
  'SENTRY_DSN',
] as const

function addressProblems(name: (typeof addressSettings)[number], address: string | undefined): string[] {
  if (address === undefined) return []
  const { protocol, hostname } = new URL(address)
  if (protocol !== 'https:') return [`${name} should begin with https:// in production.`]
  return (name === 'PUBLIC_URL' || name.startsWith('CARD_')) && isOwnMachine(hostname)
    ? [`${name} should not be this machine's own address in production.`]
    : []
}

const isOwnMachine = (host: string) =>
  host === 'localhost' ||
  host.endsWith('.localhost') ||
  host.startsWith('127.') ||
  ['0.0.0.0', '[::1]', '[::]'].includes(host)
