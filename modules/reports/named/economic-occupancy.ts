import { chartByDay, figureReport } from '../internal/build-report-of-daily-figures.ts'
import { shareOf } from '../rules/report-format.ts'

export const economicOccupancy = figureReport({
  title: 'Economic occupancy',
  about: 'Rents of open leases against the street rates of all units, for 30 days.',
  period: 'span',
  group: 'Units and rents',
  reads: ['rent', 'street', 'leases', 'units'],
  columns: [
    { key: 'leases', label: 'Open leases', as: 'count', wide: true, cell: (state) => state.leases },
    { key: 'rent', label: 'Rent', as: 'cents', cell: (state) => state.rent },
    { key: 'street', label: 'Street rates', as: 'cents', cell: (state) => state.street },
    { key: 'share', label: 'Economic', as: 'share', cell: (state) => shareOf(state.rent, state.street) },
  ],
  totals: 'of several',
  buildParts: ({ read, state: closing }) => ({
    figures: [
      { label: 'Economic occupancy', value: shareOf(closing.rent, closing.street), as: 'share' },
      { label: 'Rent of open leases', value: closing.rent, as: 'cents', explanation: 'for 30 days' },
      { label: 'Street rates of all units', value: closing.street, as: 'cents', explanation: 'for 30 days' },
    ],
    chart: {
      label: 'Economic occupancy by day',
      as: 'share',
      lines: [{ label: 'Economic', values: chartByDay(read, (sums) => shareOf(sums.rent, sums.street)) }],
    },
    notes: ['Discounts are given on the first period alone: no open lease has a recurring one.'],
  }),
})
