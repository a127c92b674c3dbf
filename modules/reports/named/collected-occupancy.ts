import { figureReport } from '../internal/build-report-of-daily-figures.ts'
import { shareOf } from '../rules/report-format.ts'

/** Returns the rent that all units could have brought, in cents, from the sum of each day's 30-day street rates. */
const potentialRent = (street: number) => Math.round(street / 30)

export const collectedOccupancy = figureReport({
  title: 'Collected occupancy',
  about: 'Money that paid for rent against the rent that all units could have brought.',
  period: 'span',
  group: 'Units and rents',
  reads: ['rent_collected', 'street', 'payments'],
  columns: [
    // `0 -` instead of a minus sign, which would turn 0 into −0.
    { key: 'paid', label: 'Received', as: 'cents', wide: true, cell: (_, flow) => 0 - flow.payments },
    { key: 'rent', label: 'Paid for rent', as: 'cents', cell: (_, flow) => flow.rent_collected },
    { key: 'could', label: 'Potential rent', as: 'cents', cell: (_, flow) => potentialRent(flow.street) },
    {
      key: 'share',
      label: 'Collected',
      as: 'share',
      cell: (_, flow) => shareOf(flow.rent_collected, potentialRent(flow.street)),
    },
  ],
  totals: 'always',
  buildParts({ flow }) {
    const rent = flow.rent_collected
    const could = potentialRent(flow.street)
    return {
      figures: [
        { label: 'Collected occupancy', value: shareOf(rent, could), as: 'share' },
        { label: 'Paid for rent', value: rent, as: 'cents', explanation: 'the oldest charge first' },
        { label: 'Potential rent', value: could, as: 'cents', explanation: 'street rates of all units, by day' },
      ],
    }
  },
})
