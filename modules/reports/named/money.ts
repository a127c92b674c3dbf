/** Reports of money: what was owed, charged, taxed and received. */
import type { Cents } from '../../../domain/money.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { type Asked, type Figure, flowOf, type Live, missingDays, type Read, readFigures, stateOf } from '../figures.ts'
import type { ReportRow, ReportView } from '../rules/report-view.ts'
import { byDay, figureTable, type SumColumn } from './build.ts'
import { cardsAndDrawers, ratesOf } from './money-parts.ts'

const flows = [
  'rent_charged',
  'discounts_given',
  'insurance_charged',
  'fees_charged',
  'tax_charged',
  'payments',
  'refunds',
  'reversals',
  'credits_given',
] as const
type Flow = (typeof flows)[number]
const rolled = [...flows, 'balances'] as const
type Rolled = (typeof rolled)[number]

const charges = ['rent_charged', 'discounts_given', 'insurance_charged', 'fees_charged', 'tax_charged'] as const
const sumOf = <K extends string>(sums: Record<K, number>, keys: readonly K[]) =>
  keys.reduce((all, key) => all + sums[key], 0)

const linesTable = (title: string, lines: readonly [string, Cents][]): ReportView['tables'][number] => ({
  title,
  columns: [
    { key: 'what', label: 'What', as: 'text' },
    { key: 'cents', label: 'Amount', as: 'cents' },
  ],
  rows: lines.map(([what, cents]) => ({ what, cents })),
  empty: '',
})

/** What was owed before the first known day of the span. */
const openingOf = ({ ends: { first } }: Read<Rolled>): Cents => first.balances - sumOf(first, flows)

export async function receivables(services: Services, asked: Asked): Promise<ReportView> {
  const read = await readFigures(services, asked, rolled, { missed: true })
  const flow = (one: Flow) => flowOf(read, one)
  const [opening, closing] = [openingOf(read), stateOf(read, 'balances')]
  const lines: [string, Cents][] = [
    ['Owed at the beginning', opening],
    ['Rent', flow('rent_charged')],
    ['Discounts', flow('discounts_given')],
    ['Insurance', flow('insurance_charged')],
    ['Fees', flow('fees_charged')],
    ['Tax', flow('tax_charged')],
    ['Payments', flow('payments')],
    ['Refunds', flow('refunds')],
    ['Payments taken back', flow('reversals')],
    ['Credits', flow('credits_given')],
    ['Owed at the end', closing],
  ]
  const columns: SumColumn<Rolled>[] = [
    { key: 'charges', label: 'Charges', as: 'cents', cell: (_, one) => sumOf(one, charges) },
    { key: 'payments', label: 'Payments', as: 'cents', cell: (_, one) => one.payments },
    {
      key: 'back',
      label: 'Refunds and returns',
      as: 'cents',
      wide: true,
      cell: (_, one) => one.refunds + one.reversals,
    },
    { key: 'credits', label: 'Credits', as: 'cents', wide: true, cell: (_, one) => one.credits_given },
    { key: 'owed', label: 'Owed', as: 'cents', cell: (state) => state.balances },
  ]
  const totals: ReportRow = {
    charges: charges.reduce((sum, one) => sum + flow(one), 0),
    payments: flow('payments'),
    back: flow('refunds') + flow('reversals'),
    credits: flow('credits_given'),
    owed: closing,
  }
  return {
    figures: [
      { label: 'Owed at the end', value: closing, as: 'cents' },
      { label: 'Owed at the beginning', value: opening, as: 'cents' },
      { label: 'Charged', value: totals.charges as number, as: 'cents' },
      { label: 'Paid', value: 0 - flow('payments'), as: 'cents' },
    ],
    check: {
      says: 'What was owed at the beginning and all that was posted since come to the balances of the leases',
      difference: opening + flows.reduce((sum, one) => sum + flow(one), 0) - closing,
    },
    chart: {
      label: 'Owed by day',
      as: 'cents',
      days: read.days.map(({ day }) => day),
      lines: [{ label: 'Owed', values: read.days.map(({ sums }) => sums.balances) }],
    },
    tables: [linesTable('The roll', lines), figureTable(asked, read, columns, totals)],
    notes: missingDays(asked, read),
  }
}

const earned = [...flows.slice(0, 4), 'concessions', 'bad_debt', 'unearned'] as const

export async function revenue(services: Services, asked: Asked): Promise<ReportView> {
  const read = await readFigures(services, asked, earned as readonly Figure[])
  const flow = (one: Figure) => flowOf(read, one)
  const gross = (of: (one: Figure) => number) =>
    of('rent_charged') + of('discounts_given') + of('insurance_charged') + of('fees_charged')
  const net = gross(flow) + flow('concessions') + flow('bad_debt')
  const lines: [string, Cents][] = [
    ['Rent', flow('rent_charged')],
    ['Discounts', flow('discounts_given')],
    ['Insurance', flow('insurance_charged')],
    ['Fees', flow('fees_charged')],
    ['Revenue', gross(flow)],
    ['Concessions', flow('concessions')],
    ['Bad debt', flow('bad_debt')],
    ['Revenue after both', net],
    ['Of it unearned at the end', stateOf(read, 'unearned')],
  ]
  const columns: SumColumn<Figure>[] = [
    { key: 'rent', label: 'Rent', as: 'cents', cell: (_, one) => one.rent_charged + one.discounts_given },
    { key: 'insurance', label: 'Insurance', as: 'cents', wide: true, cell: (_, one) => one.insurance_charged },
    { key: 'fees', label: 'Fees', as: 'cents', wide: true, cell: (_, one) => one.fees_charged },
    { key: 'revenue', label: 'Revenue', as: 'cents', cell: (_, one) => gross((figure) => one[figure]) },
    { key: 'forgiven', label: 'Forgiven', as: 'cents', cell: (_, one) => one.concessions + one.bad_debt },
  ]
  return {
    figures: [
      { label: 'Revenue', value: gross(flow), as: 'cents', beside: 'as charged, net of what was waived' },
      { label: 'Concessions', value: flow('concessions'), as: 'cents' },
      { label: 'Bad debt', value: flow('bad_debt'), as: 'cents' },
      {
        label: 'Unearned at the end',
        value: stateOf(read, 'unearned'),
        as: 'cents',
        beside: 'charged for days to come',
      },
    ],
    chart: {
      label: 'Revenue by day',
      as: 'cents',
      days: read.days.map(({ day }) => day),
      lines: [{ label: 'Revenue', values: byDay(read, (one) => gross((figure) => one[figure])) }],
    },
    tables: [
      linesTable('Accrual', lines),
      figureTable(asked, read, columns, {
        rent: flow('rent_charged') + flow('discounts_given'),
        insurance: flow('insurance_charged'),
        fees: flow('fees_charged'),
        revenue: gross(flow),
        forgiven: flow('concessions') + flow('bad_debt'),
      }),
    ],
    notes: missingDays(asked, read),
  }
}

const taxed = ['rent', 'insurance', 'fee'] as const
const taxFigures = [
  'rent_tax',
  'insurance_tax',
  'fee_tax',
  'credit_tax',
  'tax_charged',
  'rent_base',
  'insurance_base',
  'fee_base',
  'exempt',
] as readonly Figure[]
const taxedNames = { rent: 'Rent after discount', insurance: 'Insurance', fee: 'Fees' } as const

export async function tax(services: Services, asked: Asked): Promise<ReportView> {
  const read = await readFigures(services, asked, taxFigures)
  const flow = (one: Figure) => flowOf(read, one)
  const rates = await taxByRate(services, asked, read)
  const base = taxed.reduce((sum, of) => sum + flow(`${of}_base`), 0)
  const columns: SumColumn<Figure>[] = [
    { key: 'base', label: 'Taxable', as: 'cents', cell: (_, one) => one.rent_base + one.insurance_base + one.fee_base },
    { key: 'exempt', label: 'Exempt', as: 'cents', cell: (_, one) => one.exempt },
    { key: 'tax', label: 'Tax', as: 'cents', cell: (_, one) => one.tax_charged },
  ]
  return {
    figures: [
      { label: 'Tax', value: flow('tax_charged'), as: 'cents', beside: 'net of what was waived and credited' },
      { label: 'Taxable', value: base, as: 'cents' },
      { label: 'Exempt', value: flow('exempt'), as: 'cents', beside: 'charged without tax' },
    ],
    tables: [
      {
        title: 'By rate',
        columns: [
          { key: 'what', label: 'What', as: 'text' },
          { key: 'rate', label: 'Rate', as: 'rate' },
          { key: 'base', label: 'Taxable', as: 'cents' },
          { key: 'tax', label: 'Tax', as: 'cents' },
        ],
        rows: [
          ...rates,
          { what: 'Taken back with credits', rate: null, base: null, tax: flow('credit_tax') },
          { what: 'Exempt', rate: null, base: flow('exempt'), tax: 0 },
        ],
        totals: { what: 'Together', rate: null, base: base + flow('exempt'), tax: flow('tax_charged') },
        empty: '',
      },
      figureTable(asked, read, columns, { base, exempt: flow('exempt'), tax: flow('tax_charged') }),
    ],
    notes: missingDays(asked, read),
  }
}

/** Each rate of each kind that applied in the span, the day's own rate on each day. */
async function taxByRate(services: Services, asked: Asked, { live }: { live: readonly Live[] }): Promise<ReportRow[]> {
  const all = [...(await ratesOf(services, asked)), ...live.map(({ figures }) => figures)]
  return taxed.flatMap((of) =>
    [...Map.groupBy(all, (row) => row[`${of}_rate`])]
      .sort(([a], [b]) => a - b)
      .map(([rate, own]) => ({
        what: taxedNames[of],
        rate,
        base: own.reduce((sum, row) => sum + row[`${of}_base`], 0),
        tax: own.reduce((sum, row) => sum + row[`${of}_tax`], 0),
      }))
      .filter(({ base, tax: cents }) => base !== 0 || cents !== 0),
  )
}

const depositFigures = [
  'received_card',
  'received_bank',
  'received_cash',
  'received_check',
  'received_money_order',
  'received_other',
  'money_returned',
  'money_refunded',
  'payments',
] as readonly Figure[]

export async function deposits(services: Services, asked: Asked): Promise<ReportView> {
  const read = await readFigures(services, asked, depositFigures)
  const flow = (one: Figure) => flowOf(read, one)
  const counter = (one: (figure: Figure) => number) =>
    one('received_cash') + one('received_check') + one('received_money_order')
  const ways: SumColumn<Figure>[] = [
    { key: 'card', label: 'Card', as: 'cents', cell: (_, one) => one.received_card },
    { key: 'bank', label: 'Bank', as: 'cents', cell: (_, one) => one.received_bank },
    { key: 'cash', label: 'Cash', as: 'cents', wide: true, cell: (_, one) => one.received_cash },
    { key: 'check', label: 'Checks', as: 'cents', wide: true, cell: (_, one) => one.received_check },
    { key: 'order', label: 'Money orders', as: 'cents', wide: true, cell: (_, one) => one.received_money_order },
    { key: 'other', label: 'Brought in', as: 'cents', wide: true, cell: (_, one) => one.received_other },
    { key: 'all', label: 'Received', as: 'cents', cell: (_, one) => 0 - one.payments },
    { key: 'returned', label: 'Returned', as: 'cents', wide: true, cell: (_, one) => 0 - one.money_returned },
    { key: 'refunded', label: 'Refunded', as: 'cents', wide: true, cell: (_, one) => 0 - one.money_refunded },
  ]
  const sums = Object.fromEntries(depositFigures.map((one) => [one, flow(one)])) as Record<Figure, number>
  return {
    figures: [
      { label: 'Received', value: 0 - flow('payments'), as: 'cents' },
      { label: 'By card', value: flow('received_card'), as: 'cents' },
      { label: 'From banks', value: flow('received_bank'), as: 'cents' },
      { label: 'At the counter', value: counter(flow), as: 'cents', beside: 'cash, checks and money orders' },
    ],
    tables: [
      figureTable(asked, read, ways, Object.fromEntries(ways.map(({ key, cell }) => [key, cell(sums, sums)]))),
      ...(await cardsAndDrawers(services, asked, read)),
    ],
    notes: [
      'Refunds stand on the day the money left, returns on the day it was taken back.',
      ...missingDays(asked, read),
    ],
  }
}
