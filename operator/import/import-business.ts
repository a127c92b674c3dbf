/** Imports a business from files: checks all rows and stages those to load, then loads them in one transaction. */
import { existsSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { bumpContentVersion } from '../../platform/database/content-version.ts'
import { type Database, isUniqueViolation, type Transaction } from '../../platform/database/open.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { RowChecker } from './check-and-stage-import-rows.ts'
import {
  ChangedSince,
  clearMilitaryAuctionFlags,
  completeLeases,
  continueNumbering,
} from './complete-imported-leases.ts'
import type { ImportServices } from './computed-staging-columns.ts'
import {
  type BusinessTotals,
  type Change,
  countBalanceDifferences,
  loadBusinessTotals,
  loadChanges,
} from './count-changes-to-existing-records.ts'
import type { FileName, ImportTable } from './import-file-definition.ts'
import { importTables } from './import-file-definitions.ts'
import { insertMissingStates, loadTable } from './load-staged-rows.ts'
import { nearestName } from './nearest-name.ts'
import { findImportFiles, type Problem, type ReportProblem } from './read-rows.ts'
import { Staging } from './staging-tables.ts'

/** Maximum number of problems that an import lists; all are counted. */
export const MAX_PROBLEMS = 200

/** Number of rows in an imported file, and number of those that the import wrote to the database. */
export interface ImportCount {
  file: string
  rows: number
  written: number
}

/** Result of a successful import, with its counts and the values that were changed or not applied. */
export interface ImportReport {
  ok: true
  counts: ImportCount[]
  /** Number of past-due leases whose balance may include periods that billing charges too. */
  unclear: number
  /** Changes of existing rows. */
  changes: Change[]
  /** Values that are not applied: the first `MAX_PROBLEMS`, and the total. */
  notApplied: Problem[]
  notAppliedTotal: number
  before: BusinessTotals
  after: BusinessTotals
}

/** The result of an import. On failure nothing was written; `problems` are the first `MAX_PROBLEMS`. */
export type Imported = ImportReport | { ok: false; problems: Problem[]; total: number }

/** Points at which a test may interrupt the import; a file's name stands for the point after the load of its rows. */
export type ImportPoint = 'all checked' | FileName | 'all written'

/** Thrown to roll back a dry run. */
class DryRun extends Error {}

function createProblemList(): { list: Problem[]; total: number; add: ReportProblem } {
  const list: Problem[] = []
  const collected = {
    list,
    total: 0,
    add: (problem: Problem) => {
      collected.total += 1
      if (collected.list.length < MAX_PROBLEMS) collected.list.push(problem)
    },
  }
  return collected
}

/**
 * Imports the CSV or JSON files of a folder (docs/sample-operator/README.md). Idempotent: existing records are updated,
 * but existing leases and balances stay. A dry run does everything and rolls back.
 * @throws DatabaseUnavailable; Error if the business changed meanwhile
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
  const problems = createProblemList()
  const notApplied = createProblemList()
  const failure = () => ({ ok: false as const, problems: problems.list, total: problems.total })
  const files = filesToImport(folder, problems.add)
  if (problems.total > 0) return failure()

  const { db, random } = services
  const now = services.clock.now()
  const importServices: ImportServices = { clock: { now: () => now }, random }
  const counts: ImportCount[] = []
  const staging = new Staging(scratch)
  let report: ImportReport | undefined
  try {
    const check = new RowChecker(importServices, staging, problems.add, notApplied.add)
    await check.loadExistingKeys(db, progress)
    for (const { table, file } of files)
      counts.push({ file, rows: await check.checkFile(folder, table, file, progress), written: 0 })
    if (problems.total > 0) return failure()
    const unclear = staging.countUnclearBalances()
    await reached('all checked')
    await staging.within(db, () =>
      db.transaction(async (tx) => {
        const before = await loadBusinessTotals(tx)
        const load: Load = { tx, db, staging, check, now, progress, reportNotApplied: notApplied.add }
        const changes: Change[] = []
        for (const [index, { table, file }] of files.entries()) {
          const { written, changed } = await loadFile(load, table, counts[index]!)
          counts[index]!.written = written
          changes.push(...changed)
          await reached(table.file)
          if (table.file === 'balances') await reportBalances(load, file)
        }
        progress('settling leases, units and gate codes')
        await completeLeases(tx, db, importServices, staging)
        await clearMilitaryAuctionFlags(tx, importServices)
        await continueNumbering(tx, staging, check.nextTenantNumbers)
        await insertMissingStates(tx)
        await bumpContentVersion(tx)
        await reached('all written')
        const after = await loadBusinessTotals(tx)
        const { list, total: notAppliedTotal } = notApplied
        report = { ok: true, counts, unclear, changes, notApplied: list, notAppliedTotal, before, after }
        if (dryRun) throw new DryRun()
      }),
    )
    return report!
  } catch (error) {
    if (error instanceof DryRun) return report!
    if (!isUniqueViolation(error) && !(error instanceof ChangedSince)) throw error
    const why = 'The business has changed since the files were checked, and nothing was imported. Import again.'
    throw new Error(why, { cause: error })
  } finally {
    staging.close()
  }
}

interface Load {
  tx: Transaction<Tables>
  db: Database
  staging: Staging
  check: RowChecker
  now: number
  progress: (line: string) => void
  reportNotApplied: ReportProblem
}

/**
 * Writes the checked rows of an import file to the database.
 * @returns number of written rows, and the changes of existing rows
 */
async function loadFile(
  { tx, db, staging, check, now, progress, reportNotApplied }: Load,
  table: ImportTable,
  { file, rows }: ImportCount,
): Promise<{ written: number; changed: Change[] }> {
  const leftOut = check.leftOut.get(table.file) ?? new Set()
  const comparison = { table, file, leftOut }
  const changesBefore = await loadChanges(tx, db, staging, comparison)
  const showProgress = (done: number) => progress(`${file}: ${done} of ${rows} rows coming in`)
  const written = await loadTable(tx, db, staging, table, { now, leftOut, progress: showProgress })
  if (table.file !== 'tenants' || changesBefore.length === 0) return { written, changed: changesBefore }
  // Differences that remain after loading are values that tenants with an account keep.
  const keptChanges = new Map((await loadChanges(tx, db, staging, comparison)).map((change) => [change.column, change]))
  for (const { column, rows: keep } of keptChanges.values()) {
    const subject = keep === 1 ? '1 tenant has an account and keeps' : `${keep} tenants have an account and keep`
    reportNotApplied({ file, line: 0, column, says: `${subject} what they set on the site` })
  }
  const changed = changesBefore.map((change) => {
    const { rows: keep = 0, blanked = 0 } = keptChanges.get(change.column) ?? {}
    return { ...change, rows: change.rows - keep, blanked: change.blanked - blanked }
  })
  return { written, changed: changed.filter((change) => change.rows > 0) }
}

async function reportBalances({ tx, db, staging, reportNotApplied }: Load, file: string): Promise<void> {
  const count = await countBalanceDifferences(tx, db, staging)
  const leases = count === 1 ? '1 lease owes' : `${count} leases owe`
  if (count > 0)
    reportNotApplied({ file, line: 0, column: 'amount', says: `${leases} another sum by the ledger, which stays` })
}

function filesToImport(folder: string, reportProblem: ReportProblem): { table: ImportTable; file: string }[] {
  const fileNames = importTables.flatMap(({ file }) => [`${file}.csv`, `${file}.json`])
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : []
  for (const { name } of entries.filter((entry) => entry.isFile())) {
    if (fileNames.includes(name) || /^(\.|README)/.test(name)) continue
    const nearest = nearestName(name, fileNames)
    const says = `is not a file of an import; ${nearest ? `is ${nearest} meant?` : 'keep it elsewhere'}`
    reportProblem({ file: name, line: 0, column: '', says })
  }
  const filesByTable = importTables.map((table) => ({ table, files: findImportFiles(folder, table.file) }))
  if (filesByTable.every(({ files }) => files.length === 0)) {
    const says = `has none of the files of an import: ${importTables.map((table) => `${table.file}.csv`).join(', ')}`
    reportProblem({ file: folder, line: 1, column: '', says })
  }
  return filesByTable.flatMap(({ table, files: [file, other] }) => {
    // Only the operator knows which of the two files is meant.
    if (file !== undefined && other !== undefined)
      reportProblem({ file, line: 1, column: '', says: `stands beside ${other}; remove the one that does not count` })
    return file === undefined ? [] : [{ table, file }]
  })
}

/** Formats a problem: 'units.csv line 4, unit_type_id: there is no unit type 9'. */
export function sentenceOf({ file, line, column, says, ofText }: Problem): string {
  const place = line === 0 ? '' : ` ${file.endsWith('.json') && !ofText ? 'entry' : 'line'} ${line}`
  return `${file}${place}${column === '' ? '' : `, ${column}`}: ${says}`
}
