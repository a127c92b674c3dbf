import type { ErrorHandler } from 'hono'
import { failedOnOurSide, recordsOutOfReach } from '../../domain/texts/site.ts'
import { DatabaseUnavailable } from '../../platform/database/open.ts'
import { redactPath } from '../../ports/errors/redact.ts'
import { currentRequest } from './request-id.ts'
import type { Env, WebServices } from './web-services.ts'

/** A sentence of an error page that is not HTML. A page's scripts read it too: see `referenceOf`. */
export const withReference = (text: string) => `${text} Reference: ${currentRequest()?.id ?? ''}`

/** Answers what a route throws. */
export function answerError({ services, log }: WebServices): ErrorHandler<Env> {
  return (error, context) => {
    if (error instanceof DatabaseUnavailable) {
      log.warn({ path: redactPath(context.req.path), why: error.message }, 'database unavailable')
      return context.text(withReference(recordsOutOfReach), 503, { 'Retry-After': '2' })
    }
    // A client that hangs up during an upload is no failure of ours.
    if (!context.req.raw.signal.aborted) services.errors.report(error, { path: context.req.path })
    return context.req.path.startsWith('/api')
      ? context.json({ error: { code: 'internal', message: 'Internal server error, please try again.' } }, 500)
      : context.text(withReference(failedOnOurSide), 500)
  }
}
