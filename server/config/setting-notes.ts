/** Descriptions of all settings, from which `npm run settings-table` writes `docs/settings.md`. Texts are Markdown. */
import type { Settings } from './variables.ts'

interface SettingNote {
  /** The default; '' for none. */
  unset: string
  means: string
}

type Notes = { [Name in keyof Settings]?: SettingNote }

export const settingNotes: Readonly<Record<string, Notes>> = {
  'The process': {
    MODE: {
      unset: '`demo`',
      means:
        '`production` refuses to start with the mailbox, printed log-ins, the sandbox or `CLOCK`, or without keys, card provider and mail; it names what is missing',
    },
    ROLE: {
      unset: '`all`',
      means:
        '`web`: pages and operations, no chores and no outbox. `worker`: those two, and nothing but `/healthz`, `/readyz` and `/metrics` is served. Either needs `DATABASE_URL`',
    },
    PUBLIC_URL: {
      unset: 'http://localhost:PORT',
      means: 'the public address, which links and cookies go by; production wants https',
    },
    PORT: { unset: '3000', means: 'where the site listens' },
    HOST: { unset: '127.0.0.1; 0.0.0.0 in production', means: 'the address that it listens on' },
    DATA_DIR: { unset: '`./data`', means: 'SQLite file, kept files, development keys: a folder of this process alone' },
    KEYS: {
      unset: 'made at the first start of a demo',
      means:
        '64 random hex digits each (`openssl rand -hex 32`), comma separated, the newest first: for cookies and sealed columns. The first start leaves a check of them; a process with others, or with fewer, is refused and told their fingerprints',
    },
    DRAIN_MS: {
      unset: '5000; 0 in a demo',
      means:
        'how long a server that was told to stop goes on answering while `/readyz` says 503: longer than the proxy takes between two looks',
    },
  },
  Database: {
    DATABASE_URL: { unset: 'SQLite in `DATA_DIR`', means: '`postgres://…`' },
    DATABASE_CA: {
      unset: "the system's",
      means: 'a PEM file: the process connects only to a server whose certificate this CA has signed for its host name',
    },
    DATABASE_CONNECTIONS: { unset: '10', means: 'how many connections a process opens at most' },
    DATABASE_UNSYNCED_CONNECTIONS: {
      unset: '4',
      means: 'how many more it opens on demand, for what may be lost in a power cut',
    },
    DATABASE_STATEMENT_MS: {
      unset: '15000',
      means: 'a statement that takes longer is given up and answered with 503',
    },
    DATABASE_POOLED: {
      unset: '`off`',
      means:
        "`on` behind a pooler that shares connections between transactions, such as PgBouncer from 1.21 on with `max_prepared_statements` above 0: timeouts are set in each transaction. Statements outside one have the server's: `alter role latchkey set statement_timeout = '15s'`. The server must have `synchronous_commit` on",
    },
    DATABASE_HA: {
      unset: '',
      means:
        '`required`: while no synchronous standby is connected a worker says so in the log each minute. `/readyz` stays 200',
    },
  },
  'Card provider and bank': {
    CARD_PROVIDER_URL: { unset: 'the sandbox', means: 'the EdgeExpress / HostPay endpoint' },
    CARD_PROVIDER_PAGE_ORIGIN: { unset: "the endpoint's", means: 'the origin of its card page, where it is another' },
    CARD_PROVIDER_XWEB_ID: { unset: 'the sandbox’s', means: 'its XWebID' },
    CARD_PROVIDER_TERMINAL_ID: { unset: 'the sandbox’s', means: 'its terminal' },
    CARD_PROVIDER_AUTH_KEY: { unset: 'the sandbox’s', means: 'its key' },
    BANK_URL: {
      unset: "the sandbox's `/bank` in a demo; no bank payments in production",
      means: 'the service that debits bank accounts (its JSON: `ports/bank/http.ts`)',
    },
    BANK_KEY: { unset: '', means: 'its bearer key' },
    AUTOPAY_AT_A_TIME: {
      unset: '4',
      means:
        'charges of autopay that a process has under way at once. A charge asks the provider twice: where each answer takes a second, 4 at a time are 7,200 an hour and 128 are 230,000',
    },
    PROVIDER_PER_SECOND: {
      unset: 'no bound',
      means:
        'requests of a process to the card provider in a second; a person at a screen goes before autopay and refunds',
    },
  },
  'Mail and text messages': {
    SMTP_URL: {
      unset: 'mail is captured',
      means: '`smtps://user:password@host`; `smtp://` to another machine requires STARTTLS',
    },
    MAIL_FROM: { unset: '', means: 'the sender' },
    MAIL_CONNECTIONS: { unset: '2', means: 'connections of a process to the mail server' },
    AUDIT_MAIL_TO: {
      unset: 'no mail',
      means:
        'an address that gets the hash of each day of the audit: a mailbox that no server here can open ([the audit](operations.md#privacy-and-the-audit))',
    },
    SMS_URL: {
      unset: 'captured in a demo; not sent in production',
      means:
        'where text messages are posted. Let the provider post replies to `PUBLIC_URL/texts/reply`: STOP ends texts to that number, START begins them again',
    },
    SMS_KEY: { unset: '', means: 'the bearer token of `json`; for `twilio` it is `sid:token`' },
    SMS_FROM: { unset: '', means: 'the sending number' },
    SMS_FORM: {
      unset: '`json`',
      means:
        '`json`: `{"id","from","to","text"}`; replies `{"id","from","text"}`, signed `X-Signature: sha256=` HMAC of the body with the key. `twilio`: its form and its own signature',
    },
  },
  'Other outside parties': {
    PM_HOST: {
      unset: 'our own appointments',
      means: 'the property-management host that keeps the appointments, such as `https://manager.example.com`',
    },
    PM_KEY: { unset: '', means: 'its bearer token' },
    BREACHED_PASSWORDS_URL: {
      unset: 'no check',
      means:
        'a range API like `https://api.pwnedpasswords.com`: new passwords known from breaches are refused. Five digits of a hash are sent; while the service is down passwords pass',
    },
    GEOCODER_URL: {
      unset: 'the offline gazetteer',
      means: "a geocoder in Google's form; the gazetteer answers while it is down",
    },
    GEOCODER_KEY: { unset: '', means: 'its key' },
    IP_LOCATION_HEADERS: {
      unset: '',
      means: 'two headers of the CDN, such as `CF-IPLatitude,CF-IPLongitude`, for the nearby card',
    },
    IP_LOCATION_URL: { unset: '', means: 'asked as `GET {url}/{address}` where the headers say nothing' },
    IP_LOCATION_KEY: { unset: '', means: 'its bearer token' },
    SENTRY_DSN: {
      unset: 'the log alone',
      means: 'failures are reported there too, without card numbers and secrets',
    },
  },
  Files: {
    S3_URL: {
      unset: 'a folder in `DATA_DIR`',
      means: 'an S3-compatible object store for leases, uploads and brochures, in place of a folder',
    },
    S3_BUCKET: { unset: '', means: 'its bucket' },
    S3_REGION: { unset: 'us-east-1', means: 'its region' },
    S3_ACCESS_KEY_ID: { unset: '', means: 'the id of its key' },
    S3_SECRET_ACCESS_KEY: { unset: '', means: 'its key' },
    FILES_DIR: {
      unset: '`files` in `DATA_DIR`',
      means: 'without `S3_URL`: the folder of the files. With `DATABASE_URL`, production wants this or `S3_URL`',
    },
    FILES_SHARED: { unset: '`off`', means: '`on` says that all servers mount that same folder' },
  },
  'Proxies and the office': {
    TRUST_PROXY: {
      unset: '0',
      means:
        "how many proxies, or which addresses, are trusted for the client's address. Behind a proxy and without it, limits count all visitors as one, and a facility accepts 60 unpaid reservations a day in all",
    },
    OFFICE_ADDRESSES: {
      unset: 'from anywhere',
      means:
        "the addresses and ranges from which `/office` opens, such as `203.0.113.0/24`; for others it does not exist. The client's address is that by `TRUST_PROXY`",
    },
  },
  'Logs and metrics': {
    LOG_LEVEL: { unset: '`info`', means: 'structured logs on standard output' },
    ACCESS_LOG: {
      unset: '`on` in production',
      means:
        'a log line for each answer, job and call of a partner: request id, route pattern, status, milliseconds, bytes, role, network; no address, path, name or token',
    },
    METRICS_PORT: {
      unset: "the site's port",
      means:
        'where `/metrics` and a full `/readyz` are served, apart from the site: a port, or with a `+` so much above `PORT`, which gives each process of a machine its own. Never through a proxy',
    },
    METRICS_HOST: { unset: '127.0.0.1', means: 'the address that they are served on' },
    METRICS_TOKEN: {
      unset: 'none',
      means: 'they want `Authorization: Bearer …`; without a port of their own it opens them to other machines',
    },
  },
  'A demo': {
    DEMO: {
      unset: '`on` in a demo',
      means: '`off`: no demo operator, no printed log-ins; for a business of your own',
    },
    MAILBOX: { unset: '`on` in a demo', means: '`off`: no `/dev/mailbox`; mail then needs `SMTP_URL`' },
    PRINT_LOGINS: { unset: '`on` in a demo', means: '`off`: no log-ins in the terminal' },
    CLOCK: {
      unset: 'now',
      means:
        "the instant at which the clock starts, such as `2026-11-20T17:00:00Z`. The schedule follows it: start half a minute before a facility's midnight and its billing runs a minute and a half later, autopay five minutes after that",
    },
    DEMO_LAT: { unset: "Atlanta's", means: 'with `DEMO_LNG`: where every visitor is, for the nearby card' },
    DEMO_LNG: { unset: "Atlanta's", means: 'with `DEMO_LAT`' },
    SANDBOX_PORT: { unset: '3001', means: 'where the sandbox of card provider and bank listens' },
    SANDBOX_HOST: { unset: '127.0.0.1', means: 'the address that it listens on' },
    SANDBOX_URL: { unset: 'http://127.0.0.1:3001', means: 'where the site finds it' },
    SANDBOX_XWEBID: { unset: '`sandbox`', means: 'its XWebID' },
    SANDBOX_TERMINAL_ID: { unset: '`001`', means: 'its terminal' },
    SANDBOX_AUTH_KEY: { unset: '`practice`', means: 'its key' },
  },
}

/** Returns the text of `docs/settings.md`. */
export const settingsPage = (): string =>
  [
    '# Settings',
    '',
    '<!-- Written by `npm run settings-table` from server/config/setting-notes.ts. -->',
    '',
    'Every setting is an environment variable. A wrong one stops the start and is named. A secret (`KEYS`, `DATABASE_URL`, `SMTP_URL`, and those',
    'whose name ends in KEY) may stand in a file instead, which `<NAME>_FILE` names.',
    ...Object.entries(settingNotes).flatMap(([heading, notes]) => [
      '',
      `## ${heading}`,
      '',
      '| setting | where it is not set | meaning |',
      '|---|---|---|',
      ...Object.entries(notes).map(([name, { unset, means }]) => `| \`${name}\` | ${unset} | ${means} |`),
    ]),
    '',
  ].join('\n')
