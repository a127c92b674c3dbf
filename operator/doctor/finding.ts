import { errorMessage } from '../../ports/errors/caught-error.ts'

/** What `doctor` says of one part. */
export interface Finding {
  part: string
  /** `note`: it works, and should not stay so. */
  state: 'ok' | 'note' | 'wrong'
  said: string
  /** What to type or to set; '' where nothing is to do. */
  cure: string
}

type Said = Omit<Finding, 'part'>

export const ok = (said: string): Said => ({ state: 'ok', said, cure: '' })
export const note = (said: string, cure: string): Said => ({ state: 'note', said, cure })
export const wrong = (said: string, cure: string): Said => ({ state: 'wrong', said, cure })

/** No part may keep the others waiting. */
const LONGEST_MS = 20_000

/** @param look whatever it throws is what is wrong */
export async function examine(part: string, look: () => Promise<Said>): Promise<Finding> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`no answer in ${LONGEST_MS / 1000} seconds`)), LONGEST_MS)
  try {
    return { part, ...(await Promise.race([look(), late.promise])) }
  } catch (error) {
    return { part, ...wrong(`It could not be looked at: ${errorMessage(error)}.`, 'Cure that, and run doctor again.') }
  } finally {
    clearTimeout(timer)
  }
}
