import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { hasFields, parseJson } from '../domain/parse-json-and-check-shape.ts'
import { formatLong } from '../domain/plain-date.ts'
import { checkAudit } from '../modules/staff/audit-hash-check.ts'
import { streamAuditSince } from '../modules/staff/views/audit-log.ts'
import { DayNotVerified, encryptReadableContacts } from '../platform/audit/encrypt-old-plain-text-contacts.ts'
import { errorCode } from '../ports/errors/error-code-and-message.ts'
import {
  type Command,
  type CommandContext,
  CommandFailed,
  refuseExtraArguments,
  requireArgument,
  UsageError,
} from './command-definition.ts'

/**
 * Reads the hashes of days from a folder of hash files or saved mails.
 * @throws CommandFailed if the folder has no hash, an unreadable hash file, or two different hashes of one day
 */
function readAnchorHashes(folder: string): ReadonlyMap<string, string> {
  const anchor = new Map<string, string>()
  for (const name of existsSync(folder) ? readdirSync(folder).sort() : []) {
    const path = join(folder, name)
    const hashes = /^\d{4}-\d{2}-\d{2}\.json$/.test(name)
      ? [readDayHash(path)]
      : statSync(path).isFile()
        ? readMailedHashes(path)
        : []
    for (const [day, hash] of hashes) {
      if ((anchor.get(day) ?? hash) !== hash) throw new CommandFailed([`${path} and another file differ on ${day}.`])
      anchor.set(day, hash)
    }
  }
  if (anchor.size === 0)
    throw new CommandFailed([`There is no audit/<day>.json and no mail of the audit in ${folder}.`])
  return anchor
}

type DayHash = readonly [day: string, hash: string]

function readDayHash(path: string): DayHash {
  try {
    const { hash } = parseJson(readFileSync(path, 'utf8'), hasFields<{ hash: string }>('hash'))
    return [basename(path, '.json'), hash]
  } catch {
    throw new CommandFailed([`${path} cannot be read as the hash of a day.`])
  }
}

/** Reads the hashes of days from a saved mail, also one in quoted-printable encoding, which breaks lines. */
const readMailedHashes = (path: string): DayHash[] =>
  [
    ...readFileSync(path, 'utf8')
      .replace(/=\r?\n/g, '')
      .matchAll(/\b(\d{4}-\d{2}-\d{2}) ([\da-f]{64})\b/g),
  ].map(([, day = '', hash = '']) => [day, hash])

async function listSince(context: CommandContext, since: string): Promise<unknown> {
  const from = Date.parse(since)
  if (!/^\d{4}-\d{2}-\d{2}/.test(since) || Number.isNaN(from))
    throw new UsageError('--since is a day or an instant, such as 2026-11-20 or 2026-11-20T15:00:00Z.')
  let count = 0
  for await (const { at, actor, sentence, outcome, locationCode, tenantId } of streamAuditSince(
    await context.database(),
    from,
  )) {
    const whom = [locationCode, tenantId].filter((part) => part !== null).join(':')
    const more = [whom, outcome === 'done' ? '' : outcome].filter(Boolean).map((part) => `  ${part}`)
    context.say(`${new Date(at).toISOString()}  ${actor}  ${sentence}${more.join('')}`)
    count += 1
  }
  if (count === 0) context.say('Nothing since then.')
  return { count }
}

async function sealContacts(context: CommandContext): Promise<unknown> {
  const services = await context.services()
  try {
    const sealed = await encryptReadableContacts(services)
    context.say(sealed === 0 ? 'No event holds contact data readable.' : `Contact data of ${sealed} events are sealed.`)
    return { sealed }
  } catch (error) {
    if (error instanceof DayNotVerified) throw new CommandFailed([error.message])
    if (errorCode(error) === '42501')
      throw new CommandFailed([
        'Servers may not change the audit: run this with the address of the owner, as for migrate.',
      ])
    throw error
  }
}

export const auditCommands: Record<string, Command> = {
  audit: {
    usage: 'audit verify [--anchor <folder>] | seal | --since <day or instant>',
    summary: 'Lists who did what, or computes the hash of every day again and names the first that does not agree.',
    details: [
      'Each night the hash of the day is written to the database, sealed with the newest of KEYS, and to the files; all are compared.',
      '--anchor: also with a folder of audit/<day>.json, or of the mails to AUDIT_MAIL_TO, kept where the server cannot write.',
      'seal: contact data that events of earlier releases hold readable come under the tenants’ keys, so that an erasure erases them.',
    ],
    options: { since: { type: 'string' }, anchor: { type: 'string' } },
    reads: ([verb]) => verb !== 'seal',
    async run(context, [verb, ...more], { since, anchor }) {
      if (since !== undefined && verb === undefined && anchor === undefined) return listSince(context, String(since))
      if (verb === 'seal' && since === undefined && anchor === undefined) {
        refuseExtraArguments(more)
        return sealContacts(context)
      }
      if (verb !== 'verify' || since !== undefined) throw new UsageError('Say verify, seal, or --since.')
      refuseExtraArguments(more)
      const query =
        anchor === undefined ? {} : { anchor: readAnchorHashes(requireArgument(anchor, 'the folder of the anchors')) }
      const result = await checkAudit(await context.services(), query)
      const { wrong, days, events, through } = result
      if (wrong)
        throw new CommandFailed([`The audit of ${formatLong(wrong.day)} does not agree: ${wrong.why}.`], result)
      context.say(
        through === null
          ? 'No day of the audit is over yet.'
          : `The audit agrees: ${days} days with ${events} events, through ${formatLong(through)}.`,
      )
      return result
    },
  },
}
