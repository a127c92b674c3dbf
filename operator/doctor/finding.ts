import { errorMessage } from '../../ports/errors/error-code-and-message.ts'

/** Result of checking one part of the installation, such as the database, for the `doctor` command. */
export interface Finding {
  part: string
  /** 'note': the part works but should be changed. */
  state: 'ok' | 'note' | 'wrong'
  /** Sentence on the part's state. */
  said: string
  /** Command to type or setting to change; '' if there is none. */
  cure: string
}

type Result = Omit<Finding, 'part'>

export const ok = (sentence: string): Result => ({ state: 'ok', said: sentence, cure: '' })
export const noteResult = (sentence: string, cure: string): Result => ({ state: 'note', said: sentence, cure })
export const problemResult = (sentence: string, cure: string): Result => ({ state: 'wrong', said: sentence, cure })

/** Timeout of each check that `doctor` runs, in milliseconds. */
const TIMEOUT_MS = 20_000

/**
 * Checks one part of the installation for the `doctor` command, with a timeout. An error of the check becomes a
 * finding.
 */
export async function examine(part: string, check: () => Promise<Result>): Promise<Finding> {
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(() => timeout.reject(new Error(`no answer in ${TIMEOUT_MS / 1000} seconds`)), TIMEOUT_MS)
  try {
    return { part, ...(await Promise.race([check(), timeout.promise])) }
  } catch (error) {
    return {
      part,
      ...problemResult(`It could not be looked at: ${errorMessage(error)}.`, 'Cure that, and run doctor again.'),
    }
  } finally {
    clearTimeout(timer)
  }
}
