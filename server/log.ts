import { type DestinationStream, type LoggerOptions, pino } from 'pino'
import { currentRequest } from '../platform/current-request.ts'

/**
 * Opens the structured log. Lines within a request have its id. Fields named like secrets, such as `token`, are
 * redacted at the top level and one level below.
 * @param destination standard output by default
 */
export const openLog = (level: string, destination?: DestinationStream) => {
  const options: LoggerOptions = {
    level,
    base: undefined,
    mixin() {
      const request = currentRequest()
      return request ? { request_id: request.id } : {}
    },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: ['password', '*.password', 'token', '*.token', 'cookie', '*.cookie', 'authorization', '*.authorization'],
      censor: '[redacted]',
    },
  }
  return destination ? pino(options, destination) : pino(options)
}

export type Log = ReturnType<typeof openLog>
