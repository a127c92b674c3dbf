/** Audits commands that write: the user, the command and its redacted arguments. */
import { writeAuditEvent } from '../platform/audit/audit.ts'
import type { Database } from '../platform/database/open.ts'
import type { Clock } from '../ports/clock-and-random.ts'
import { systemRandom } from '../server/system-clock-and-random.ts'
import type { Command, CommandOptions } from './command-definition.ts'
import { userName } from './operator-log-file.ts'

/** Names of command-line options whose values the audit event leaves out, such as personal data or a lock's code. */
const personalOptions = new Set(['name', 'email', 'city', 'zip', 'phone', 'combo'])

const redact = (word: string) => (/^[\w.:/#-]{1,60}$/.test(word) ? word : '…')

/**
 * Describes a command's arguments and options, without `--json`. '…' replaces values of `personalOptions`, words of more
 * than 60 characters, and words with characters other than unaccented letters, digits and `_ . : / # -`.
 */
export const describeCall = (args: readonly string[], options: CommandOptions): string =>
  [
    ...args.map(redact),
    ...Object.entries(options).flatMap(([name, value]) =>
      name === 'json' || value === undefined || value === false
        ? []
        : [`--${name}`, ...(typeof value === 'string' ? [personalOptions.has(name) ? '…' : redact(value)] : [])],
    ),
  ].join(' ')

/** Writes the audit event of a command. Does nothing for a call that only reads. */
export async function auditCommand(
  db: Database,
  clock: Clock,
  call: {
    name: string
    command: Command
    args: readonly string[]
    options: CommandOptions
    outcome: 'done' | 'refused'
  },
): Promise<void> {
  const { name, command, args, options, outcome } = call
  if (command.reads === true || command.reads?.(args, options)) return
  const actor = { command: `${userName() ?? 'unknown'}, command line` }
  const details = { command: name, what: describeCall(args, options) }
  await writeAuditEvent(db.write, { clock, random: systemRandom }, actor, { kind: 'command.run', details, outcome })
}
