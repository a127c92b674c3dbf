import { chartByDay, figureReport } from '../internal/figure-report.ts'
import { shareOf } from '../rules/report-format.ts'

export const economicOccupancy = figureReport({
  title: 'Economic occupancy',
  about: 'Rents of open leases against the street rates of all units, for 30 days.',
  of: 'span',
  group: 'Units and rents',
  reads: ['rent', 'street', 'leases', 'units'],
  columns: [
    { key: 'leases', label: 'Open leases', as: 'count', wide: true, cell: (one) => one.leases },
    { key: 'rent', label: 'Rent', as: 'cents', cell: (one) => one.rent },
    { key: 'street', label: 'Street rates', as: 'cents', cell: (one) => one.street },
    { key: 'share', label: 'Economic', as: 'share', cell: (one) => shareOf(one.rent, one.street) },
  ],
  totals: 'of several',
  tell: ({ read, state: at }) => ({
    figures: [
      { label: 'Economic occupancy', value: shareOf(at.rent, at.street), as: 'share' },
      { label: 'Rent of open leases', value: at.rent, as: 'cents', beside: 'for 30 days' },
      { label: 'Street rates of all units', value: at.street, as: 'cents', beside: 'for 30 days' },
    ],
    chart: {
      label: 'Economic occupancy by day',
      as: 'share',
      lines: [{ label: 'Economic', values: chartByDay(read, (one) => shareOf(one.rent, one.street)) }],
    },
    notes: ['Discounts are given on the first period alone: no open lease has a recurring one.'],
  }),
})
