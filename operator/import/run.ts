/** Imports a business from files: every row is checked and staged first, and all of it is loaded in one transaction. */
import { tmpdir } from 'node:os'
import { bumpContentVersion } from '../../platform/database/content-version.ts'
import { isUniqueViolation } from '../../platform/database/open.ts'
import type { Services } from '../../platform/operations/services.ts'
import { Check } from './check.ts'
import { loadTable, nameStates } from './load.ts'
import { filesOf, type Problem, type Tell } from './read-rows.ts'
import { ChangedSince, clearMilitaryAuctionFlags, countOn, settleLeases } from './settle-leases.ts'
import type { LinkParts } from './stage.ts'
import { Staging } from './staging.ts'
import type { FileName, ImportTable } from './table.ts'
import { importTables } from './tables.ts'

/** Problems listed; all are counted. */
export const MOST_PROBLEMS = 200

export interface ImportCount {
  file: string
  rows: number
  written: number
}

export type Imported =
  /** `unclear`: leases behind whose balance may contain periods that billing charges as well. */
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
  const files = filesToImport(folder, tell)
  if (total > 0) return { ok: false, problems, total }

  const { db, random } = services
  const now = services.clock.now()
  const desk: LinkParts = { clock: { now: () => now }, random }
  const counts: ImportCount[] = []
  const staging = new Staging(scratch)
  try {
    const check = new Check(desk, staging, tell)
    await check.know(db, progress)
    for (const { table, file } of files)
      counts.push({ file, rows: await check.file(folder, table, file, progress), written: 0 })
    if (total > 0) return { ok: false, problems, total }
    const unclear = staging.unclearBalances()
    await reached('all checked')
    if (dryRun) return { ok: true, counts, unclear }
    await staging.within(db, () =>
      db.transaction(async (tx) => {
        for (const [index, { table, file }] of files.entries()) {
          const count = counts[index]!
          const told = (rows: number) => progress(`${file}: ${rows} of ${count.rows} rows coming in`)
          count.written = await loadTable(tx, db, staging, table, now, told)
          await reached(table.file)
        }
        progress('settling leases, units and gate codes')
        await settleLeases(tx, db, desk, staging)
        await clearMilitaryAuctionFlags(tx, desk)
        await countOn(tx, staging, check.numbered)
        await nameStates(tx)
        await bumpContentVersion(tx)
        await reached('all written')
      }),
    )
    return { ok: true, counts, unclear }
  } catch (error) {
    if (!isUniqueViolation(error) && !(error instanceof ChangedSince)) throw error
    const why = 'The business has changed since the files were checked, and nothing was imported. Import again.'
    throw new Error(why, { cause: error })
  } finally {
    staging.close()
  }
}

function filesToImport(folder: string, tell: Tell): { table: ImportTable; file: string }[] {
  const found = importTables.map((table) => ({ table, files: filesOf(folder, table.file) }))
  if (found.every(({ files }) => files.length === 0)) {
    const says = `has none of the files of an import: ${importTables.map((table) => `${table.file}.csv`).join(', ')}`
    tell({ file: folder, line: 1, column: '', says })
  }
  return found.flatMap(({ table, files: [file, other] }) => {
    // Only the owner knows whether the newer or the exported one is meant.
    if (file !== undefined && other !== undefined)
      tell({ file, line: 1, column: '', says: `stands beside ${other}; remove the one that does not count` })
    return file === undefined ? [] : [{ table, file }]
  })
}

/** 'units.csv line 4, unit_type_id: there is no unit type 9' */
export const sentenceOf = ({ file, line, column, says, ofText }: Problem): string =>
  `${file} ${file.endsWith('.json') && !ofText ? 'entry' : 'line'} ${line}${column === '' ? '' : `, ${column}`}: ${says}`
