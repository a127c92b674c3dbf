/** Why an outside server gave no answer, for a log: its host and the cause, never its path, query or credentials. */
import { errorCode } from './errors/caught-error.ts'

/** @returns such as 'sms.example.com:8443 (ECONNREFUSED)' */
export function hostAndCause(url: string, error: unknown): string {
  return `${URL.canParse(url) ? new URL(url).host : 'its address'} (${causeOf(error)})`
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'failed'
  if (error.name === 'TimeoutError') return 'no answer in time'
  // fetch says 'fetch failed' for everything; the cause has a code or a few words.
  const beneath: Error[] = []
  for (let at = error.cause; at instanceof Error && beneath.length < 5; at = at.cause) beneath.push(at)
  for (const at of [error, ...beneath]) {
    const code = errorCode(at)
    if (/^[A-Z][A-Z0-9_]+$/.test(code)) return code
  }
  // Words alone: an address or a key has other characters in it.
  const said = beneath.find(({ message }) => /^[a-z][a-z ]{2,60}$/i.test(message))?.message
  return said ?? beneath.find(({ name }) => name !== 'Error' && name !== 'TypeError')?.name ?? error.name
}
