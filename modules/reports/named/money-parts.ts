/** What stands beside sums of money: tax by rate, cards by brand, drawers. */
import { sql } from 'kysely'
import { drawerStates } from '../../../domain/office/counter.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { type Asked, type Live, numbers, within } from '../figures.ts'
import type { ReportRow, ReportTable } from '../rules/report-view.ts'

/** Bases and taxes by the rates of the day, over the kept days of a span. */
export async function ratesOf(services: Pick<Services, 'db'>, asked: Asked) {
  const sums = ['rent_base', 'insurance_base', 'fee_base', 'rent_tax', 'insurance_tax', 'fee_tax'] as const
  const rows = await within(services.db.read, asked)
    .select(['d.rent_rate', 'd.insurance_rate', 'd.fee_rate'])
    .select(sums.map((one) => sql<number>`sum(${sql.ref(`d.${one}`)})`.as(one)))
    .groupBy(['d.rent_rate', 'd.insurance_rate', 'd.fee_rate'])
    .execute()
  return rows.map((row) => ({ ...row, ...numbers(row, sums) }))
}

/** Up to this many facility-days are read one by one; above it brands and drawers are looked at by facility. */
const MOST_PLACES = 30

/** Cards by brand and the drawers of these days, where the facilities are few. */
export async function cardsAndDrawers(
  services: Pick<Services, 'db'>,
  asked: Asked,
  read: { live: readonly Live[] },
): Promise<ReportTable[]> {
  if (asked.places.length > MOST_PLACES) return []
  const kept = await within(services.db.read, asked).select('d.cards').where('d.cards', '!=', '[]').execute()
  const brands = new Map<string, { cents: number; count: number }>()
  for (const text of [...kept.map(({ cards }) => cards), ...read.live.map(({ figures }) => figures.cards)])
    for (const [brand, cents, count] of JSON.parse(text) as [string, number, number][]) {
      const one = brands.get(brand) ?? { cents: 0, count: 0 }
      brands.set(brand, { cents: one.cents + cents, count: one.count + count })
    }
  const drawers = await services.db.read
    .selectFrom('cash_batches')
    .select(['batch_id', 'location_code', 'closed_on', 'opened_on', 'state', 'bag_number', 'deposit_cents'])
    .select(['matched_on', 'matched_cents'])
    .where(
      'location_code',
      'in',
      asked.places.map(({ code }) => code),
    )
    .where('opened_on', '<=', asked.to)
    .where((eb) => eb.or([eb('closed_on', 'is', null), eb('closed_on', '>=', asked.from)]))
    .orderBy('opened_on', 'desc')
    .orderBy('batch_id')
    .limit(200)
    .execute()
  return [
    {
      title: 'Cards by brand',
      columns: [
        { key: 'brand', label: 'Brand', as: 'text' },
        { key: 'count', label: 'Payments', as: 'count' },
        { key: 'cents', label: 'Received', as: 'cents' },
      ],
      rows: [...brands]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([brand, one]) => ({ brand: brand || 'Unknown', ...one })),
      empty: 'Nothing came by card.',
    },
    {
      title: 'Drawers of these days',
      columns: [
        { key: 'drawer', label: 'Drawer', as: 'text' },
        { key: 'counted', label: 'Counted', as: 'day' },
        { key: 'bag', label: 'Bag or slip', as: 'text', wide: true },
        { key: 'deposit', label: 'To deposit', as: 'cents' },
        { key: 'bank', label: 'Bank says', as: 'cents' },
        { key: 'on', label: 'At the bank', as: 'day', wide: true },
        { key: 'state', label: 'State', as: 'text' },
      ],
      rows: drawers.map(
        (one): ReportRow => ({
          drawer: `${one.location_code} ${one.batch_id.slice(-4)}`,
          counted: one.closed_on,
          bag: one.bag_number,
          deposit: one.deposit_cents,
          bank: one.matched_cents,
          on: one.matched_on,
          state: drawerStates[one.state],
        }),
      ),
      links: drawers.map(({ batch_id }) => `/office/day-close/${batch_id}`),
      empty: 'No drawer was open.',
    },
  ]
}
