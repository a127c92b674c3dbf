/** The command `keys`: lists encryption keys and rotates them while servers run. */
import type { Database } from '../platform/database/open.ts'
import { countValuesByKey, reencryptColumns } from '../platform/encryption/rotate-keys.ts'
import {
  addKeys,
  keyCheck,
  loadKeyChecks,
  removeKey,
  shortFingerprint,
} from '../platform/server-registry/key-checks.ts'
import { loadRunningServers } from '../platform/server-registry/running-servers-and-heartbeats.ts'
import {
  type Command,
  type CommandContext,
  CommandFailed,
  refuseExtraArguments,
  requireArgument,
  UsageError,
} from './command-definition.ts'
import { sealedColumns } from './encrypted-columns.ts'

export const keyCommands: Record<string, Command> = {
  keys: {
    reads: ([verb]) => verb === undefined,
    allowsOtherSettings: true,
    usage: 'keys [add | reseal | retire <fingerprint>]',
    summary: 'Says by fingerprint which keys this database is used with, and exchanges them beside running servers.',
    details: [
      'add     makes a new key known before servers use it: KEYS holds it in front of the others',
      'reseal  seals everything again with the newest key, once all servers have it in front; may be run again',
      'retire  forgets a key that seals nothing any more; then leave it out of KEYS. Links in mails that it sealed end',
    ],
    async run(context, [verb, ...more]) {
      if (verb === undefined) return list(await context.database(), context)
      if (verb === 'retire') {
        const print = requireArgument(more.shift(), 'which key, by its fingerprint')
        refuseExtraArguments(more)
        return retire(context, print)
      }
      refuseExtraArguments(more)
      if (verb === 'add') return add(await context.database(), context)
      if (verb === 'reseal') return reencrypt(context)
      throw new UsageError(`What is ${verb}?`)
    },
  },
}

async function list(db: Database, context: CommandContext) {
  const fingerprints = (await loadKeyChecks(db)).map(shortFingerprint)
  for (const print of fingerprints) context.say(print)
  if (fingerprints.length === 0) context.say('None yet: the first server leaves its own.')
  return { known: fingerprints }
}

async function add(db: Database, context: CommandContext) {
  const ownKeys = context.keys()
  const databaseKeys = await loadKeyChecks(db)
  // Otherwise the keys of another installation could be added.
  if (databaseKeys.length > 0 && !ownKeys.some((key) => databaseKeys.includes(keyCheck(key))))
    throw new CommandFailed([
      'None of the keys in KEYS is known to this database. Give the new key in front of the known ones.',
    ])
  const added = await addKeys(db, ownKeys, context.clock.now())
  context.say(added.length === 0 ? 'All of these keys are known.' : `Added: ${added.join(', ')}`)
  return { added }
}

/**
 * Requires that all running servers encrypt with the newest key: others would go on writing values of an older key.
 * @throws CommandFailed if a server encrypts with another key
 */
async function requireNewestKey(db: Database, context: CommandContext, newest: string): Promise<void> {
  const others = (await loadRunningServers(db, context.clock.now())).filter((server) => server.key_check !== newest)
  if (others.length > 0)
    throw new CommandFailed([
      ...others.map((server) => `${server.instance} still seals with ${shortFingerprint(server.key_check)}.`),
      `Restart it with ${shortFingerprint(newest)} in front in KEYS, and try again. A server that was killed counts as running for a minute.`,
    ])
}

async function reencrypt(context: CommandContext) {
  const { db, sealer } = await context.services()
  const newest = context.keys()[0]!
  await requireNewestKey(db, context, keyCheck(newest))
  const result = await reencryptColumns(db, sealer, {
    columns: sealedColumns,
    newest: newest.id,
    progress: (column, count) => context.progress(`${column}: ${count}`),
  })
  const lines = Object.entries(result.resealed).map(([column, count]) => `${column.padEnd(30)} ${count}`)
  if (result.broken.length > 0 || result.left > 0)
    throw new CommandFailed(
      [
        ...lines,
        ...result.broken.slice(0, 20),
        ...(result.broken.length > 20 ? [`… and ${result.broken.length - 20} more`] : []),
        `${result.left} ${result.left === 1 ? 'value is' : 'values are'} not under the newest key. Give the key that sealed them in KEYS, and run this again.`,
      ],
      result,
    )
  for (const line of lines) context.say(line)
  context.say(`All that is sealed is under ${shortFingerprint(keyCheck(newest))}.`)
  return result
}

async function retire(context: CommandContext, print: string) {
  const { db } = await context.services()
  const keys = context.keys()
  const key = keys.find((candidate) => shortFingerprint(keyCheck(candidate)) === print)
  if (!key)
    throw new CommandFailed([
      `${print} is not in KEYS: it has to be, last of all, so that what it sealed can be looked for.`,
    ])
  if (key === keys[0]) throw new CommandFailed([`${print} is the newest key: what is written now is sealed with it.`])
  if (!(await loadKeyChecks(db)).includes(keyCheck(key))) {
    context.say(`${print} is not among the database's keys: it may be left out of KEYS.`)
    return { retired: null }
  }
  const newest = keyCheck(keys[0]!)
  await requireNewestKey(db, context, newest)
  const counts = await countValuesByKey(db, key.id, sealedColumns)
  if (Object.keys(counts).length > 0)
    throw new CommandFailed(
      [
        ...Object.entries(counts).map(([column, count]) => `${column.padEnd(30)} ${count}`),
        `${print} seals these still: run keys reseal.`,
      ],
      { found: counts },
    )
  // Another server may have started meanwhile.
  await requireNewestKey(db, context, newest)
  await removeKey(db, keyCheck(key))
  context.say(`${print} is retired. Leave it out of KEYS, on the servers one by one and for these commands.`)
  return { retired: print }
}
