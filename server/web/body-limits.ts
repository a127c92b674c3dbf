import type { MiddlewareHandler } from 'hono'
import { bodyLimits, hasTooManyFields, isMultipart, readBytes } from '../../api/request-body.ts'
import { formTooLarge, formUnreadable, formWithoutLength } from '../../domain/texts/site.ts'
import { refuseUnread } from './render.ts'
import type { Env, WebServices } from './web-services.ts'

/** Pages whose forms carry a file or a signature. */
const takesFile = (path: string) => /^\/proof-of-insurance(\.data)?$/.test(path)
const takesSignature = (path: string) => /^\/lease(\.data)?$/.test(path)

/** Reads a page's form whole, so it must say its length. A file is read by its page, which knows the sender. */
export function readForms(web: WebServices): MiddlewareHandler<Env> {
  return async (context, next) => {
    const { path, method } = context.req
    if (path.startsWith('/api') || method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return next()
    const refuse = (status: 400 | 411 | 413 | 415, text: string) =>
      refuseUnread(web, context, status, () => context.text(text, status))
    const length = context.req.header('content-length')
    if (length === undefined && context.req.header('transfer-encoding') !== undefined)
      return refuse(411, formWithoutLength)
    if (isMultipart(context.req.header('content-type'))) {
      if (!takesFile(path)) return refuse(415, formUnreadable)
      return Number(length ?? 0) > bodyLimits.multipart ? refuse(413, formTooLarge) : next()
    }
    const read = await readBytes(context.req.raw, takesSignature(path) ? bodyLimits.document : bodyLimits.form)
    if (!read.ok) return read.fault === 'too_large' ? refuse(413, formTooLarge) : refuse(400, formUnreadable)
    if (hasTooManyFields(read.bytes)) return refuse(400, formUnreadable)
    web.forms.set(context.req.raw, read.bytes)
    return next()
  }
}
