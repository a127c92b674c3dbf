import type { IsoDate } from '../../../domain/plain-date.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { chartByDay, figureReport } from '../internal/figure-report.ts'
import type { DayInProgress, ReportQuery } from '../report-figures.ts'
import { type ReportTable, shareOf } from '../rules/report-format.ts'
import { loadStoredRoll } from '../snapshots.ts'

export const occupancy = figureReport({
  title: 'Physical occupancy',
  about: 'Rented units of those that can be let, by unit and by area.',
  of: 'span',
  group: 'Units and rents',
  reads: ['units', 'units_rented', 'units_held', 'units_off', 'area', 'area_rented'],
  columns: [
    { key: 'units', label: 'Units', as: 'count', cell: (one) => one.units },
    { key: 'rented', label: 'Rented', as: 'count', cell: (one) => one.units_rented },
    { key: 'share', label: 'By unit', as: 'share', cell: (one) => shareOf(one.units_rented, one.units) },
    { key: 'area', label: 'By area', as: 'share', cell: (one) => shareOf(one.area_rented, one.area) },
    { key: 'held', label: 'Held', as: 'count', wide: true, cell: (one) => one.units_held },
    { key: 'off', label: 'Out of service', as: 'count', wide: true, cell: (one) => one.units_off },
  ],
  totals: 'of several',
  async tell({ services, asked, read, state: at }) {
    const [byUnit, byArea] = [shareOf(at.units_rented, at.units), shareOf(at.area_rented, at.area)]
    return {
      figures: [
        { label: 'By unit', value: byUnit, as: 'share', beside: `${at.units_rented} of ${at.units} units` },
        { label: 'By area', value: byArea, as: 'share', beside: 'of the square feet' },
        { label: 'Held', value: at.units_held, as: 'count', beside: 'by reservations, not rented' },
        { label: 'Out of service', value: at.units_off, as: 'count', beside: 'counted as not rented' },
      ],
      chart: {
        label: 'Occupancy by day',
        as: 'share',
        lines: [
          { label: 'By unit', values: chartByDay(read, (one) => shareOf(one.units_rented, one.units)) },
          { label: 'By area', values: chartByDay(read, (one) => shareOf(one.area_rented, one.area)) },
        ],
      },
      below: await byUnitType(services, asked, read),
    }
  },
})

/** Builds a table of one facility's unit types on the span's last day. */
async function byUnitType(
  services: Services,
  asked: ReportQuery,
  read: { live: readonly DayInProgress[]; places: readonly { last: { day: IsoDate } | null }[] },
): Promise<ReportTable[]> {
  const [place] = asked.places
  const last = read.places[0]?.last
  if (asked.places.length !== 1 || !place || !last) return []
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
        const own = units.get(unit_type_id) ?? []
        const rented = own.filter(({ use }) => use === 'rented').length
        if (own.length === 0) return []
        return [
          {
            type: `${length}×${breadth} ${category_name}`,
            units: own.length,
            rented,
            share: shareOf(rented, own.length),
            rent: own.reduce((sum, { lease }) => sum + (lease?.rent ?? 0), 0),
            street: own.reduce((sum, { street }) => sum + street, 0),
          },
        ]
      }),
      empty: 'There are no units.',
    },
  ]
}
