import { formatLong } from '../domain/plain-date.ts'
import { checkAudit } from '../modules/staff/audit-check.ts'
import { auditSince } from '../modules/staff/audit-log.ts'
import { type Command, Failed, Misused, noMore, type Tools } from './command.ts'

async function listSince(tools: Tools, since: string): Promise<unknown> {
  const from = Date.parse(since)
  if (!/^\d{4}-\d{2}-\d{2}/.test(since) || Number.isNaN(from))
    throw new Misused('--since is a day or an instant, such as 2026-11-20 or 2026-11-20T15:00:00Z.')
  let count = 0
  for await (const { at, actor, sentence, outcome, locationCode, tenantId } of auditSince(
    await tools.database(),
    from,
  )) {
    const whom = [locationCode, tenantId].filter((one) => one !== null).join(':')
    const more = [whom, outcome === 'done' ? '' : outcome].filter(Boolean).map((one) => `  ${one}`)
    tools.say(`${new Date(at).toISOString()}  ${actor}  ${sentence}${more.join('')}`)
    count += 1
  }
  if (count === 0) tools.say('Nothing since then.')
  return { count }
}

export const auditCommands: Record<string, Command> = {
  audit: {
    usage: 'audit verify | --since <day or instant>',
    summary: 'Lists who did what, or computes the hash of every day again and names the first that does not agree.',
    details: ['Each night the hash of the day is written to the database and to the files; both are compared.'],
    options: { since: { type: 'string' } },
    reads: true,
    async run(tools, [verb, ...more], { since }) {
      if (since !== undefined && verb === undefined) return listSince(tools, String(since))
      if (verb !== 'verify' || since !== undefined) throw new Misused('Say verify, or --since.')
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
