import { setTimeout as pause } from 'node:timers/promises'
import { isRepeatableFailure } from './postgres.ts'

const MAX_ATTEMPTS = 6

/**
 * Runs a transaction, and again after a failure that another transaction or a changed table caused
 * (`isRepeatableFailure`), in at most six attempts.
 * @throws the last failure, and any other error at once
 */
export async function repeatAfterConflict<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction()
    } catch (error) {
      if (!isRepeatableFailure(error) || attempt === MAX_ATTEMPTS) throw error
      await pause(attempt * attempt * 5)
    }
  }
}
