/** What stands above a facility's list: its sums, and what must be the same. */

import { ageLabels } from '../rules/aging.ts'
import type { ReportFigure, ReportRow, ReportView } from '../rules/report-view.ts'
import type { ListName } from './listed.ts'
import { type Listed, sumOfColumn } from './lists.ts'

export const agingAgrees = 'What is owed by age, less credits, comes to the balances of the leases'

type Head = Pick<ReportView, 'figures' | 'check'>

const count = (rows: readonly Listed[], is: (row: ReportRow) => boolean) => rows.filter(({ row }) => is(row)).length
const cents = (rows: readonly Listed[], label: string, key: string, beside?: string): ReportFigure => ({
  label,
  value: sumOfColumn(rows, key),
  as: 'cents',
  ...(beside && { beside }),
})

function aged(rows: readonly Listed[]): Head {
  const ages = ageLabels.map((label, at) => ({ label, value: sumOfColumn(rows, `age${at}`), as: 'cents' as const }))
  const owed = ages.reduce((sum, { value }) => sum + value, 0)
  return {
    figures: [...ages, cents(rows, 'Credits', 'credit')],
    check: { says: agingAgrees, difference: owed - sumOfColumn(rows, 'credit') - sumOfColumn(rows, 'balance') },
  }
}

function varied(rows: readonly Listed[]): Head {
  const side = (label: string, is: (cents: number) => boolean): ReportFigure => {
    const own = rows.filter(({ row }) => is(Number(row.variance)))
    return cents(own, label, 'variance', `${own.length} ${own.length === 1 ? 'lease' : 'leases'}`)
  }
  return { figures: [side('Above street', (one) => one > 0), side('Below street', (one) => one < 0)] }
}

const heads: Partial<Record<ListName, (rows: readonly Listed[]) => Head>> = {
  aging: aged,
  'rate-variance': varied,
  'rent-roll': (rows) => ({
    figures: [
      { label: 'Units', value: rows.length, as: 'count', beside: `${count(rows, ({ lease }) => lease !== '')} rented` },
      cents(rows, 'Rent', 'rent', 'for 30 days'),
      cents(rows, 'Street rates', 'street'),
      cents(rows, 'Balances', 'balance', 'of open leases'),
    ],
  }),
  'past-due': (rows) => ({
    figures: [{ label: 'Leases', value: rows.length, as: 'count' }, cents(rows, 'Owed', 'balance')],
  }),
  moves: (rows) => ({
    figures: [
      { label: 'Moved in', value: count(rows, ({ what }) => what === 'In'), as: 'count' },
      { label: 'Moved out', value: count(rows, ({ what }) => what === 'Out'), as: 'count' },
    ],
  }),
}

export const headOf = (name: ListName, rows: readonly Listed[]): Head => heads[name]?.(rows) ?? { figures: [] }
