/** Descriptions of all settings, from which `npm run settings-table` writes `docs/settings.md`. Texts are Markdown. */
import { defaults } from './defaults.ts'
import type { Settings } from './environment-variables.ts'
import { SECRETS } from './secrets.ts'

interface SettingNote {
  /**
   * Default or effect of an unset setting, in Markdown; '' for none. If omitted, the page shows the value in
   * `defaults`.
   */
  unset?: string
  means: string
}

type Notes = { [Name in keyof Settings]?: SettingNote }

const settingDescriptions: Readonly<Record<string, Notes>> = {
  'The process': {
    MODE: {
      means:
        '`production` refuses to start with the mailbox, printed log-ins, the sandbox or `CLOCK`, or without keys, card provider and mail; it names what is missing',
    },
    ROLE: {
      means:
        '`web`: pages and operations, no chores and no outbox. `worker`: those two, and nothing but `/healthz`, `/readyz` and `/metrics` is served. Either needs `DATABASE_URL`',
    },
    PUBLIC_URL: {
      unset: 'http://localhost:PORT',
      means: 'the public origin, used for links and cookies; must be https in production',
    },
    PORT: { means: 'the port of the site' },
    HOST: { means: 'the address that the site listens on' },
    DATA_DIR: {
      unset: '`./data`',
      means: 'SQLite database, files and development keys; each process needs its own folder',
    },
    KEYS: {
      unset: 'made at the first start of a demo',
      means:
        'keys of 64 random hex digits (`openssl rand -hex 32`), comma separated, newest first, for cookies and encrypted columns. The first start stores their fingerprints; a process with other or fewer keys is refused and shows the fingerprints',
    },
    DRAIN_MS: {
      means:
        'how long a stopping server still serves requests while `/readyz` returns 503; must be longer than the check interval of the proxy',
    },
  },
  Database: {
    DATABASE_URL: { unset: 'SQLite in `DATA_DIR`', means: '`postgres://…`' },
    DATABASE_CA: {
      unset: "the system's",
      means: 'a PEM file: the process connects only to a server whose certificate this CA has signed for its host name',
    },
    DATABASE_CONNECTIONS: { means: 'maximum number of connections of a process' },
    DATABASE_UNSYNCED_CONNECTIONS: {
      means: 'maximum number of additional connections, for writes that may be lost in a power cut',
    },
    DATABASE_STATEMENT_MS: {
      means: 'timeout of a statement; the request is then answered with 503',
    },
    DATABASE_POOLED: {
      unset: '`off`',
      means:
        "`on` behind a pooler that shares connections between transactions, such as PgBouncer from 1.21 on with `max_prepared_statements` above 0: timeouts are set in each transaction. Statements outside one have the server's: `alter role latchkey set statement_timeout = '15s'`. The server must have `synchronous_commit` on",
    },
    DATABASE_HA: {
      unset: '',
      means:
        '`required`: a worker logs an error each minute while no synchronous standby is connected. `/readyz` still returns 200',
    },
  },
  'Card provider and bank': {
    CARD_PROVIDER_URL: { unset: 'the sandbox', means: 'the EdgeExpress / HostPay endpoint' },
    CARD_PROVIDER_PAGE_ORIGIN: { unset: "the endpoint's", means: 'the origin of its card page, if it differs' },
    CARD_PROVIDER_XWEB_ID: { unset: 'the sandbox’s', means: 'its XWebID' },
    CARD_PROVIDER_TERMINAL_ID: { unset: 'the sandbox’s', means: 'its terminal' },
    CARD_PROVIDER_AUTH_KEY: { unset: 'the sandbox’s', means: 'its key' },
    BANK_URL: {
      unset: "the sandbox's `/bank` in a demo with the card sandbox; else no bank payments",
      means: 'the service that debits bank accounts (its JSON: `ports/bank/http.ts`)',
    },
    BANK_KEY: { unset: '', means: 'its bearer key' },
    AUTOPAY_AT_A_TIME: {
      means:
        'maximum number of concurrent autopay charges in a process. A charge needs two requests to the provider: if each takes a second, 4 at a time are 7,200 an hour and 128 are 230,000',
    },
    PROVIDER_PER_SECOND: {
      unset: 'no limit',
      means:
        'maximum calls per second of a process to the card provider, of which a refund sends two or three requests and a charge of a stored card two; people at a screen have priority over autopay and refunds',
    },
  },
  'Mail and text messages': {
    SMTP_URL: {
      unset: 'mail is captured',
      means: '`smtps://user:password@host`; `smtp://` to another machine requires STARTTLS',
    },
    MAIL_FROM: { unset: `\`${defaults.MAIL_FROM}\` in a demo`, means: 'the sender; production requires it' },
    MAIL_CONNECTIONS: { means: 'connections of a process to the mail server' },
    AUDIT_MAIL_TO: {
      unset: 'no mail',
      means:
        'e-mail address that receives the hash of each day of the audit log: a mailbox that none of these servers can open ([the audit](operations.md#privacy-and-the-audit))',
    },
    SMS_URL: {
      unset: 'captured in a demo; not sent in production',
      means:
        'URL to which text messages are posted. Let the provider post replies to `PUBLIC_URL/texts/reply`: STOP ends texts to that number, START resumes them',
    },
    SMS_KEY: { unset: '', means: 'the bearer token of `json`; for `twilio` it is `sid:token`' },
    SMS_FROM: { unset: '', means: 'the sending number' },
    SMS_FORM: {
      means:
        '`json`: `{"id","from","to","text"}`; replies `{"id","from","text"}`, signed `X-Signature: sha256=` HMAC of the body with the key. `twilio`: its form and its own signature',
    },
  },
  'Other outside parties': {
    PM_HOST: {
      unset: 'our own appointments',
      means: 'the property-management host that manages the appointments, such as `https://manager.example.com`',
    },
    PM_KEY: { unset: '', means: 'its bearer token' },
    BREACHED_PASSWORDS_URL: {
      unset: 'no check',
      means:
        'a range API like `https://api.pwnedpasswords.com`: new passwords known from breaches are refused. Five digits of a hash are sent; while the service is down, passwords are accepted',
    },
    GEOCODER_URL: {
      unset: 'the offline gazetteer',
      means: "a geocoder with Google's API; the gazetteer is used while it is down",
    },
    GEOCODER_KEY: { unset: '', means: 'its key' },
    IP_LOCATION_HEADERS: {
      unset: '',
      means: 'two headers of the CDN, such as `CF-IPLatitude,CF-IPLongitude`, for the nearby card',
    },
    IP_LOCATION_URL: { unset: '', means: 'called as `GET {url}/{address}` if the headers are missing' },
    IP_LOCATION_KEY: { unset: '', means: 'its bearer token' },
    SENTRY_DSN: {
      unset: 'only the log',
      means: 'errors are also reported there, without card numbers and secrets',
    },
  },
  Files: {
    S3_URL: {
      unset: 'a folder in `DATA_DIR`',
      means: 'an S3-compatible object store for leases, uploads and brochures, instead of a folder',
    },
    S3_BUCKET: { unset: '', means: 'its bucket' },
    S3_REGION: { means: 'its region' },
    S3_ACCESS_KEY_ID: { unset: '', means: 'the id of its key' },
    S3_SECRET_ACCESS_KEY: { unset: '', means: 'its key' },
    FILES_DIR: {
      unset: '`files` in `DATA_DIR`',
      means:
        'the folder of the files, without `S3_URL`. With `DATABASE_URL`, production requires `S3_URL`, or this and `FILES_SHARED=on`',
    },
    FILES_SHARED: { unset: '`off`', means: '`on` confirms that all servers mount this folder' },
  },
  'Proxies and the office': {
    TRUST_PROXY: {
      unset: '0',
      means:
        "how many proxies, or which addresses, are trusted for the client's address. Behind a proxy without this setting, limits count all visitors as one, and a facility accepts only 60 unpaid reservations a day",
    },
    OFFICE_ADDRESSES: {
      unset: 'from anywhere',
      means:
        "addresses and ranges from which `/office` can be opened, such as `203.0.113.0/24`; for others it does not exist. The client's address depends on `TRUST_PROXY`",
    },
  },
  'Logs and metrics': {
    LOG_LEVEL: { means: 'structured logs on standard output' },
    ACCESS_LOG: {
      unset: '`on` in production',
      means:
        'a log line for each response, job and call to a partner: request id, route pattern, status, milliseconds, bytes, role, network; no address, path, name or token',
    },
    METRICS_PORT: {
      unset: "the site's port",
      means:
        'separate port for `/metrics` and the detailed `/readyz`: a number, or with `+` an offset to `PORT`, so that each process of a machine has its own. Never expose it through a proxy',
    },
    METRICS_HOST: { means: 'the address that `METRICS_PORT` listens on' },
    METRICS_TOKEN: {
      unset: 'none',
      means:
        'bearer token that `/metrics` and the detailed `/readyz` require (`Authorization: Bearer …`); without a separate port it also allows other machines',
    },
  },
  'A demo': {
    DEMO: {
      unset: '`on` in a demo',
      means: '`off`: no demo operator and no printed log-ins, for your own business',
    },
    MAILBOX: { unset: '`on` in a demo', means: '`off`: no `/dev/mailbox`; mail then needs `SMTP_URL`' },
    PRINT_LOGINS: { unset: '`on` in a demo', means: '`off`: no log-ins in the terminal' },
    CLOCK: {
      unset: 'now',
      means:
        "the instant at which the clock starts, such as `2026-11-20T17:00:00Z`. The schedule follows it: if it starts half a minute before a facility's midnight, billing runs a minute and a half later and autopay five minutes after that",
    },
    DEMO_LAT: { unset: "Atlanta's", means: 'with `DEMO_LNG`: the location of all visitors, for the nearby card' },
    DEMO_LNG: { unset: "Atlanta's", means: 'with `DEMO_LAT`' },
    SANDBOX_PORT: { means: 'port of the sandbox of card provider and bank' },
    SANDBOX_HOST: { unset: '127.0.0.1', means: 'the address that the sandbox listens on' },
    SANDBOX_URL: { unset: 'http://127.0.0.1:SANDBOX_PORT', means: 'URL of the sandbox for the site' },
    SANDBOX_XWEBID: { means: 'its XWebID' },
    SANDBOX_TERMINAL_ID: { means: 'its terminal' },
    SANDBOX_AUTH_KEY: { means: 'its key' },
  },
}

const formatValue = (value: unknown): string => (typeof value === 'string' ? `\`${value}\`` : String(value))

/** Returns the value of a setting in `defaults`, such as '`127.0.0.1`; `0.0.0.0` in production'; '' without one. */
function defaultOf(name: string): string {
  const value: unknown = Object.entries(defaults).find(([settingName]) => settingName === name)?.[1]
  if (value === undefined) return ''
  if (typeof value !== 'object' || value === null || !('demo' in value && 'production' in value))
    return formatValue(value)
  return `${formatValue(value.demo)}; ${formatValue(value.production)} in production`
}

/** Returns the text of `docs/settings.md`. */
export const settingsPage = (): string =>
  [
    '# Settings',
    '',
    '<!-- Written by `npm run settings-table` from server/config/setting-descriptions.ts and defaults.ts. -->',
    '',
    'Every setting is an environment variable. The server does not start with an invalid one, and names it.',
    '',
    `A secret may be in a file instead, which \`<NAME>_FILE\` names: ${[...SECRETS].map((name) => `\`${name}\``).join(', ')}.`,
    ...Object.entries(settingDescriptions).flatMap(([heading, notes]) => [
      '',
      `## ${heading}`,
      '',
      '| setting | default | meaning |',
      '|---|---|---|',
      ...Object.entries(notes).map(
        ([name, { unset, means }]) => `| \`${name}\` | ${unset ?? defaultOf(name)} | ${means} |`,
      ),
    ]),
    '',
  ].join('\n')
