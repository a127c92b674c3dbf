import { isListOf, parseJson } from '../../../domain/parse-json-and-check-shape.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { drawerStates } from '../../cash-drawers/rules/counter-receipt-methods-and-states.ts'
import { figureReport } from '../internal/build-report-of-daily-figures.ts'
import { type DayInProgress, type ReportQuery, snapshotRows } from '../internal/read-snapshot-figures.ts'
import type { ReportRow, ReportTable } from '../rules/report-format.ts'

export const deposits = figureReport({
  title: 'Deposits',
  about: 'Money by the day it came and how, and what left again.',
  period: 'span',
  group: 'Money',
  reads: [
    'received_card',
    'received_bank',
    'received_cash',
    'received_check',
    'received_money_order',
    'received_other',
    'money_returned',
    'money_refunded',
    'payments',
  ],
  missed: true,
  columns: [
    { key: 'card', label: 'Card', as: 'cents', cell: (_, flow) => flow.received_card },
    { key: 'bank', label: 'Bank', as: 'cents', cell: (_, flow) => flow.received_bank },
    { key: 'cash', label: 'Cash', as: 'cents', wide: true, cell: (_, flow) => flow.received_cash },
    { key: 'check', label: 'Checks', as: 'cents', wide: true, cell: (_, flow) => flow.received_check },
    { key: 'order', label: 'Money orders', as: 'cents', wide: true, cell: (_, flow) => flow.received_money_order },
    { key: 'other', label: 'Brought in', as: 'cents', wide: true, cell: (_, flow) => flow.received_other },
    // `0 -` instead of a minus sign, which would turn 0 into −0.
    { key: 'all', label: 'Received', as: 'cents', cell: (_, flow) => 0 - flow.payments },
    { key: 'returned', label: 'Returned', as: 'cents', wide: true, cell: (_, flow) => 0 - flow.money_returned },
    { key: 'refunded', label: 'Refunded', as: 'cents', wide: true, cell: (_, flow) => 0 - flow.money_refunded },
  ],
  totals: 'always',
  buildParts: async ({ services, query, read, flow }) => {
    const { below, notes } = await loadCardsAndDrawers(services, query, read)
    return {
      figures: [
        { label: 'Received', value: 0 - flow.payments, as: 'cents' },
        { label: 'By card', value: flow.received_card, as: 'cents' },
        { label: 'From banks', value: flow.received_bank, as: 'cents' },
        {
          label: 'At the counter',
          value: flow.received_cash + flow.received_check + flow.received_money_order,
          as: 'cents',
          explanation: 'cash, checks and money orders',
        },
      ],
      below,
      notes: ['Refunds stand on the day the money left, returns on the day it was taken back.', ...notes],
    }
  },
})

type CardSum = [brand: string, cents: number, count: number]

const areCardSums = isListOf((sum): sum is CardSum => Array.isArray(sum) && sum.length === 3)

/** Maximum number of facilities for which the deposits report lists card payments by brand and cash drawers. */
const MAX_FACILITIES_WITH_DRAWERS = 30

/** Maximum number of cash drawers that the deposits report lists. */
const MAX_DRAWERS = 200

/**
 * Loads the card payments by brand and the cash drawers of the requested days, as tables of the deposits report.
 * @param read `live`: unfinished days to include
 * @returns the tables, with a note if drawers are left out; for more than `MAX_FACILITIES_WITH_DRAWERS` only a note
 */
async function loadCardsAndDrawers(
  services: Pick<Services, 'db'>,
  query: ReportQuery,
  read: { live: readonly DayInProgress[] },
): Promise<{ below: ReportTable[]; notes: string[] }> {
  if (query.places.length > MAX_FACILITIES_WITH_DRAWERS)
    return {
      below: [],
      notes: [`Cards by brand and drawers are listed for at most ${MAX_FACILITIES_WITH_DRAWERS} facilities.`],
    }
  const snapshots = await snapshotRows(services.db.read, query).select('d.cards').where('d.cards', '!=', '[]').execute()
  const brands = new Map<string, { cents: number; count: number }>()
  for (const text of [...snapshots.map(({ cards }) => cards), ...read.live.map(({ figures }) => figures.cards)])
    for (const [brand, cents, count] of parseJson(text, areCardSums)) {
      const sum = brands.get(brand) ?? { cents: 0, count: 0 }
      brands.set(brand, { cents: sum.cents + cents, count: sum.count + count })
    }
  const rows = await services.db.read
    .selectFrom('cash_batches')
    .select(['batch_id', 'location_code', 'closed_on', 'opened_on', 'state', 'bag_number', 'deposit_cents'])
    .select(['matched_on', 'matched_cents'])
    .where(
      'location_code',
      'in',
      query.places.map(({ code }) => code),
    )
    .where('opened_on', '<=', query.to)
    .where((eb) => eb.or([eb('closed_on', 'is', null), eb('closed_on', '>=', query.from)]))
    .orderBy('opened_on', 'desc')
    .orderBy('batch_id')
    .limit(MAX_DRAWERS + 1)
    .execute()
  const drawers = rows.slice(0, MAX_DRAWERS)
  const below: ReportTable[] = [
    {
      title: 'Cards by brand',
      columns: [
        { key: 'brand', label: 'Brand', as: 'text' },
        { key: 'count', label: 'Payments', as: 'count' },
        { key: 'cents', label: 'Received', as: 'cents' },
      ],
      rows: [...brands]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([brand, sum]) => ({ brand: brand || 'Unknown', ...sum })),
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
        (drawer): ReportRow => ({
          drawer: `${drawer.location_code} ${drawer.batch_id.slice(-4)}`,
          counted: drawer.closed_on,
          bag: drawer.bag_number,
          deposit: drawer.deposit_cents,
          bank: drawer.matched_cents,
          on: drawer.matched_on,
          state: drawerStates[drawer.state],
        }),
      ),
      links: drawers.map(({ batch_id }) => `/office/day-close/${batch_id}`),
      empty: 'No drawer was open.',
    },
  ]
  return { below, notes: rows.length > MAX_DRAWERS ? [`Only the ${MAX_DRAWERS} drawers opened last are listed.`] : [] }
}
