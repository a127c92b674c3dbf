import { appendFileSync, existsSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { loggedSecurity } from '../ports/security-log/security-log.ts'
import { openLog } from '../server/log.ts'

/** Who ran it on this machine; null where the machine has no name for the user, as in some containers. */
function userName(): string | undefined {
  try {
    return userInfo().username
  } catch {
    return undefined
  }
}

/**
 * Writes a command down in `operator.log` of the data folder, as a line like the server's own: a terminal keeps none.
 * @param words as given; only the first is kept and only where it is a word of ours, since others may name people
 */
export function recordCommand(
  dataDir: string,
  command: string,
  words: readonly string[],
  outcome: 'done' | 'failed' | 'misused',
): void {
  if (!existsSync(dataDir)) return
  const step = /^[a-z][a-z-]{1,19}$/.test(words[0] ?? '') ? `${command} ${words[0]}` : command
  const write = (line: string) => {
    try {
      appendFileSync(join(dataDir, 'operator.log'), line, { mode: 0o600 })
    } catch (error) {
      console.error(`operator.log could not be written: ${error instanceof Error ? error.message : error}`)
    }
  }
  loggedSecurity(openLog('info', { write })).record('operator.command', { command: step, by: userName(), outcome })
}
