/** Occupancy: physical, economic, and by the money that came. */

import type { Services } from '../../../platform/operations/services.ts'
import { type Asked, type Figure, flowOf, missingDays, type Read, readFigures, type Sums, stateOf } from '../figures.ts'
import { type ReportView, shareOf } from '../rules/report-view.ts'
import { byDay, figureTable, type SumColumn } from './build.ts'
import { byUnitType } from './unit-types.ts'

const physical = ['units', 'units_rented', 'units_held', 'units_off', 'area', 'area_rented'] as const
type Physical = (typeof physical)[number]

const physicalColumns: SumColumn<Physical>[] = [
  { key: 'units', label: 'Units', as: 'count', cell: (one) => one.units },
  { key: 'rented', label: 'Rented', as: 'count', cell: (one) => one.units_rented },
  { key: 'share', label: 'By unit', as: 'share', cell: (one) => shareOf(one.units_rented, one.units) },
  { key: 'area', label: 'By area', as: 'share', cell: (one) => shareOf(one.area_rented, one.area) },
  { key: 'held', label: 'Held', as: 'count', wide: true, cell: (one) => one.units_held },
  { key: 'off', label: 'Out of service', as: 'count', wide: true, cell: (one) => one.units_off },
]

/** Sums of how things stood, over the facilities. */
const standing = <F extends Figure>(read: Read<F>, figures: readonly F[]): Sums<F> =>
  Object.fromEntries(figures.map((one) => [one, stateOf(read, one)])) as Sums<F>

const totalsOf = <F extends Figure>(columns: readonly SumColumn<F>[], sums: Sums<F>) =>
  Object.fromEntries(columns.map(({ key, cell }) => [key, cell(sums, sums)]))

export async function occupancy(services: Services, asked: Asked): Promise<ReportView> {
  const read = await readFigures(services, asked, physical)
  const at = standing(read, physical)
  const [byUnit, byArea] = [shareOf(at.units_rented, at.units), shareOf(at.area_rented, at.area)]
  const several = asked.places.length > 1
  return {
    figures: [
      { label: 'By unit', value: byUnit, as: 'share', beside: `${at.units_rented} of ${at.units} units` },
      { label: 'By area', value: byArea, as: 'share', beside: 'of the square feet' },
      { label: 'Held', value: at.units_held, as: 'count', beside: 'by reservations, not rented' },
      { label: 'Out of service', value: at.units_off, as: 'count', beside: 'counted as not rented' },
    ],
    chart: {
      label: 'Occupancy by day',
      as: 'share',
      days: read.days.map(({ day }) => day),
      lines: [
        { label: 'By unit', values: byDay(read, (one) => shareOf(one.units_rented, one.units)) },
        { label: 'By area', values: byDay(read, (one) => shareOf(one.area_rented, one.area)) },
      ],
    },
    tables: [
      figureTable(asked, read, physicalColumns, several ? totalsOf(physicalColumns, at) : undefined),
      ...(await byUnitType(services, asked, read)),
    ],
    notes: missingDays(asked, read),
  }
}

const economic = ['rent', 'street', 'leases', 'units'] as const
const economicColumns: SumColumn<(typeof economic)[number]>[] = [
  { key: 'leases', label: 'Open leases', as: 'count', wide: true, cell: (one) => one.leases },
  { key: 'rent', label: 'Rent', as: 'cents', cell: (one) => one.rent },
  { key: 'street', label: 'Street rates', as: 'cents', cell: (one) => one.street },
  { key: 'share', label: 'Economic', as: 'share', cell: (one) => shareOf(one.rent, one.street) },
]

export async function economicOccupancy(services: Services, asked: Asked): Promise<ReportView> {
  const read = await readFigures(services, asked, economic)
  const at = standing(read, economic)
  return {
    figures: [
      { label: 'Economic occupancy', value: shareOf(at.rent, at.street), as: 'share' },
      { label: 'Rent of open leases', value: at.rent, as: 'cents', beside: 'for 30 days' },
      { label: 'Street rates of all units', value: at.street, as: 'cents', beside: 'for 30 days' },
    ],
    chart: {
      label: 'Economic occupancy by day',
      as: 'share',
      days: read.days.map(({ day }) => day),
      lines: [{ label: 'Economic', values: byDay(read, (one) => shareOf(one.rent, one.street)) }],
    },
    tables: [
      figureTable(asked, read, economicColumns, asked.places.length > 1 ? totalsOf(economicColumns, at) : undefined),
    ],
    notes: [
      'Discounts are given on the first period alone: no open lease has a recurring one.',
      ...missingDays(asked, read),
    ],
  }
}

const collected = ['rent_collected', 'street', 'payments'] as const
/** Of a rate for 30 days. */
const potential = (street: number) => Math.round(street / 30)

export async function collectedOccupancy(services: Services, asked: Asked): Promise<ReportView> {
  const read = await readFigures(services, asked, collected)
  const [rent, could] = [flowOf(read, 'rent_collected'), potential(flowOf(read, 'street'))]
  const paid = -flowOf(read, 'payments')
  const columns: SumColumn<(typeof collected)[number]>[] = [
    { key: 'paid', label: 'Received', as: 'cents', wide: true, cell: (_, flow) => 0 - flow.payments },
    { key: 'rent', label: 'Paid for rent', as: 'cents', cell: (_, flow) => flow.rent_collected },
    { key: 'could', label: 'Potential rent', as: 'cents', cell: (_, flow) => potential(flow.street) },
    {
      key: 'share',
      label: 'Collected',
      as: 'share',
      cell: (_, flow) => shareOf(flow.rent_collected, potential(flow.street)),
    },
  ]
  return {
    figures: [
      { label: 'Collected occupancy', value: shareOf(rent, could), as: 'share' },
      { label: 'Paid for rent', value: rent, as: 'cents', beside: 'the oldest charge first' },
      { label: 'Potential rent', value: could, as: 'cents', beside: 'street rates of all units, by day' },
    ],
    tables: [figureTable(asked, read, columns, { paid, rent, could, share: shareOf(rent, could) })],
    notes: missingDays(asked, read),
  }
}
