/** Imports a business from files: every row is checked and staged first, and all of it is loaded in one transaction. */
import { existsSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { bumpContentVersion } from '../../platform/database/content-version.ts'
import { type Database, isUniqueViolation, type Transaction } from '../../platform/database/open.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { Check } from './check.ts'
import { type Change, differing, leasesOwingOtherwise, type Standing, standingOf } from './compare.ts'
import { loadTable, nameStates } from './load.ts'
import { nearestName } from './nearest.ts'
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

export interface ImportReport {
  ok: true
  counts: ImportCount[]
  /** Leases behind whose balance may contain periods that billing charges as well. */
  unclear: number
  /** What existing rows take over from the files. */
  changes: Change[]
  /** What of the files is not taken over: the first `MOST_PROBLEMS`, and how many there are. */
  notApplied: Problem[]
  notAppliedTotal: number
  before: Standing
  after: Standing
}

/** Otherwise nothing was written; `problems` are the first `MOST_PROBLEMS`. */
export type Imported = ImportReport | { ok: false; problems: Problem[]; total: number }

/** Where a test may end the import. */
export type ImportPoint = 'all checked' | FileName | 'all written'

/** Rolls the load of a dry run back. */
class DryRun extends Error {}

function gatherer(): { list: Problem[]; total: number; tell: Tell } {
  const gathered = {
    list: [] as Problem[],
    total: 0,
    tell: (problem: Problem) => {
      gathered.total += 1
      if (gathered.list.length < MOST_PROBLEMS) gathered.list.push(problem)
    },
  }
  return gathered
}

/**
 * Imports the CSV or JSON files of a folder (docs/sample-operator/README.md). Idempotent: settings are updated, existing
 * leases and balances stay. A dry run does all of it and rolls back.
 * @throws DatabaseUnavailable; Error where the business changed meanwhile
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
  const problems = gatherer()
  const notApplied = gatherer()
  const refused = () => ({ ok: false as const, problems: problems.list, total: problems.total })
  const files = filesToImport(folder, problems.tell)
  if (problems.total > 0) return refused()

  const { db, random } = services
  const now = services.clock.now()
  const desk: LinkParts = { clock: { now: () => now }, random }
  const counts: ImportCount[] = []
  const staging = new Staging(scratch)
  let report: ImportReport | undefined
  try {
    const check = new Check(desk, staging, problems.tell, notApplied.tell)
    await check.know(db, progress)
    for (const { table, file } of files)
      counts.push({ file, rows: await check.file(folder, table, file, progress), written: 0 })
    if (problems.total > 0) return refused()
    const unclear = staging.unclearBalances()
    await reached('all checked')
    await staging.within(db, () =>
      db.transaction(async (tx) => {
        const before = await standingOf(tx)
        const load: Load = { tx, db, staging, check, now, progress, tell: notApplied.tell }
        const changes: Change[] = []
        for (const [index, { table, file }] of files.entries()) {
          const { written, changed } = await loadFile(load, table, counts[index]!)
          counts[index]!.written = written
          changes.push(...changed)
          await reached(table.file)
          if (table.file === 'balances') await tellBalances(load, file)
        }
        progress('settling leases, units and gate codes')
        await settleLeases(tx, db, desk, staging)
        await clearMilitaryAuctionFlags(tx, desk)
        await countOn(tx, staging, check.numbered)
        await nameStates(tx)
        await bumpContentVersion(tx)
        await reached('all written')
        const after = await standingOf(tx)
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
  check: Check
  now: number
  progress: (line: string) => void
  tell: Tell
}

/** Loads a file's rows. @returns how many were written, and what they changed of rows that were there */
async function loadFile(
  { tx, db, staging, check, now, progress, tell }: Load,
  table: ImportTable,
  { file, rows }: ImportCount,
): Promise<{ written: number; changed: Change[] }> {
  const leftOut = check.leftOut.get(table.file) ?? new Set()
  const compared = { table, file, leftOut }
  const differed = await differing(tx, db, staging, compared)
  const told = (done: number) => progress(`${file}: ${done} of ${rows} rows coming in`)
  const written = await loadTable(tx, db, staging, table, { now, leftOut, progress: told })
  if (table.file !== 'tenants' || differed.length === 0) return { written, changed: differed }
  // A tenant with an account keeps what they set on the site.
  const kept = new Map((await differing(tx, db, staging, compared)).map((change) => [change.column, change]))
  for (const { column, rows: keep } of kept.values()) {
    const some = keep === 1 ? '1 tenant has an account and keeps' : `${keep} tenants have an account and keep`
    tell({ file, line: 0, column, says: `${some} what they set on the site` })
  }
  const changed = differed.map((change) => {
    const { rows: keep = 0, blanked = 0 } = kept.get(change.column) ?? {}
    return { ...change, rows: change.rows - keep, blanked: change.blanked - blanked }
  })
  return { written, changed: changed.filter((change) => change.rows > 0) }
}

async function tellBalances({ tx, db, staging, tell }: Load, file: string): Promise<void> {
  const count = await leasesOwingOtherwise(tx, db, staging)
  const leases = count === 1 ? '1 lease owes' : `${count} leases owe`
  if (count > 0) tell({ file, line: 0, column: 'amount', says: `${leases} another sum by the ledger, which stays` })
}

function filesToImport(folder: string, tell: Tell): { table: ImportTable; file: string }[] {
  const known = importTables.flatMap(({ file }) => [`${file}.csv`, `${file}.json`])
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : []
  for (const { name } of entries.filter((entry) => entry.isFile())) {
    if (known.includes(name) || /^(\.|README)/.test(name)) continue
    const nearest = nearestName(name, known)
    const says = `is not a file of an import; ${nearest ? `is ${nearest} meant?` : 'keep it elsewhere'}`
    tell({ file: name, line: 0, column: '', says })
  }
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
export function sentenceOf({ file, line, column, says, ofText }: Problem): string {
  const place = line === 0 ? '' : ` ${file.endsWith('.json') && !ofText ? 'entry' : 'line'} ${line}`
  return `${file}${place}${column === '' ? '' : `, ${column}`}: ${says}`
}
