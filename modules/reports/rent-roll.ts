/** A facility's rent roll of a day as it is kept: by column, compressed, without anybody's name. */

import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import type { Cents } from '../../domain/money.ts'
import { type IsShape, parseJson, writtenByUs } from '../../domain/parse-json.ts'
import type { IsoDate } from '../../domain/plain-date.ts'
import type { Ages } from './rules/aging.ts'

export type UnitUse = 'rented' | 'held' | 'off' | 'free'

/** A rentable unit of the day, with its lease where it has one. */
export interface RollUnit {
  unitId: number
  unitNumber: string
  unitTypeId: number
  use: UnitUse
  /** Square feet. */
  area: number
  /** Per 30 days. */
  street: Cents
  lease: RollLease | null
}

export interface RollLease {
  leaseNumber: number
  tenantId: number
  movedIn: IsoDate
  rent: Cents
  /** Insurance of ours; 0 for none. */
  premium: Cents
  /** Recurring fees together. */
  fees: Cents
  paidThrough: IsoDate
  balance: Cents
  ages: Ages
  autopay: boolean
  /** 'own' policy, 'plan' of ours, 'vehicle', or '' for none. */
  insurance: 'own' | 'plan' | 'vehicle' | ''
  status: string
  overlocked: boolean
}

/** A closed lease that owes something, or has something to its credit. */
export interface ClosedBalance {
  leaseNumber: number
  tenantId: number
  unitNumber: string
  closedOn: IsoDate | null
  balance: Cents
  ages: Ages
}

export interface Roll {
  units: RollUnit[]
  closed: ClosedBalance[]
}

/** Columns compress to a quarter of what rows do. */
const columnsOf = (rows: readonly object[]): Record<string, unknown[]> => {
  const values = rows.map((row) => new Map<string, unknown>(Object.entries(row)))
  return Object.fromEntries(Object.keys(rows[0] ?? {}).map((name) => [name, values.map((row) => row.get(name))]))
}

const isRollUnit = writtenByUs<RollUnit>('unitId')
const isRollLease = writtenByUs<RollLease>('leaseNumber')
const isClosedBalance = writtenByUs<ClosedBalance>('leaseNumber', 'closedOn')

/** Assigned one by one: a tenth of what pairs would cost. */
function rowsOf<Row>(columns: Record<string, unknown[]>, isRow: IsShape<Row>): Row[] {
  const all = Object.entries(columns)
  return (all[0]?.[1] ?? []).map((_, at) => {
    const row: Record<string, unknown> = {}
    for (const [name, values] of all) row[name] = values[at]
    if (!isRow(row)) throw new Error('A kept rent roll lacks a column')
    return row
  })
}

const VERSION = 1

/** Stored difference between a roll and the previous day's, or a whole roll. */
interface Packed {
  v: number
  units: Record<string, unknown[]>
  leases: Record<string, unknown[]>
  closed: Record<string, unknown[]>
  /** Units and closed leases that are no longer there. */
  goneUnits: number[]
  goneClosed: number[]
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

function changed<Row>(rows: readonly Row[], before: readonly Row[], id: (row: Row) => number): [Row[], number[]] {
  const known = new Map(before.map((row) => [id(row), row]))
  const now = new Set(rows.map(id))
  return [rows.filter((row) => !same(row, known.get(id(row)))), [...known.keys()].filter((one) => !now.has(one))]
}

const unitId = (unit: RollUnit) => unit.unitId
const closedId = (lease: ClosedBalance) => lease.leaseNumber

/** @param before the roll of the kept day before, which reading it needs too; left out for a whole one */
export function packRoll(roll: Roll, before: Roll = { units: [], closed: [] }): string {
  const [units, goneUnits] = changed(roll.units, before.units, unitId)
  const [closed, goneClosed] = changed(roll.closed, before.closed, closedId)
  const packed: Packed = {
    v: VERSION,
    units: columnsOf(units.map(({ lease, ...unit }) => unit)),
    leases: columnsOf(units.flatMap(({ lease }, at) => (lease ? [{ at, ...lease }] : []))),
    closed: columnsOf(closed),
    goneUnits,
    goneClosed,
  }
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }
  return brotliCompressSync(JSON.stringify(packed), options).toString('base64')
}

function changedUnits({ units, leases }: Pick<Packed, 'units' | 'leases'>): RollUnit[] {
  const rows = rowsOf(units, isRollUnit)
  for (const unit of rows) unit.lease = null
  const { at: places = [], ...columns } = leases
  for (const [at, lease] of rowsOf(columns, isRollLease).entries()) {
    const unit = rows[Number(places[at])]
    if (unit) unit.lease = lease
  }
  return rows
}

/** @param days a whole roll, and the changes of each kept day after it. @throws Error where one is of another version */
export function unpackRoll(days: readonly string[]): Roll {
  const units = new Map<number, RollUnit>()
  const closed = new Map<number, ClosedBalance>()
  for (const day of days) {
    const kept = parseJson(brotliDecompressSync(Buffer.from(day, 'base64')).toString('utf8'), writtenByUs<Packed>('v'))
    if (kept.v !== VERSION) throw new Error(`A rent roll of version ${kept.v} cannot be read`)
    for (const unit of changedUnits(kept)) units.set(unit.unitId, unit)
    for (const one of rowsOf(kept.closed, isClosedBalance)) closed.set(one.leaseNumber, one)
    for (const id of kept.goneUnits) units.delete(id)
    for (const id of kept.goneClosed) closed.delete(id)
  }
  return {
    units: [...units.values()].sort((a, b) => a.unitId - b.unitId),
    closed: [...closed.values()].sort((a, b) => a.leaseNumber - b.leaseNumber),
  }
}
