/** Defaults of settings. For settings without one, `setting-descriptions.ts` says what applies if they are unset. */
import { POSTGRES_DEFAULTS } from '../../platform/database/open.ts'

export const defaults = {
  MODE: 'demo',
  ROLE: 'all',
  PORT: 3000,
  /** The demo's mailbox and log-ins are for this machine's user only. */
  HOST: { demo: '127.0.0.1', production: '0.0.0.0' },
  DRAIN_MS: { demo: 0, production: 5000 },
  DATABASE_CONNECTIONS: POSTGRES_DEFAULTS.connections,
  DATABASE_UNSYNCED_CONNECTIONS: POSTGRES_DEFAULTS.withoutFsyncConnections,
  DATABASE_STATEMENT_MS: POSTGRES_DEFAULTS.statementMs,
  AUTOPAY_AT_A_TIME: 4,
  MAIL_CONNECTIONS: 2,
  MAIL_FROM: 'Latchkey <no-reply@latchkey.example>',
  SMS_FORM: 'json',
  S3_REGION: 'us-east-1',
  LOG_LEVEL: 'info',
  ACCESS_LOG: { demo: false, production: true },
  METRICS_HOST: '127.0.0.1',
  // This point is near the demo's two Atlanta facilities, so that the nearby card is not empty.
  DEMO_LAT: 33.7722,
  DEMO_LNG: -84.3656,
  SANDBOX_PORT: 3001,
  SANDBOX_XWEBID: 'sandbox',
  SANDBOX_TERMINAL_ID: '001',
  SANDBOX_AUTH_KEY: 'practice',
} as const
