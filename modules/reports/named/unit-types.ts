import type { IsoDate } from '../../../domain/plain-date.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Asked, Live } from '../figures.ts'
import { type ReportTable, shareOf } from '../rules/report-view.ts'
import { keptRoll } from '../snapshots.ts'

/** Of one facility, its unit types as they stood on the span's last day. */
export async function byUnitType(
  services: Services,
  asked: Asked,
  read: { live: readonly Live[]; places: readonly { last: { day: IsoDate } | null }[] },
): Promise<ReportTable[]> {
  const [place] = asked.places
  const last = read.places[0]?.last
  if (asked.places.length !== 1 || !place || !last) return []
  const { db } = services
  const roll = read.live[0]?.roll ?? (await keptRoll(db.read, place.code, last.day))?.roll
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
