import { formatLong } from '../domain/plain-date.ts'
import { checkAudit } from '../modules/staff/audit-check.ts'
import { type Command, Failed, Misused, noMore } from './command.ts'

export const auditCommands: Record<string, Command> = {
  audit: {
    usage: 'audit verify',
    summary: 'Computes the hash of every day of the audit again, and names the first day that does not agree.',
    details: ['Each night the hash of the day is written to the database and to the files; both are compared.'],
    async run(tools, [verb, ...more]) {
      if (verb !== 'verify') throw new Misused('Say verify.')
      noMore(more)
      const found = await checkAudit(await tools.services())
      const { wrong, days, events, through } = found
      if (wrong) throw new Failed([`The audit of ${formatLong(wrong.day)} does not agree: ${wrong.why}.`], found)
      tools.say(
        through === null
          ? 'No day of the audit is over yet.'
          : `The audit agrees: ${days} days with ${events} events, through ${formatLong(through)}.`,
      )
      return found
    },
  },
}
