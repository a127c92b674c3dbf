import { data, Form, Link } from 'react-router'
import { format } from '../../../domain/money.ts'
import { addDays, formatUs, type IsoDate } from '../../../domain/plain-date.ts'
import { officeNotFound } from '../../../domain/texts/office-refusals.ts'
import { GetReport } from '../../../modules/reports/operations/get-report.ts'
import {
  cellText,
  type ReportCheck,
  type ReportFigure,
  type ReportRows,
  type ReportView,
} from '../../../modules/reports/rules/report-format.ts'
import { MAX_FACILITIES_TODAY } from '../../../modules/reports/rules/report-limits.ts'
import { onlyDaysOver } from '../../../modules/reports/texts/report-date-errors.ts'
import { errorsOf } from '../../request/refusal-messages-by-field.ts'
import { SubmitButton } from '../../ui/buttons.tsx'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import { DateField } from '../../ui/fields/text.tsx'
import type { FieldErrors } from '../../ui/use-form-checks.ts'
import { OfficePageFrame, Section } from '../office-page-heading-and-sections.tsx'
import { hasPermission } from '../open-office-page.ts'
import type { Route } from './+types/report'
import { openReport } from './open-report.ts'
import { Chart } from './report-chart.tsx'
import { ReportTable } from './report-table.tsx'

export async function loader(args: Route.LoaderArgs) {
  const { page, report: requested, view, input } = await openReport(args, args.params.name)
  const { name, title, about, period } = requested
  const common = {
    brand: page.site.brand.name,
    name,
    title,
    about,
    period,
    at: view.chosen.join(','),
    mayExport: hasPermission(page.staff, 'report.export'),
    typed: { from: page.url.searchParams.get('from') ?? '', to: page.url.searchParams.get('to') ?? '' },
  }
  const outcome = await page.site.call(GetReport, input)
  let errors: FieldErrors = {}
  if (!outcome.ok) {
    if (outcome.status === 404) throw new Response(officeNotFound, { status: 404 })
    errors = errorsOf(outcome)
    return data({ ...common, errors, shown: null }, { status: outcome.status })
  }
  const { view: report, places, from, to, isTodayLeftOut } = outcome.value
  const [place] = places
  const facilitiesText = places.length === 1 && place ? place.name : `${places.length} facilities`
  return data({ ...common, errors, shown: { report, facilitiesText, from, to, isTodayLeftOut } })
}

/** Page of a report: totals, chart and tables. */
export default function Report({ loaderData }: Route.ComponentProps) {
  const { brand, name, title, about, mayExport, shown, errors, at } = loaderData
  const params = new URLSearchParams({ ...(at && { at }), ...(shown && { from: shown.from, to: shown.to }) })
  return (
    <OfficePageFrame
      title={title}
      brand={brand}
      failed={Object.keys(errors).length > 0}
      lead={shown ? `${shown.facilitiesText}, ${daysOf(loaderData.period, shown)}. ${about}` : about}
      actions={
        mayExport &&
        shown && (
          <a
            href={`/office/reports/${name}.csv?${params}`}
            className="btn btn-secondary btn-short"
            data-key="c"
            aria-keyshortcuts="c"
          >
            CSV <span className="office-key">c</span>
          </a>
        )
      }
    >
      <ErrorSummary errors={errors} general={['', 'form']} />
      <Days {...loaderData} />
      {shown?.isTodayLeftOut && (
        <p className="mt-4 max-w-[56rem] border-l-4 border-pine bg-wash px-3 py-[0.4rem]">
          {onlyDaysOver(shown.to, MAX_FACILITIES_TODAY)}
        </p>
      )}
      {shown && <ReportBody report={shown.report} params={params} />}
    </OfficePageFrame>
  )
}

const daysOf = (period: string, { from, to }: { from: IsoDate; to: IsoDate }) =>
  period === 'now' ? 'as it is now' : from === to ? formatUs(to) : `${formatUs(from)} to ${formatUs(to)}`

/** Form and links that choose a report's days. */
function Days({ period, shown, typed, errors, at }: Route.ComponentProps['loaderData']) {
  if (period === 'now') return null
  const to = shown?.to
  const monthPrefix = to?.slice(0, 8)
  const endOfMonthBefore = monthPrefix && addDays(`${monthPrefix}01`, -1)
  const spans: [string, IsoDate, IsoDate][] =
    period === 'span' && to && monthPrefix && endOfMonthBefore
      ? [
          ['30 days', addDays(to, -29), to],
          ['90 days', addDays(to, -89), to],
          ['This month', `${monthPrefix}01`, to],
          ['The month before', `${endOfMonthBefore.slice(0, 8)}01`, endOfMonthBefore],
        ]
      : []
  const link = (from: IsoDate, last: IsoDate) => `?${new URLSearchParams({ ...(at && { at }), from, to: last })}`
  return (
    // The key changes with the days shown, so that the fields show these days.
    <Form className="office-inline office-filter mt-3" key={`${shown?.from} ${shown?.to}`}>
      {at && <input type="hidden" name="at" value={at} />}
      {period === 'span' && (
        <DateField
          name="from"
          label="From"
          hint=""
          optional
          defaultValue={shown ? formatUs(shown.from) : typed.from}
          error={errors.from}
        />
      )}
      <DateField
        name="to"
        label={period === 'span' ? 'To' : 'Day'}
        hint=""
        optional
        defaultValue={shown ? formatUs(shown.to) : typed.to}
        error={errors.to}
      />
      <SubmitButton kind="secondary">Show</SubmitButton>
      <span className="office-switch my-0">
        {spans.map(([label, from, last]) => (
          <a
            key={label}
            href={link(from, last)}
            aria-current={from === shown?.from && last === shown?.to ? 'true' : undefined}
          >
            {label}
          </a>
        ))}
      </span>
    </Form>
  )
}

function ReportBody({ report, params }: { report: ReportView; params: URLSearchParams }) {
  const { figures, check, chart, tables, notes, rows } = report
  return (
    <>
      <Figures figures={figures} />
      {check && <Check check={check} />}
      {chart && <Chart chart={chart} />}
      {tables.map((table) => (
        <Section key={table.title} title={table.title} {...(table.links && { count: table.all ?? table.rows.length })}>
          <ReportTable table={table} />
        </Section>
      ))}
      {rows && <Pages rows={rows} params={params} />}
      {notes.map((note) => (
        <p key={note} className="soft small">
          {note}
        </p>
      ))}
    </>
  )
}

/** Range of rows shown, with links to the previous and the next rows. */
function Pages({ rows: { from, most, all }, params }: { rows: ReportRows; params: URLSearchParams }) {
  const page = (first: number) => `?${new URLSearchParams([...params, ['row', String(first + 1)]])}`
  return (
    <nav className="mt-3 flex flex-wrap gap-x-4 gap-y-1 [&>a]:min-h-6" aria-label="Rows">
      <span className="num">
        {cellText(from + 1, 'count')} to {cellText(Math.min(from + most, all), 'count')} of {cellText(all, 'count')}
      </span>
      {from > 0 && <Link to={page(from - most)}>Previous {most}</Link>}
      {from + most < all && <Link to={page(from + most)}>Next {most}</Link>}
    </nav>
  )
}

function Figures({ figures }: { figures: readonly ReportFigure[] }) {
  if (figures.length === 0) return null
  return (
    <dl className="mt-4 grid max-w-[64rem] grid-cols-[repeat(auto-fit,minmax(min(9rem,100%),1fr))] gap-x-6 gap-y-3">
      {figures.map(({ label, value, as, explanation }) => (
        <div key={label}>
          <dt className="text-(length:--text-small) text-soft">{label}</dt>
          <dd className="num text-[1.375rem]/[1.25] font-semibold">{cellText(value, as) || '–'}</dd>
          {explanation && <dd className="soft small">{explanation}</dd>}
        </div>
      ))}
    </dl>
  )
}

/** Result of comparing two totals that must be equal, in words and not by color alone. */
function Check({ check: { statement, difference } }: { check: ReportCheck }) {
  const agrees = difference === 0
  return (
    <p
      className={`mt-4 max-w-[56rem] border-l-4 bg-wash px-3 py-[0.4rem] ${agrees ? 'border-pine' : 'border-brick'}`}
      role={agrees ? undefined : 'alert'}
    >
      <strong className={agrees ? 'text-pine' : 'text-brick'}>
        {agrees ? 'Agrees' : `Differs by ${format(Math.abs(difference))}`}
      </strong>{' '}
      {statement}
      {agrees ? ' to the cent.' : ', but do not.'}
    </p>
  )
}
