import type { ErrorHandler } from 'hono'
import { failedOnOurSide, recordsOutOfReach } from '../../domain/texts/general-errors.ts'
import { currentRequest } from '../../platform/current-request.ts'
import { DatabaseUnavailable } from '../../platform/database/open.ts'
import { isApiPath } from './office-and-api-paths.ts'
import { routeOf } from './route-patterns.ts'
import type { Env, WebServices } from './web-app-state-and-request-callers.ts'

/** Adds the request's id to a message; page scripts parse it (`referenceOf`). */
export const withReference = (text: string) => `${text} Reference: ${currentRequest()?.id ?? ''}`

/**
 * Creates the handler of errors that no route has handled: 503 for an unavailable database, otherwise a reported 500.
 */
export function answerError({ services, log, metrics, patternOf }: WebServices): ErrorHandler<Env> {
  return (error, context) => {
    const path = routeOf(context, patternOf)
    if (error instanceof DatabaseUnavailable) {
      metrics.dbUnavailable.inc({ why: error.why })
      log.warn({ path, why: error.message }, 'database unavailable')
      return context.text(withReference(recordsOutOfReach), 503, { 'Retry-After': '2' })
    }
    // An aborted request is no failure.
    if (!context.req.raw.signal.aborted) services.errors.report(error, { path })
    return isApiPath(context.req.path)
      ? context.json({ error: { code: 'internal', message: 'Internal server error, please try again.' } }, 500)
      : context.text(withReference(failedOnOurSide), 500)
  }
}
