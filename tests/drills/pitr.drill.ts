import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { seedPastDays } from '../../demo/daily-snapshots.ts'
import { openDatabase } from '../../platform/database/open.ts'
import { folderFiles } from '../../ports/files/folder.ts'
import { systemRandom } from '../../server/system-clock-and-random.ts'
import { watchInvariants } from '../actors/invariants.ts'
import { openCardPage } from '../actors/payer.ts'
import { availableKinds, type RentalResult, rentAtKiosk, reserve, signLease } from '../actors/renter.ts'
import { environmentOf, run, type Site } from '../actors/run-site-process.ts'
import { Visitor } from '../actors/visitor-http-client.ts'
import { KEYS, prepareIdenticalServers } from '../faults/prepare-servers-on-shared-database.ts'
import type { Drill } from './drill-definition.ts'
import { type Archived, queryRows, startArchivedCluster, startArchivedServer } from './start-archived-postgres.ts'

type Log = (line: string) => void

/** Loads the number and sum of ledger entries, as a text to compare. */
const loadLedger = async (url: string): Promise<string> => {
  const [row] = await queryRows<{ rows: string; cents: string }>(
    url,
    'select count(*) as rows, coalesce(sum(cents), 0) as cents from ledger_entries',
  )
  return `${row!.rows} rows, ${row!.cents} cents`
}

const rent = (site: Site, name: string): Promise<RentalResult> =>
  rentAtKiosk(site, {
    kind: availableKinds[0]!,
    card: 'visa',
    email: `${name}@example.com`,
    patient: false,
    address: '10.1.1.1',
  })

/** Returns the keys of signed leases that the database names and whose files are missing. */
async function findMissingFiles(url: string, filesFolder: string): Promise<string[]> {
  const files = folderFiles(filesFolder)
  const keys = await queryRows<{ key: string }>(
    url,
    'select file_key as key from lease_documents where file_key is not null',
  )
  const missing: string[] = []
  for (const { key } of keys) if (!(await files.get(key))) missing.push(key)
  return missing
}

/** Deletes all ledger entries, rents a unit, and restores the database to a second before the deletion. */
async function mistakeAndRestore(
  archived: Archived,
  site: Site,
  log: Log,
): Promise<{ before: string; after: string; lost: RentalResult }> {
  const { administratorUrl: url } = archived
  const before = await loadLedger(url)
  await pause(2000)
  const [{ at } = { at: '' }] = await queryRows<{ at: string }>(
    url,
    "select (clock_timestamp() - interval '1 second')::text as at",
  )
  await queryRows(url, 'set session_replication_role = replica; delete from ledger_entries')
  const lost = await rent(site, 'lost')
  await site.end('SIGTERM')
  await queryRows(url, 'select pg_switch_wal()')
  await archived.restore(at, log)
  return { before, after: await loadLedger(url), lost }
}

/**
 * Recovers from a point-in-time restore as the runbook says, until the server charges again, and checks each step.
 * @param lost rental that the restored database lacks
 * @returns claims that do not hold
 */
async function recover(
  { site, dataDir, url, sandboxUrl, log }: Record<'dataDir' | 'url' | 'sandboxUrl', string> & { site: Site; log: Log },
  lost: RentalResult,
): Promise<string[]> {
  const faults: string[] = []
  const expectTrue = (claim: string, isTrue: boolean) => void (isTrue || faults.push(claim))
  const place = { dataDir, databaseUrl: url }
  const command = async (...words: string[]) => {
    const { code, output } = await run(['operator/launch.mjs', ...words], { ...environmentOf(place, sandboxUrl), KEYS })
      .ended
    log(`${words.join(' ')}: ${code}\n${output}`)
    return { code, output }
  }
  const ready = async () => (await fetch(`${site.url}/readyz`)).text()
  expectTrue('the restored database is held', /put back/.test(await ready()))
  const visitor = new Visitor(site, '10.1.1.2', { tries: 0 })
  await reserve(visitor, availableKinds[0]!, 'held@example.com')
  await signLease(visitor, availableKinds[0]!.code)
  const refusal = await openCardPage(visitor, { location_code: availableKinds[0]!.code }).catch(
    (error: Error) => error.message,
  )
  expectTrue('a payment is refused while it is held', /Failed to initialize payment/.test(JSON.stringify(refusal)))
  const since = /ends soon after (\S+)\./.exec((await command('resume')).output)?.[1] ?? ''
  expectTrue('resume is refused while a charge is undecided', (await command('resume', '--after-restore')).code === 1)
  const comparison = await command('reconcile', '--provider', '--since', since)
  expectTrue('the lost order is found', comparison.output.includes(String(lost.orderId)))
  await command('reconcile', '--provider', '--since', since, '--refund', 'all')
  expectTrue(
    'it was decided',
    /all are in the books/.test((await command('reconcile', '--provider', '--since', since)).output),
  )
  const [waiting] = await queryRows<{ n: string }>(
    url,
    "select count(*) as n from jobs where state <> 'waiting' and created_at > extract(epoch from now() - interval '60 seconds') * 1000 and attempts > 0",
  )
  expectTrue('no job of the held server has run', Number(waiting!.n) === 0)
  expectTrue('it is resumed', (await command('resume', '--after-restore')).code === 0)
  const until = performance.now() + 30_000
  while ((await ready()) !== 'ready' && performance.now() < until) await pause(200)
  expectTrue('the server goes on', (await ready()) === 'ready')
  expectTrue('a unit is rented afterwards', (await rent(site, 'after')).end === 'moved in')
  return faults
}

async function runDrill(archived: Archived, log: Log): Promise<string[]> {
  const { url } = archived
  const servers = await prepareIdenticalServers(1, { databaseUrl: url })
  const site = servers.sites[0]!
  try {
    await site.start()
    await rent(site, 'first')
    const dataDir = join(servers.folder, 'server-0')
    const db = await openDatabase({ dataDir, url })
    const watched = await watchInvariants(db, servers.sandboxUrl)
    // The server adds the demo's ledger entries of past periods in the background. This call adds the missing ones now,
    // so that none is added between the two counts of the ledger.
    await seedPastDays(db, { clock: Date, random: systemRandom })
    log(`full backup in ${archived.backUp()} s`)
    await rent(site, 'second')
    const { before, after, lost } = await mistakeAndRestore(archived, site, log)
    log(`before: ${before}; restored: ${after}`)
    // The restored database still lists the stopped server, which counts as running for a minute.
    await pause(61_000)
    await site.start()
    const faults = await recover({ site, dataDir, url, sandboxUrl: servers.sandboxUrl, log }, lost)
    if (before !== after) faults.push(`${after} were restored, and there had been ${before}`)
    for (const key of await findMissingFiles(url, servers.filesFolder)) faults.push(`the file ${key} is missing`)
    const until = performance.now() + 60_000
    while (!(await watched.isSettled(Date.now())) && performance.now() < until) await pause(200)
    faults.push(...(await watched.findViolations()))
    await db.close()
    return faults
  } finally {
    await servers.close()
  }
}

const underPatroni = ['patroni', 'patronictl', 'etcd', 'haproxy'] as const

export default {
  about:
    'All ledger rows are deleted by mistake and the database is put back to a second before, from an encrypted archive: the same rows and sum; it is held, the charge that it lacks is found and given back, its files are there, and it goes on. With --patroni on two nodes under Patroni, etcd and HAProxy, as the runbook says it.',
  needs: ['initdb', 'pgbackrest'],
  needsFor: ({ patroni }) => (patroni ? underPatroni : []),
  options: { patroni: { type: 'boolean' } },
  async run({ patroni }, log) {
    const archived = patroni ? await startArchivedCluster() : await startArchivedServer()
    try {
      return await runDrill(archived, log)
    } finally {
      await archived.stop()
    }
  },
} satisfies Drill
