import { pino } from 'pino'

/** Structured logs on standard output. Fields that could hold a secret are never printed. */
export const openLog = (level: string) =>
  pino({
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: ['password', '*.password', 'token', '*.token', 'cookie', '*.cookie', 'authorization', '*.authorization'],
      censor: '[redacted]',
    },
  })

export type Log = ReturnType<typeof openLog>
