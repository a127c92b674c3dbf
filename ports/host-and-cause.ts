/** Describes for a log why an outside server did not respond: host and cause, never path, query or credentials. */
import { errorCode } from './errors/error-code-and-message.ts'

/** Returns host and cause of a failed request, such as 'sms.example.com:8443 (ECONNREFUSED)'. */
export function hostAndCause(url: string, error: unknown): string {
  return `${URL.canParse(url) ? new URL(url).host : 'its address'} (${causeOf(error)})`
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'failed'
  if (error.name === 'TimeoutError') return 'no answer in time'
  // A failed fetch has the message 'fetch failed'; its cause has a code or a few words.
  const causes: Error[] = []
  for (let cause = error.cause; cause instanceof Error && causes.length < 5; cause = cause.cause) causes.push(cause)
  for (const candidate of [error, ...causes]) {
    const code = errorCode(candidate)
    if (/^[A-Z][A-Z0-9_]+$/.test(code)) return code
  }
  // Only a message of letters and spaces is shown, since another one may contain a URL or token.
  const words = causes.find(({ message }) => /^[a-z][a-z ]{2,60}$/i.test(message))?.message
  return words ?? causes.find(({ name }) => name !== 'Error' && name !== 'TypeError')?.name ?? error.name
}
