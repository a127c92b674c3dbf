/** A writing command in the audit: who gave it, which one, about what. Names and addresses that were typed stay out. */
import { audit } from '../platform/audit/audit.ts'
import type { Database } from '../platform/database/open.ts'
import type { Clock } from '../ports/clock.ts'
import { systemRandom } from '../server/system-clock.ts'
import type { Command, Given } from './command.ts'
import { userName } from './command-log.ts'

/** Their values name people. */
const personal = new Set(['name', 'email', 'city', 'zip', 'phone', 'combo', 'by'])

const shown = (word: string) => (/^[\w.:/#-]{1,60}$/.test(word) ? word : '…')

export const whatOf = (words: readonly string[], options: Given): string =>
  [
    ...words.map(shown),
    ...Object.entries(options).flatMap(([name, value]) =>
      name === 'json' || value === undefined || value === false
        ? []
        : [`--${name}`, ...(typeof value === 'string' ? [personal.has(name) ? '…' : shown(value)] : [])],
    ),
  ].join(' ')

export async function auditCommand(
  db: Database,
  clock: Clock,
  of: { name: string; command: Command; words: readonly string[]; options: Given; outcome: 'done' | 'refused' },
): Promise<void> {
  const { name, command, words, options, outcome } = of
  if (command.reads === true || command.reads?.(words, options)) return
  const actor = { command: `${userName() ?? 'unknown'}, command line` }
  const details = { command: name, what: whatOf(words, options) }
  await audit(db.write, { clock, random: systemRandom }, actor, { kind: 'command.run', details, outcome })
}
