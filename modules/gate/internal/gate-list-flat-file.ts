/** The gate's list as the fixed-width file that StorMan writes, which bridges of older controllers read. */
import { createHash } from 'node:crypto'
import { compareUnitNumbers } from '../../../domain/unit-number-order.ts'
import { ContentCache } from '../../../platform/database/content-cache.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { winnerOfListedCode } from '../../links/paid-auction-winners.ts'
import { storeCodesRefusedByController } from '../store-codes-refused-by-controller.ts'
import { reportAlikeUnits } from './add-gate-report-tasks.ts'
import type { GateList } from './gate-list.ts'

const statuses = { vacant: '0', rented: '1', delinquent: '2' } as const
/**
 * Codes of the gate controller's schedules ('time zones'), by the hours of a gate code. The hours of each schedule are
 * set once in the controller.
 */
const zones = { standard: '01', '24-hour': '02' } as const

const printableAscii = (text: string): string => text.normalize('NFKD').replace(/[^\x20-\x7e]/g, '')

/** Returns a unit's number without characters other than printable ASCII, cut to the six that the flat file holds. */
const unitField = (unit: string): string => printableAscii(unit).slice(0, 6)

/**
 * Returns one record of a gate controller's code file, 236 characters wide: unit, PIN, name, 178 unused columns, time
 * zone, 14 unused columns, status, keypad zone ('00' for all keypads), and '0000', which is unused.
 */
const record = (fields: { unit: string; pin: string; name: string; zone: string; status: string }): string =>
  [
    unitField(fields.unit).padStart(6),
    fields.pin.padStart(10),
    printableAscii(fields.name).slice(0, 19).padEnd(19),
    ' '.repeat(178),
    fields.zone.padStart(2),
    ' '.repeat(14),
    fields.status,
    '00',
    '0000',
  ].join('')

const unitsQuery = ({ db }: Pick<Services, 'db'>, locationCode: string) =>
  db.read
    .selectFrom('units')
    .select('unit_number')
    .where('location_code', '=', locationCode)
    .where('retired_on', 'is', null)

/** Hashes of the units of facilities, which controllers ask about every few seconds. */
const cachedHashes = new ContentCache<string>(5000)

/** Returns a short hash of the unit numbers of a facility's flat file, which change without the list of codes. */
export async function hashFlatFileUnits(services: Pick<Services, 'db'>, locationCode: string): Promise<string> {
  const hash = await cachedHashes.one(services.db, locationCode, async () => {
    const units = await unitsQuery(services, locationCode).orderBy('unit_number').execute()
    const numbers = units.map((unit) => unit.unit_number).join('\n')
    return createHash('sha256').update(numbers).digest('hex').slice(0, 8)
  })
  return hash ?? ''
}

/**
 * Builds the flat file of gate codes for controllers that cannot read our JSON list. It has a line for every unit of
 * the facility, vacant ones too, since a controller replaces all its records by the file. A code that does not open the
 * gate has the status 'delinquent'. Units whose numbers look the same in the file's short unit field are left out,
 * because the controller would take their records for those of one unit: a task reports them, and a code that is only
 * for such units counts as refused.
 * @param includeNames whether the machine key may read tenants' names
 */
export async function flatFile(
  services: Services,
  locationCode: string,
  list: GateList,
  includeNames: boolean,
): Promise<string> {
  const { db } = services
  const [units, tenants] = await Promise.all([
    unitsQuery(services, locationCode).execute(),
    includeNames
      ? db.read
          .selectFrom('gate_wanted')
          .innerJoin('tenants', (join) =>
            join
              .onRef('tenants.location_code', '=', 'gate_wanted.location_code')
              .onRef('tenants.tenant_id', '=', 'gate_wanted.tenant_id'),
          )
          .select(['gate_wanted.code_id', 'tenants.first', 'tenants.last'])
          .where('gate_wanted.location_code', '=', locationCode)
          .where('gate_wanted.gone', '=', 0)
          .where((eb) => eb.not(eb.exists(winnerOfListedCode(db.read))))
          .execute()
      : [],
  ])
  const nameByCodeId = new Map(tenants.map((tenant) => [tenant.code_id, `${tenant.last} ${tenant.first}`.trim()]))
  const codeByUnit = new Map(list.codes.flatMap((code) => code.units.map((unit) => [unit, code] as const)))
  const numbers = units.map((unit) => unit.unit_number).sort(compareUnitNumbers)
  const byField = Map.groupBy(numbers, unitField)
  const ambiguous = numbers.filter((unit) => (byField.get(unitField(unit)) ?? []).length > 1)
  await reportAlikeUnits(services, locationCode, ambiguous)
  const leftOut = list.codes.filter(({ units }) => units.length > 0 && units.every((unit) => ambiguous.includes(unit)))
  await db.transaction((tx) =>
    storeCodesRefusedByController(
      tx,
      services,
      { locationCode, upTo: list.version },
      leftOut.map(({ codeId: id }) => ({ id, why: 'its unit is not in the flat file' })),
    ),
  )
  const lines = numbers
    .filter((unit) => !ambiguous.includes(unit))
    .map((unit) => {
      const code = codeByUnit.get(unit)
      if (!code) return record({ unit, pin: '', name: '', zone: '00', status: statuses.vacant })
      return record({
        unit,
        pin: code.code,
        name: nameByCodeId.get(code.codeId) ?? '',
        zone: zones[code.hours],
        status: code.opens ? statuses.rented : statuses.delinquent,
      })
    })
  return `${lines.join('\r\n')}\r\n`
}
