import type { BlockList } from 'node:net'

/**
 * The environment, parsed once at the start. Every setting is an environment variable; a wrong one stops the start with
 * its name and what it should be, all of them at once. Nothing else reads the environment.
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
  /** Service that is asked with five digits of a password's hash; null for none. */
  readonly breachedPasswordsUrl: string | null
  /** null: appointments are kept in our own database. */
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

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

export const SMS_FORMS = ['json', 'twilio'] as const
