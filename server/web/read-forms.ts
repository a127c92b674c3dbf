import type { MiddlewareHandler } from 'hono'
import { bodyLimits, hasTooManyFields, isMultipart, readBytes } from '../../api/request-body.ts'
import { formTooLarge, formUnreadable, formWithoutLength } from '../../domain/texts/site.ts'
import { refuseUnread } from './render.ts'
import type { Env, WebServices } from './web-services.ts'

/** Returns whether a page's form may upload a file. */
const takesFile = (path: string) =>
  /^\/(proof-of-insurance|office\/liens\/[0-9a-f-]{36}|office\/field\/[\w-]+\/\d+|office\/setup\/brand\/pictures|office\/rent-changes\/new)(\.data)?$/.test(
    path,
  )
const takesPhotographs = (path: string) => /^\/office\/setup\/[\w-]+\/photographs(\.data)?$/.test(path)
const takesSignature = (path: string) => /^\/lease(\.data)?$/.test(path)

type Refused = { status: 400 | 411 | 413 | 415; text: string }

/** Middleware that reads forms of pages into memory within size limits. A file is read by its page, which knows the sender. */
export function readForms(web: WebServices): MiddlewareHandler<Env> {
  return async (context, next) => {
    const { path, method, raw } = context.req
    if (path.startsWith('/api') || method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return next()
    const refused = isMultipart(raw.headers.get('content-type'))
      ? refusedFile(path, raw)
      : await readForm(web, path, raw)
    if (!refused) return next()
    const { status, text } = refused
    return refuseUnread(web, context, status, () => context.text(text, status))
  }
}

const lacksLength = ({ headers }: Request) => !headers.has('content-length') && headers.has('transfer-encoding')

function refusedFile(path: string, request: Request): Refused | null {
  if (lacksLength(request)) return { status: 411, text: formWithoutLength }
  if (!takesFile(path) && !takesPhotographs(path)) return { status: 415, text: formUnreadable }
  const limit = takesPhotographs(path) ? bodyLimits.photographs : bodyLimits.multipart
  const length = Number(request.headers.get('content-length') ?? 0)
  return length > limit ? { status: 413, text: formTooLarge } : null
}

async function readForm(web: WebServices, path: string, request: Request): Promise<Refused | null> {
  if (lacksLength(request)) return { status: 411, text: formWithoutLength }
  const read = await readBytes(request, takesSignature(path) ? bodyLimits.document : bodyLimits.form)
  if (!read.ok && read.fault === 'too_large') return { status: 413, text: formTooLarge }
  if (!read.ok || hasTooManyFields(read.bytes)) return { status: 400, text: formUnreadable }
  web.forms.set(request, read.bytes)
  return null
}
