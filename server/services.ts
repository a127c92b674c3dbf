/** Creates the services: the only place where adapters are chosen by the configuration. */
import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { officeOperations } from '../api/catalogue.ts'
import { embeddedPropertyManagement } from '../modules/appointments/answer-proposed-appointment-in-own-database.ts'
import { createMailbox } from '../modules/messages/development-mailbox.ts'
import { SteadyClock } from '../platform/clock-ignoring-jumps.ts'
import { currentRequest } from '../platform/current-request.ts'
import type { Database } from '../platform/database/open.ts'
import { developmentKeys, type Keys } from '../platform/encryption/encryption-key-file.ts'
import { Sealer } from '../platform/encryption/sealer.ts'
import type { Callers } from '../platform/operations/callers.ts'
import { perform } from '../platform/operations/operation.ts'
import type { Services } from '../platform/operations/services.ts'
import { passwords } from '../platform/passwords/hash-password.ts'
import { RateLimits } from '../platform/rate-limit-counters.ts'
import { RestoreGuard, restoredMessage } from '../platform/server-registry/detect-restored-database.ts'
import { keyCheck } from '../platform/server-registry/key-checks.ts'
import type { ServerSettings } from '../platform/server-registry/running-servers-and-heartbeats.ts'
import { httpPropertyManagement } from '../ports/appointment-host/http.ts'
import { type Bank, BankUnavailable } from '../ports/bank/bank.ts'
import { httpBank } from '../ports/bank/http.ts'
import { withBlockedCalls } from '../ports/block-calls.ts'
import { httpBreachedPasswords } from '../ports/breached-passwords/http.ts'
import { type CardProvider, CardProviderUnavailable } from '../ports/card-provider/card-provider.ts'
import { edgeExpress } from '../ports/card-provider/edge-express.ts'
import { limitProviderCalls } from '../ports/card-provider/limit-provider-calls.ts'
import { withHealth } from '../ports/card-provider/provider-health.ts'
import type { Clock, Random } from '../ports/clock-and-random.ts'
import type { ErrorReporter } from '../ports/errors/errors.ts'
import { loggedErrors } from '../ports/errors/log.ts'
import { sentryErrors } from '../ports/errors/sentry.ts'
import type { Files } from '../ports/files/files.ts'
import { folderFiles } from '../ports/files/folder.ts'
import { s3Files } from '../ports/files/s3.ts'
import { httpGate } from '../ports/gate/http.ts'
import { gazetteer } from '../ports/geocoder/gazetteer.ts'
import { httpGeocoder } from '../ports/geocoder/http.ts'
import { instrumented, type PartnerCall } from '../ports/instrumented.ts'
import { cdnIpLocation } from '../ports/ip-location/cdn-headers.ts'
import { fixedIpLocation } from '../ports/ip-location/fixed-location.ts'
import { firstIpLocation, httpIpLocation } from '../ports/ip-location/http.ts'
import type { IpLocation } from '../ports/ip-location/ip-location.ts'
import { capturedMail } from '../ports/mail/captured.ts'
import type { Mail } from '../ports/mail/mail.ts'
import { smtpMail } from '../ports/mail/smtp.ts'
import { loggedSecurity } from '../ports/security-log/security-log.ts'
import { capturedSms } from '../ports/sms/captured.ts'
import { httpSms, unconfiguredSms } from '../ports/sms/http.ts'
import type { Sms } from '../ports/sms/sms.ts'
import type { Config } from './config/config.ts'
import {
  countBusinessEvents,
  partnerMetrics,
  withErrorMetrics,
  withSecurityMetrics,
} from './count-events-and-calls-in-metrics.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import { clockAt, systemClock, systemRandom } from './system-clock-and-random.ts'

/**
 * Returns the process's clock. It follows the machine's time, and PostgreSQL's once `setClockByDatabase` was called;
 * with `CLOCK` it starts at that time.
 */
export const createClock = ({ clock }: Config): Clock =>
  clock === null ? new SteadyClock(() => systemClock.now()) : clockAt(clock)

/** Returns the configured encryption and cookie keys; in a demo without configured keys, those of the data folder. */
export function loadEncryptionKeys(config: Config): Keys {
  if (config.keys.length === 0) return developmentKeys(config.dataDir)
  return {
    // Encrypted texts contain the id of their key, so the id must stay the same when other keys are added.
    sealing: config.keys.map((key) => ({
      id: createHash('sha256').update(key).digest('hex').slice(0, 8),
      key: Buffer.from(key, 'hex'),
    })),
    cookie: [...config.keys],
  }
}

/** Returns the settings that must equal those of the other servers. */
export const serverSettingsOf = (config: Config, keys: Keys): ServerSettings => ({
  mode: config.mode,
  publicUrl: config.publicUrl,
  keyCheck: keyCheck(keys.sealing[0]!),
})

/**
 * Services of a process, and the parts that operations do not receive: mail, encryption keys and the check for a
 * restored database.
 */
export interface Runtime {
  services: Services
  mail: Mail
  keys: Keys
  restoreGuard: RestoreGuard
}

/**
 * Returns the sources of visitors' locations: CDN headers, then a provider; without either, a demo's fixed point or
 * none.
 */
function ipLocationOf(config: Config, clock: Clock, errors: ErrorReporter): IpLocation {
  const { headers, http } = config.ipLocation
  const sources = [
    ...(headers ? [cdnIpLocation(headers)] : []),
    ...(http ? [httpIpLocation({ ...http, clock, errors })] : []),
  ]
  return sources.length > 0 ? firstIpLocation(sources) : fixedIpLocation(config.visitorAt)
}

export const createFileStore = (config: Config): Files =>
  config.objectStore ? s3Files(config.objectStore) : folderFiles(config.filesDir)

/** Creates the card provider's adapter, whose calls are limited if the configuration says so. */
export function createCardProvider(config: Config) {
  const perSecond = config.rates.providerPerSecond
  const provider = edgeExpress(config.cardProvider)
  if (perSecond === null) return provider
  return limitProviderCalls(provider, {
    perSecond,
    now: () => performance.now(),
    pause: (milliseconds) => pause(milliseconds),
  })
}

/** Returns the SMTP adapter; null if no mail server is configured. */
export const createSmtpMail = ({ mail, rates }: Config) =>
  mail.smtpUrl ? smtpMail({ url: mail.smtpUrl, connections: rates.mailConnections }) : null

/** Creates the bank's adapter; null without a configured bank. */
export const createBank = ({ bank }: Config): Bank | null => (bank ? httpBank(bank) : null)

/** Blocks calls that begin a payment, charge or refund, but no queries, while the database may be a restored copy. */
const blockedCardProvider = (provider: CardProvider, guard: RestoreGuard): CardProvider =>
  withBlockedCalls(provider, {
    calls: ['createHostedPage', 'saleByAlias', 'refund'],
    isBlocked: () => guard.mustWait(),
    refusal: () => new CardProviderUnavailable('refused', restoredMessage()),
  })

const blockedBank = (bank: Bank, guard: RestoreGuard): Bank =>
  withBlockedCalls(bank, {
    calls: ['validateAccount', 'debit', 'refund'],
    isBlocked: () => guard.mustWait(),
    refusal: () => new BankUnavailable('refused', restoredMessage()),
  })

/** Stands in for an unconfigured bank: its calls fail, and its list of returns is empty. */
const noBank = new Proxy({} as Bank, {
  get: (_, name) => async () => {
    if (name === 'returnsSince') return []
    throw new BankUnavailable('refused', 'no bank is configured: BANK_URL and BANK_KEY are missing')
  },
})

function smsOf(config: Config, captured: Sms): Sms {
  if (config.sms) return httpSms(config.sms)
  return config.mode === 'demo' ? captured : unconfiguredSms
}

/** Performs an approved operation by name. @throws Error if no office operation has that name */
function performApproved(services: Services, name: string, input: unknown, callers: Callers) {
  const operation = officeOperations.find((candidate) => candidate.name === name)
  if (!operation) throw new Error(`No operation ${name} to approve`)
  return perform(services, operation, input, callers)
}

interface RuntimeParts {
  config: Config
  db: Database
  log: Log
  clock: Clock
  random?: Random
  /** Absent in commands. */
  metrics?: Metrics
}

/** Creates the services of a process with the configured adapters. */
export function openRuntime({ config, db, log, clock, ...parts }: RuntimeParts): Runtime {
  const { metrics } = parts
  const level = config.accessLog ? 'info' : 'debug'
  const countCall = metrics && partnerMetrics(metrics)
  const reportCall = (call: PartnerCall) => {
    countCall?.(call)
    log[level](call, 'partner called')
  }
  const random = parts.random ?? systemRandom
  const keys = loadEncryptionKeys(config)
  const files = createFileStore(config)
  const mailbox = createMailbox(db)
  const logReporter = loggedErrors(log)
  const reporter = config.sentryDsn
    ? sentryErrors({ dsn: config.sentryDsn, clock, random, environment: config.mode, also: logReporter })
    : logReporter
  const errors = metrics ? withErrorMetrics(reporter, metrics) : reporter
  const security = loggedSecurity(log, () => currentRequest()?.address)
  const offlineGeocoder = gazetteer()
  const sealer = new Sealer({ keys: keys.sealing })
  const bank = createBank(config)
  const cardProvider = withHealth(instrumented('card', createCardProvider(config), reportCall), clock)
  const restoreGuard = new RestoreGuard({ db, files, clock, random })
  const services: Services = {
    db,
    clock,
    random,
    files,
    limits: new RateLimits({ db, clock, sparesLoopback: config.mode === 'demo' }),
    sealer,
    cardProvider: blockedCardProvider(cardProvider, restoreGuard),
    providerHealth: cardProvider.health,
    geocoder: config.geocoder
      ? httpGeocoder({ ...config.geocoder, fallback: offlineGeocoder, errors })
      : offlineGeocoder,
    ipLocation: ipLocationOf(config, clock, errors),
    errors,
    security: metrics ? withSecurityMetrics(security, metrics) : security,
    ...(metrics && { businessEvents: countBusinessEvents(metrics, log, level) }),
    sms: instrumented('sms', smsOf(config, capturedSms({ mailbox, clock })), reportCall),
    bank: blockedBank(bank ? instrumented('bank', bank, reportCall) : noBank, restoreGuard),
    propertyManagement: config.propertyManagement
      ? httpPropertyManagement({ ...config.propertyManagement, pause: (milliseconds) => pause(milliseconds) })
      : embeddedPropertyManagement({ db, clock }),
    ...(config.breachedPasswordsUrl && {
      breachedPasswords: httpBreachedPasswords({ url: config.breachedPasswordsUrl, errors }),
    }),
    passwords,
    runApprovedOperation: (name, input, callers) => performApproved(services, name, input, callers),
    ...(config.mode === 'demo' && { allowsAnyFactor: true as const }),
    gateBridge: httpGate(clock),
    mayBeRestored: () => restoreGuard.mustWait(),
    publicUrl: config.publicUrl,
  }
  return {
    services,
    keys,
    restoreGuard,
    mail: instrumented('mail', createSmtpMail(config) ?? capturedMail({ mailbox, files, clock }), reportCall),
  }
}
