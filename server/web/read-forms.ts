import type { MiddlewareHandler } from 'hono'
import { bodyLimits, hasTooManyFields, isMultipart, readBytes } from '../../api/request-body.ts'
import { formTooLarge, formUnreadable, formWithoutLength } from '../../domain/texts/general-errors.ts'
import { isApiPath } from './office-and-api-paths.ts'
import { answerWithErrorPage } from './render.ts'
import type { Env, WebServices } from './web-app-state-and-request-callers.ts'

/** Returns whether a page's form may upload a file; for photographs see `acceptsPhotographs`. */
const acceptsFile = (path: string) =>
  /^\/(proof-of-insurance|office\/liens\/[0-9a-f-]{36}|office\/field\/[\w-]+\/\d+|office\/setup\/brand\/pictures|office\/rent-changes\/new)(\.data)?$/.test(
    path,
  )
const acceptsPhotographs = (path: string) => /^\/office\/setup\/[\w-]+\/photographs(\.data)?$/.test(path)
const acceptsSignature = (path: string) => /^\/lease(\.data)?$/.test(path)

type FormRefusal = { status: 400 | 411 | 413 | 415; text: string }

/**
 * Middleware that reads forms of pages into memory within size limits. A file is read by its page, which knows the
 * sender.
 */
export function readForms(web: WebServices): MiddlewareHandler<Env> {
  return async (context, next) => {
    const { path, method, raw } = context.req
    if (isApiPath(path) || method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return next()
    const refusal = isMultipart(raw.headers.get('content-type'))
      ? checkUpload(path, raw)
      : await readForm(web, path, raw)
    if (!refusal) return next()
    const { status, text } = refusal
    return answerWithErrorPage(web, context, status, () => context.text(text, status))
  }
}

const lacksLength = ({ headers }: Request) => !headers.has('content-length') && headers.has('transfer-encoding')

function checkUpload(path: string, request: Request): FormRefusal | null {
  if (lacksLength(request)) return { status: 411, text: formWithoutLength }
  if (!acceptsFile(path) && !acceptsPhotographs(path)) return { status: 415, text: formUnreadable }
  const limit = acceptsPhotographs(path) ? bodyLimits.photographs : bodyLimits.multipart
  const length = Number(request.headers.get('content-length') ?? 0)
  return length > limit ? { status: 413, text: formTooLarge } : null
}

async function readForm(web: WebServices, path: string, request: Request): Promise<FormRefusal | null> {
  if (lacksLength(request)) return { status: 411, text: formWithoutLength }
  const body = await readBytes(request, acceptsSignature(path) ? bodyLimits.document : bodyLimits.form)
  if (!body.ok && body.fault === 'too_large') return { status: 413, text: formTooLarge }
  if (!body.ok || hasTooManyFields(body.bytes)) return { status: 400, text: formUnreadable }
  web.forms.set(request, body.bytes)
  return null
}
