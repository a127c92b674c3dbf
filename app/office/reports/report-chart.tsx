import { formatShort } from '../../../domain/plain-date.ts'
import { cellText, type ReportChart } from '../../../modules/reports/rules/report-format.ts'

// Size of the chart and widths of its margins, in units of the SVG's view box.
const WIDTH = 720
const HEIGHT = 190
const LEFT = 62
const BOTTOM = 24
const TOP = 10

/**
 * Returns the values at bottom and top of a chart's axis. Shares are rounded outward to steps of 0.05, with space around
 * the lines unless 0 limits the axis, or 1 where no share exceeds it. Cents are rounded outward and include 0.
 * @returns null when the chart has no values
 */
function rangeOf({ as, lines }: ReportChart): [number, number] | null {
  const values = lines.flatMap((line) => line.values.filter((value) => value !== null))
  if (values.length === 0) return null
  const low = Math.min(...values)
  const high = Math.max(...values)
  if (as === 'share') {
    const from = Math.max(Math.floor(low * 20 - 1) / 20, 0)
    const above = Math.ceil(high * 20 + 0.5) / 20
    const to = high <= 1 ? Math.min(above, 1) : above
    return [from, to > from ? to : from + 0.05]
  }
  const step = 10 ** Math.max(Math.floor(Math.log10(Math.max(Math.abs(low), Math.abs(high), 100))), 2) / 2
  const from = Math.min(Math.floor(low / step) * step, 0)
  const to = Math.max(Math.ceil(high / step) * step, 0)
  return [from, to > from ? to : from + step]
}

const axisText = (value: number, as: ReportChart['as']) =>
  as === 'share' ? `${Math.round(value * 100)}%` : cellText(Math.round(value / 100) * 100, 'cents').replace(/\.00$/, '')

/** Line chart of a report by day; nothing when it has fewer than two days or no values. */
export function Chart({ chart }: { chart: ReportChart }) {
  const range = rangeOf(chart)
  if (!range || chart.days.length < 2) return null
  const [from, to] = range
  const x = (dayIndex: number) => LEFT + (dayIndex * (WIDTH - LEFT - 8)) / (chart.days.length - 1)
  const y = (value: number) => TOP + ((to - value) * (HEIGHT - TOP - BOTTOM)) / (to - from)
  const ticks = [from, (from + to) / 2, to]
  const last = chart.days.length - 1
  const marks = [...new Set([0, Math.round(last / 2), last])].map((at) => ({ at, day: chart.days[at] ?? '' }))
  return (
    <figure className="report-chart mt-5 max-w-[56rem] print:break-inside-avoid">
      <figcaption className="flex flex-wrap gap-x-5 gap-y-1">
        <strong>{chart.label}</strong>
        <ul className="flex flex-wrap gap-x-5 gap-y-1">
          {chart.lines.map(({ label }, index) => (
            <li key={label} data-line={index} className="flex items-center gap-[0.4rem]">
              <svg viewBox="0 0 24 8" className="h-2 w-6" aria-hidden="true">
                <path d="M0 4H24" />
              </svg>
              {label}
            </li>
          ))}
        </ul>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        className="h-auto w-full overflow-visible"
        role="img"
        aria-label={`${chart.label}. ${describeChart(chart)}`}
      >
        {ticks.map((tick) => (
          <g key={tick}>
            <path d={`M${LEFT} ${y(tick).toFixed(1)}H${WIDTH - 8}`} />
            <text x={LEFT - 8} y={y(tick) + 4} textAnchor="end">
              {axisText(tick, chart.as)}
            </text>
          </g>
        ))}
        {marks.map(({ at, day }) => (
          <text key={at} x={x(at)} y={HEIGHT - 6} textAnchor={at === 0 ? 'start' : at === last ? 'end' : 'middle'}>
            {formatShort(day)}
          </text>
        ))}
        {chart.lines.map(({ label, values }, index) => (
          <path key={label} data-line={index} d={pathOf(values, x, y)} />
        ))}
      </svg>
    </figure>
  )
}

/** Half of the width of a known day between unknown ones, in units of the SVG's view box. */
const LONE_DAY = 2

/** Returns an SVG path with gaps at unknown days. A known day between unknown ones is a short line. */
function pathOf(
  values: readonly (number | null)[],
  x: (dayIndex: number) => number,
  y: (value: number) => number,
): string {
  return values
    .map((value, index) => {
      if (value === null) return ''
      const isFirst = (values[index - 1] ?? null) === null
      if (isFirst && (values[index + 1] ?? null) === null)
        return `M${(x(index) - LONE_DAY).toFixed(1)} ${y(value).toFixed(1)}h${2 * LONE_DAY}`
      return `${isFirst ? 'M' : 'L'}${x(index).toFixed(1)} ${y(value).toFixed(1)}`
    })
    .join('')
}

/** Describes a chart in words: 'By unit from 85.0% to 87.5%.' */
const describeChart = ({ lines, as }: ReportChart): string =>
  lines
    .map(({ label, values }) => {
      const knownValues = values.filter((value) => value !== null)
      return `${label} from ${cellText(knownValues[0] ?? null, as)} to ${cellText(knownValues.at(-1) ?? null, as)}.`
    })
    .join(' ')
