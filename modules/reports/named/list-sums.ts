/** Of several facilities what a list comes to in each, from what is kept; the list itself is a click away. */

import type { Services } from '../../../platform/operations/services.ts'
import { type Asked, flowOf, missingDays, readFigures, type Sums, stateOf } from '../figures.ts'
import { ageLabels } from '../rules/aging.ts'
import type { ReportView } from '../rules/report-view.ts'
import { figureTable, type SumColumn } from './build.ts'
import { agingAgrees } from './list-heads.ts'
import type { ListName } from './listed.ts'

const flows = ['move_ins', 'move_outs'] as const
const figures = [
  'units',
  'units_rented',
  'rent',
  'street',
  'balances',
  'leases_owing',
  'leases_overlocked',
  'owed_30',
  'owed_60',
  'owed_90',
  'owed_91',
  'credits',
  'closed_owed',
  'closed_credits',
  ...flows,
] as const
type Standing = (typeof figures)[number]

const owed = (one: Sums<Standing>) => one.owed_30 + one.owed_60 + one.owed_90 + one.owed_91

const sumColumns: Record<ListName, SumColumn<Standing>[]> = {
  'rent-roll': [
    { key: 'units', label: 'Units', as: 'count', cell: (one) => one.units },
    { key: 'rented', label: 'Rented', as: 'count', cell: (one) => one.units_rented },
    { key: 'rent', label: 'Rent', as: 'cents', cell: (one) => one.rent },
    { key: 'street', label: 'Street rates', as: 'cents', wide: true, cell: (one) => one.street },
    {
      key: 'balance',
      label: 'Balances of open leases',
      as: 'cents',
      wide: true,
      cell: (one) => one.balances - one.closed_owed + one.closed_credits,
    },
  ],
  'rate-variance': [
    { key: 'rented', label: 'Rented', as: 'count', cell: (one) => one.units_rented },
    { key: 'rent', label: 'Rent', as: 'cents', cell: (one) => one.rent },
    { key: 'street', label: 'Street rates of all units', as: 'cents', cell: (one) => one.street },
  ],
  aging: [
    ...ageLabels.map(
      (label, at): SumColumn<Standing> => ({
        key: `age${at}`,
        label,
        as: 'cents',
        ...(at > 0 && { wide: true }),
        cell: (one) => [one.owed_30, one.owed_60, one.owed_90, one.owed_91][at] ?? 0,
      }),
    ),
    { key: 'credit', label: 'Credits', as: 'cents', wide: true, cell: (one) => one.credits },
    {
      key: 'closed',
      label: 'Closed leases',
      as: 'cents',
      wide: true,
      cell: (one) => one.closed_owed - one.closed_credits,
    },
    { key: 'balance', label: 'Balances', as: 'cents', cell: (one) => one.balances },
  ],
  'past-due': [
    { key: 'leases', label: 'Leases', as: 'count', cell: (one) => one.leases_owing },
    { key: 'locked', label: 'Overlocked', as: 'count', wide: true, cell: (one) => one.leases_overlocked },
    { key: 'balance', label: 'Owed', as: 'cents', cell: owed },
  ],
  'walk-sheet': [
    { key: 'units', label: 'Units', as: 'count', cell: (one) => one.units },
    { key: 'locked', label: 'Overlocked', as: 'count', cell: (one) => one.leases_overlocked },
  ],
  moves: [
    { key: 'in', label: 'Moved in', as: 'count', cell: (_, flow) => flow.move_ins },
    { key: 'out', label: 'Moved out', as: 'count', cell: (_, flow) => flow.move_outs },
  ],
}

export async function listSums(services: Services, name: ListName, asked: Asked): Promise<ReportView> {
  const read = await readFigures(services, asked, figures)
  const at = Object.fromEntries(figures.map((one) => [one, stateOf(read, one)])) as Sums<Standing>
  for (const one of flows) at[one] = flowOf(read, one)
  const columns = sumColumns[name]
  return {
    figures: [],
    ...(name === 'aging' && {
      check: {
        says: agingAgrees,
        difference: owed(at) - at.credits + at.closed_owed - at.closed_credits - at.balances,
      },
    }),
    tables: [
      figureTable(asked, read, columns, Object.fromEntries(columns.map(({ key, cell }) => [key, cell(at, at)]))),
    ],
    notes: missingDays(asked, read),
  }
}
