import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatLong } from '../domain/plain-date.ts'
import { checkAudit } from '../modules/staff/audit-check.ts'
import { auditSince } from '../modules/staff/audit-log.ts'
import { type Command, Failed, Misused, needed, noMore, type Tools } from './command.ts'

/** @throws Failed where the folder holds none, or a file that is none */
function anchorIn(folder: string): ReadonlyMap<string, string> {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => /^\d{4}-\d{2}-\d{2}\.json$/.test(name)) : []
  if (names.length === 0) throw new Failed([`There is no audit/<day>.json in ${folder}.`])
  return new Map(
    names.map((name) => {
      try {
        const { hash } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { hash: string }
        return [name.slice(0, 10), hash]
      } catch {
        throw new Failed([`${join(folder, name)} cannot be read as the hash of a day.`])
      }
    }),
  )
}

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
    usage: 'audit verify [--anchor <folder>] | --since <day or instant>',
    summary: 'Lists who did what, or computes the hash of every day again and names the first that does not agree.',
    details: [
      'Each night the hash of the day is written to the database and to the files; both are compared.',
      '--anchor: also with a folder of audit/<day>.json that was copied to where the server cannot write.',
    ],
    options: { since: { type: 'string' }, anchor: { type: 'string' } },
    reads: true,
    async run(tools, [verb, ...more], { since, anchor }) {
      if (since !== undefined && verb === undefined && anchor === undefined) return listSince(tools, String(since))
      if (verb !== 'verify' || since !== undefined) throw new Misused('Say verify, or --since.')
      noMore(more)
      const asked = anchor === undefined ? {} : { anchor: anchorIn(needed(anchor, 'the folder of the anchors')) }
      const found = await checkAudit(await tools.services(), asked)
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
