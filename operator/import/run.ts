/** Imports a business from files: every row is checked and staged first, and all of it is loaded in one transaction. */
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

/** Problems listed; all are counted. */
export const MOST_PROBLEMS = 200

export interface ImportCount {
  file: string
  rows: number
  written: number
}

export type Imported =
  /** `unclear`: see `Check.unclear`. */
  | { ok: true; counts: ImportCount[]; unclear: number }
  /** Nothing was written; `problems` are the first `MOST_PROBLEMS`. */
  | { ok: false; problems: Problem[]; total: number }

/** Where a test may end the import. */
export type ImportPoint = 'all checked' | FileName | 'all written'

/**
 * Imports the CSV or JSON files of a folder (docs/sample-operator/README.md). Idempotent: settings are updated,
 * existing leases and balances stay. @throws DatabaseUnavailable; Error where the business changed meanwhile
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
    // Only the owner knows whether the newer or the exported one is meant.
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
