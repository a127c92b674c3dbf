/**
 * Brings an operator's business in from files. First every row is checked and laid ready beside the business, and every bad
 * one named; only where nothing is wrong does anything come in, in one transaction, so that the switch is its commit.
 */
import { tmpdir } from 'node:os'
import { bumpContentVersion } from '../../platform/database/content-version.ts'
import { isUniqueViolation } from '../../platform/database/open.ts'
import type { Services } from '../../platform/operations/services.ts'
import { Check } from './check.ts'
import { loadTable, nameStates } from './load.ts'
import { ChangedSince, countOn } from './numbers.ts'
import { filesOf, type Problem, type Tell } from './read-rows.ts'
import { clearMilitaryAuctionFlags, settleLeases } from './settle-leases.ts'
import type { LinkParts } from './stage.ts'
import { Staging } from './staging.ts'
import { importTables } from './tables/index.ts'
import type { FileName, ImportTable } from './tables/table.ts'

/** So many problems are named; all are counted. */
export const MOST_PROBLEMS = 200

export interface ImportCount {
  file: string
  rows: number
  /** Rows that were new or changed something; 0 in a dry run. */
  written: number
}

export type Imported =
  /** `unclear`: leases paid through a day that is past, with a balance that names no period; see `Check.unclear`. */
  | { ok: true; counts: ImportCount[]; unclear: number }
  /** Nothing was written. `problems`: the first of them. */
  | { ok: false; problems: Problem[]; total: number }

/** What the import has come to: all is checked, a file's rows are in, everything is in and not yet committed. */
export type ImportPoint = 'all checked' | FileName | 'all written'

/**
 * Imports the CSV or JSON files of a folder (docs/sample-operator/README.md lists them). Doing it twice changes nothing:
 * what an operator sets is brought up to date; a lease or an opening balance that is there already stays as the business
 * has left it since.
 * @param options.scratch a folder with room for what the files hold, while the import lasts
 * @param options.progress told how far it has come, every so many rows
 * @param options.reached told at each point; a test ends the import there
 * @throws DatabaseUnavailable; Error where the business has changed under the import, of which nothing is then left
 */
export async function importFolder(
  services: Pick<Services, 'db' | 'clock' | 'random'>,
  folder: string,
  {
    dryRun = false,
    scratch = tmpdir(),
    progress = () => {},
    reached = () => {},
  }: {
    dryRun?: boolean
    scratch?: string
    progress?: (line: string) => void
    reached?: (point: ImportPoint) => void | Promise<void>
  } = {},
): Promise<Imported> {
  const problems: Problem[] = []
  let total = 0
  const tell: Tell = (problem) => {
    total += 1
    if (problems.length < MOST_PROBLEMS) problems.push(problem)
  }
  const files: { table: ImportTable; file: string }[] = []
  for (const table of importTables) {
    const [file, other] = filesOf(folder, table.file)
    if (file === undefined) continue
    // Which of the two is meant, the newer or the one that was exported, only their owner knows.
    if (other !== undefined)
      tell({ file, line: 1, column: '', says: `stands beside ${other}; remove the one that does not count` })
    else files.push({ table, file })
  }
  if (files.length === 0 && total === 0) {
    const says = `has none of the files of an import: ${importTables.map((table) => `${table.file}.csv`).join(', ')}`
    tell({ file: folder, line: 1, column: '', says })
  }
  if (total > 0) return { ok: false, problems, total }

  // All of it comes in at one moment.
  const now = services.clock.now()
  const desk: LinkParts = { clock: { now: () => now }, random: services.random }
  const counts: ImportCount[] = []
  const staging = new Staging(scratch)
  try {
    const check = new Check(desk, staging, tell)
    await check.know(services.db, progress)
    for (const { table, file } of files)
      counts.push({ file, rows: await check.file(folder, table, file, progress), written: 0 })
    if (total > 0) return { ok: false, problems, total }
    check.settle()
    await reached('all checked')
    if (dryRun) return { ok: true, counts, unclear: check.unclear }
    await staging.within(services.db, () =>
      services.db.transaction(async (tx) => {
        for (const [index, { table, file }] of files.entries()) {
          const come = () =>
            loadTable(tx, services.db, staging, table, now, (rows) =>
              progress(`${file}: ${rows} of ${counts[index]!.rows} rows coming in`),
            )
          const written = table.file === 'tenants' ? staging.indexingAfter(services.db, tx, 'tenants', come) : come()
          counts[index]!.written = await written
          await reached(table.file)
        }
        progress('settling leases, units and gate codes')
        await settleLeases(tx, services.db, desk, staging, check.letBefore)
        await clearMilitaryAuctionFlags(tx, desk)
        await countOn(tx, staging, check.numbered)
        await nameStates(tx)
        await bumpContentVersion(tx)
        await reached('all written')
      }),
    )
    return { ok: true, counts, unclear: check.unclear }
  } catch (error) {
    // Somebody rented a unit or took a number between the check and the switch.
    if (isUniqueViolation(error) || error instanceof ChangedSince)
      throw new Error(
        'The business has changed since the files were checked, and nothing was imported. Import again.',
        {
          cause: error,
        },
      )
    throw error
  } finally {
    staging.close()
  }
}

/** 'units.csv line 4, unit_type_id: there is no unit type 9' */
export const sentenceOf = ({ file, line, column, says, ofText }: Problem): string =>
  `${file} ${file.endsWith('.json') && !ofText ? 'entry' : 'line'} ${line}${column === '' ? '' : `, ${column}`}: ${says}`
