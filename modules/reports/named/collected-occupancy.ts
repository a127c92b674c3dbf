import { figureReport } from '../internal/figure-report.ts'
import { shareOf } from '../rules/report-format.ts'

/** Returns a day's share of a 30-day rate. */
const potential = (street: number) => Math.round(street / 30)

export const collectedOccupancy = figureReport({
  title: 'Collected occupancy',
  about: 'Money that paid for rent against the rent that all units could have brought.',
  of: 'span',
  group: 'Units and rents',
  reads: ['rent_collected', 'street', 'payments'],
  columns: [
    { key: 'paid', label: 'Received', as: 'cents', wide: true, cell: (_, flow) => 0 - flow.payments },
    { key: 'rent', label: 'Paid for rent', as: 'cents', cell: (_, flow) => flow.rent_collected },
    { key: 'could', label: 'Potential rent', as: 'cents', cell: (_, flow) => potential(flow.street) },
    {
      key: 'share',
      label: 'Collected',
      as: 'share',
      cell: (_, flow) => shareOf(flow.rent_collected, potential(flow.street)),
    },
  ],
  totals: 'always',
  tell({ flow }) {
    const rent = flow.rent_collected
    const could = potential(flow.street)
    return {
      figures: [
        { label: 'Collected occupancy', value: shareOf(rent, could), as: 'share' },
        { label: 'Paid for rent', value: rent, as: 'cents', beside: 'the oldest charge first' },
        { label: 'Potential rent', value: could, as: 'cents', beside: 'street rates of all units, by day' },
      ],
    }
  },
})
