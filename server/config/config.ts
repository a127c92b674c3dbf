import type { BlockList } from 'node:net'

/** The environment, parsed once at the start; nothing else reads it. */
export interface Config {
  readonly mode: 'demo' | 'production'
  readonly host: string
  readonly port: number
  /** Our own origin without a trailing slash, such as https://rent.example.com */
  readonly publicUrl: string
  readonly dataDir: string
  readonly databaseUrl: string | null
  /** Epoch milliseconds at which the demo's clock starts; null is the machine's own time. */
  readonly clock: number | null
  /** 64 hex digits each; the first seals, all open. Empty: a demo makes one in the data folder. */
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
  readonly mailbox: boolean
  readonly demo: boolean
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
  readonly breachedPasswordsUrl: string | null
  readonly propertyManagement: { readonly url: string; readonly key: string | null } | null
  readonly objectStore: {
    readonly url: string
    readonly bucket: string
    readonly region: string
    readonly accessKeyId: string
    readonly secretAccessKey: string
  } | null
  readonly sentryDsn: string | null
  readonly logLevel: (typeof LOG_LEVELS)[number]
}

type SmsForm = (typeof SMS_FORMS)[number]

/** The message names each variable and what it should be. */
export class StartupError extends Error {
  constructor(problems: readonly string[]) {
    super(`Latchkey cannot start:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.name = 'StartRefused'
  }
}

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

export const SMS_FORMS = ['json', 'twilio'] as const
