import type { IsoDate } from '../../../domain/plain-date.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { chartByDay, figureReport } from '../internal/build-report-of-daily-figures.ts'
import type { DayInProgress, ReportQuery } from '../internal/read-snapshot-figures.ts'
import { loadStoredRoll } from '../load-stored-rent-roll.ts'
import { type ReportTable, shareOf } from '../rules/report-format.ts'

export const occupancy = figureReport({
  title: 'Physical occupancy',
  about: 'Rented units of those that can be let, by unit and by area.',
  period: 'span',
  group: 'Units and rents',
  reads: ['units', 'units_rented', 'units_held', 'units_off', 'area', 'area_rented'],
  columns: [
    { key: 'units', label: 'Units', as: 'count', cell: (state) => state.units },
    { key: 'rented', label: 'Rented', as: 'count', cell: (state) => state.units_rented },
    { key: 'share', label: 'By unit', as: 'share', cell: (state) => shareOf(state.units_rented, state.units) },
    { key: 'area', label: 'By area', as: 'share', cell: (state) => shareOf(state.area_rented, state.area) },
    { key: 'held', label: 'Held', as: 'count', wide: true, cell: (state) => state.units_held },
    { key: 'off', label: 'Out of service', as: 'count', wide: true, cell: (state) => state.units_off },
  ],
  totals: 'of several',
  async buildParts({ services, query, read, state: closing }) {
    const byUnit = shareOf(closing.units_rented, closing.units)
    const byArea = shareOf(closing.area_rented, closing.area)
    return {
      figures: [
        {
          label: 'By unit',
          value: byUnit,
          as: 'share',
          explanation: `${closing.units_rented} of ${closing.units} units`,
        },
        { label: 'By area', value: byArea, as: 'share', explanation: 'of the square feet' },
        { label: 'Held', value: closing.units_held, as: 'count', explanation: 'by reservations, not rented' },
        { label: 'Out of service', value: closing.units_off, as: 'count', explanation: 'counted as not rented' },
      ],
      chart: {
        label: 'Occupancy by day',
        as: 'share',
        lines: [
          { label: 'By unit', values: chartByDay(read, (sums) => shareOf(sums.units_rented, sums.units)) },
          { label: 'By area', values: chartByDay(read, (sums) => shareOf(sums.area_rented, sums.area)) },
        ],
      },
      below: await loadUnitTypeTable(services, query, read),
    }
  },
})

/**
 * Builds a table of one facility's unit types: now if the span includes today, otherwise at its last snapshot in the
 * span. Returns no table for several facilities or without a roll.
 */
async function loadUnitTypeTable(
  services: Services,
  query: ReportQuery,
  read: { live: readonly DayInProgress[]; places: readonly { last: { day: IsoDate } }[] },
): Promise<ReportTable[]> {
  const [place] = query.places
  const last = read.places[0]?.last
  if (query.places.length !== 1 || !place || !last) return []
  const { db } = services
  const roll = read.live[0]?.roll ?? (await loadStoredRoll(db.read, place.code, last.day))?.roll
  if (!roll) return []
  const types = await db.read
    .selectFrom('unit_types')
    .select(['unit_type_id', 'category_name', 'length', 'breadth'])
    .where('location_code', '=', place.code)
    .orderBy('unit_type_id')
    .execute()
  const units = Map.groupBy(roll.units, ({ unitTypeId }) => unitTypeId)
  return [
    {
      title: 'By unit type, at the end',
      columns: [
        { key: 'type', label: 'Unit type', as: 'text' },
        { key: 'units', label: 'Units', as: 'count' },
        { key: 'rented', label: 'Rented', as: 'count' },
        { key: 'share', label: 'By unit', as: 'share' },
        { key: 'rent', label: 'Rent', as: 'cents', wide: true },
        { key: 'street', label: 'Street rates', as: 'cents', wide: true },
      ],
      rows: types.flatMap(({ unit_type_id, category_name, length, breadth }) => {
        const unitsOfType = units.get(unit_type_id) ?? []
        const rented = unitsOfType.filter(({ use }) => use === 'rented').length
        if (unitsOfType.length === 0) return []
        return [
          {
            type: `${length}×${breadth} ${category_name}`,
            units: unitsOfType.length,
            rented,
            share: shareOf(rented, unitsOfType.length),
            rent: unitsOfType.reduce((sum, { lease }) => sum + (lease?.rent ?? 0), 0),
            street: unitsOfType.reduce((sum, { street }) => sum + street, 0),
          },
        ]
      }),
      empty: 'There are no units.',
    },
  ]
}
