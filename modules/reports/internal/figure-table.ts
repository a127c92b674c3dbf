/** Builds tables of figures by facility or, of one facility, by day, and tables of labeled amounts. */
import type { Cents } from '../../../domain/money.ts'
import type { ReportCell, ReportColumn, ReportRow, ReportTable } from '../rules/report-format.ts'
import type { Figure, FigureData, ReportQuery, Sums } from './read-snapshot-figures.ts'

/** Report column whose cells are computed from the sums of a day or a facility. */
export interface SumColumn<F extends Figure> extends ReportColumn {
  /** Computes the cell from the states at the end of the day or span and the flows within it. */
  cell: (state: Sums<F>, flow: Sums<F>) => ReportCell
}

/**
 * Builds a table by facility or, of a single facility, by day, newest first. Leaves out unknown days, and facilities
 * without a known day.
 */
export function figureTable<F extends Figure>(
  { places, from, to }: Pick<ReportQuery, 'places' | 'from' | 'to'>,
  read: FigureData<F>,
  columns: readonly SumColumn<F>[],
  totals?: ReportRow,
): ReportTable {
  const cells = (state: Sums<F>, flow: Sums<F>): ReportRow =>
    Object.fromEntries(columns.map(({ key, cell }) => [key, cell(state, flow)]))
  const plainColumns = columns.map(({ cell: _, ...column }) => column)
  const empty = 'Nothing is kept of these days.'
  if (places.length === 1)
    return {
      title: 'By day',
      columns: [{ key: 'day', label: 'Day', as: 'day' }, ...plainColumns],
      rows: read.days.toReversed().map(({ day, sums }) => ({ day, ...cells(sums, sums) })),
      ...(totals && { totals: { day: 'Together', ...totals } }),
      empty,
    }
  return {
    title: 'By facility',
    columns: [
      { key: 'code', label: 'Facility', as: 'text' },
      { key: 'name', label: 'Name', as: 'text', wide: true },
      ...plainColumns,
    ],
    rows: read.places.map(({ place, last, flows }) => ({
      code: place.code,
      name: place.name,
      ...cells(last.sums, flows),
    })),
    links: read.places.map(({ place }) => `?${new URLSearchParams({ at: place.code, from, to })}`),
    all: read.ends.known,
    ...(totals && { totals: { code: 'Together', name: '', ...totals } }),
    empty,
  }
}

/** Builds a report table with a label and an amount in each row. */
export const linesTable = (title: string, lines: readonly [string, Cents][]): ReportTable => ({
  title,
  columns: [
    { key: 'what', label: 'What', as: 'text' },
    { key: 'cents', label: 'Amount', as: 'cents' },
  ],
  rows: lines.map(([what, cents]) => ({ what, cents })),
  empty: '',
})
