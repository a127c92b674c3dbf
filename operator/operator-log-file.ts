import { appendFileSync, existsSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { errorMessage } from '../ports/errors/error-code-and-message.ts'
import { loggedSecurity } from '../ports/security-log/security-log.ts'
import { openLog } from '../server/log.ts'

/** Returns the name of the user who runs the command; undefined if the user has none, as in some containers. */
export function userName(): string | undefined {
  try {
    return userInfo().username
  } catch {
    return undefined
  }
}

/**
 * Records a command in `operator.log`, unless the data directory does not exist. Of its arguments only a first one in the
 * form of a verb is recorded: others may name people.
 */
export function recordCommand(
  dataDir: string,
  command: string,
  args: readonly string[],
  outcome: 'done' | 'failed' | 'misused',
): void {
  if (!existsSync(dataDir)) return
  const step = /^[a-z][a-z-]{1,19}$/.test(args[0] ?? '') ? `${command} ${args[0]}` : command
  const write = (line: string) => {
    try {
      appendFileSync(join(dataDir, 'operator.log'), line, { mode: 0o600 })
    } catch (error) {
      console.error(`operator.log could not be written: ${errorMessage(error)}`)
    }
  }
  loggedSecurity(openLog('info', { write })).record('operator.command', { command: step, by: userName(), outcome })
}
