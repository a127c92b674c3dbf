/** Packs the rent roll of a facility's day for storage: by column, compressed, without names. */
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import type { Cents } from '../../domain/money.ts'
import { hasFields, type IsShape, parseJson } from '../../domain/parse-json-and-check-shape.ts'
import type { IsoDate } from '../../domain/plain-date.ts'
import type { Ages } from './rules/aging.ts'

export type UnitUse = 'rented' | 'held' | 'off' | 'free'

/** Unit of a day's rent roll, with its lease if it is rented. */
export interface RollUnit {
  unitId: number
  unitNumber: string
  unitTypeId: number
  use: UnitUse
  /** Area in square feet. */
  area: number
  /** Street rate for 30 days, in cents. */
  street: Cents
  lease: RollLease | null
}

/** Data of a lease on one day's rent roll; rent, premium and fees for 30 days. */
export interface RollLease {
  leaseNumber: number
  tenantId: number
  movedIn: IsoDate
  rent: Cents
  /** Insurance premium in cents; 0 without one of our plans. */
  premium: Cents
  /** Sum of the recurring fees, in cents. */
  fees: Cents
  paidThrough: IsoDate
  balance: Cents
  ages: Ages
  autopay: boolean
  /** 'own' policy, one of our plans ('plan'), 'vehicle', or '' for none. */
  insurance: 'own' | 'plan' | 'vehicle' | ''
  status: string
  overlocked: boolean
}

/** A closed lease with a balance or credit. */
export interface ClosedBalance {
  leaseNumber: number
  tenantId: number
  unitNumber: string
  closedOn: IsoDate | null
  balance: Cents
  ages: Ages
}

/** Rent roll of a facility's day: units that are rented or not retired, and closed leases with a balance. */
export interface Roll {
  units: RollUnit[]
  closed: ClosedBalance[]
}

/** Converts a rent roll's rows to one array for each column, which compresses better than rows. */
const columnsOf = (rows: readonly object[]): Record<string, unknown[]> => {
  const values = rows.map((row) => new Map<string, unknown>(Object.entries(row)))
  return Object.fromEntries(Object.keys(rows[0] ?? {}).map((name) => [name, values.map((row) => row.get(name))]))
}

const isRollUnit = hasFields<RollUnit>('unitId')
const isRollLease = hasFields<RollLease>('leaseNumber')
const isClosedBalance = hasFields<ClosedBalance>('leaseNumber', 'closedOn')

/**
 * Converts columns of a stored rent roll to rows.
 * @throws Error if a column that `isRow` requires is missing
 */
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

/** Stored form of a day's rent roll: the complete roll, or its differences from the previous snapshot's roll. */
interface Packed {
  v: number
  units: Record<string, unknown[]>
  leases: Record<string, unknown[]>
  closed: Record<string, unknown[]>
  /** Unit ids, and numbers of closed leases, that the previous roll has and this one does not. */
  goneUnits: number[]
  goneClosed: number[]
}

const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Returns the rows that are new or changed, and the ids of the rows that are gone. */
function diff<Row>(rows: readonly Row[], before: readonly Row[], idOf: (row: Row) => number): [Row[], number[]] {
  const rowsById = new Map(before.map((row) => [idOf(row), row]))
  const ids = new Set(rows.map(idOf))
  return [
    rows.filter((row) => !isEqual(row, rowsById.get(idOf(row)))),
    [...rowsById.keys()].filter((id) => !ids.has(id)),
  ]
}

const unitIdOf = (unit: RollUnit) => unit.unitId
const leaseNumberOf = (lease: ClosedBalance) => lease.leaseNumber

/**
 * Packs a roll as a difference from the previous snapshot's roll, or whole.
 * @param before roll of the previous snapshot, which unpacking also needs; left out to pack the whole roll
 */
export function packRoll(roll: Roll, before: Roll = { units: [], closed: [] }): string {
  const [units, goneUnits] = diff(roll.units, before.units, unitIdOf)
  const [closed, goneClosed] = diff(roll.closed, before.closed, leaseNumberOf)
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

function unpackUnits({ units, leases }: Pick<Packed, 'units' | 'leases'>): RollUnit[] {
  const rows = rowsOf(units, isRollUnit)
  for (const unit of rows) unit.lease = null
  const { at: positions = [], ...columns } = leases
  for (const [at, lease] of rowsOf(columns, isRollLease).entries()) {
    const unit = rows[Number(positions[at])]
    if (unit) unit.lease = lease
  }
  return rows
}

/**
 * Rebuilds a rent roll from its stored snapshots, which are compressed JSON in base64.
 * @param days a complete rent roll, followed by the differences of each later snapshot
 * @throws Error if a snapshot was written in an unknown format version or lacks a required column
 */
export function unpackRoll(days: readonly string[]): Roll {
  const units = new Map<number, RollUnit>()
  const closed = new Map<number, ClosedBalance>()
  for (const day of days) {
    const packed = parseJson(brotliDecompressSync(Buffer.from(day, 'base64')).toString('utf8'), hasFields<Packed>('v'))
    if (packed.v !== VERSION) throw new Error(`A rent roll of version ${packed.v} cannot be read`)
    for (const unit of unpackUnits(packed)) units.set(unit.unitId, unit)
    for (const lease of rowsOf(packed.closed, isClosedBalance)) closed.set(lease.leaseNumber, lease)
    for (const id of packed.goneUnits) units.delete(id)
    for (const id of packed.goneClosed) closed.delete(id)
  }
  return {
    units: [...units.values()].sort((a, b) => a.unitId - b.unitId),
    closed: [...closed.values()].sort((a, b) => a.leaseNumber - b.leaseNumber),
  }
}
