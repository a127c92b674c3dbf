import { useEffect } from 'react'
import { Link, useSearchParams } from 'react-router'
import { formatPhone } from '../../../domain/phone.ts'
import { keysOf } from '../../../domain/typed-keys.ts'
import { MakePromise } from '../../../modules/collections/operations/make-promise.ts'
import { OfferSettlement } from '../../../modules/collections/operations/offer-settlement.ts'
import { RecordCall } from '../../../modules/collections/operations/record-call.ts'
import { OpenLienCase } from '../../../modules/liens/operations/open-lien-case.ts'
import { AddStaffNote } from '../../../modules/tenants/operations/add-staff-note.ts'
import { revalidateOnConflict } from '../../request/submit-or-report-offline.ts'
import { Tag } from '../../ui/card-tag-and-callout.tsx'
import { formatCents } from '../../ui/money.tsx'
import { callHref } from '../../ui/phone-link.tsx'
import { officeAction, readOfficeForm } from '../office-action.ts'
import { OfficePageFrame } from '../office-page-heading-and-sections.tsx'
import { MoreRows, OfficeTable } from '../office-table.tsx'
import { openOfficePage } from '../open-office-page.ts'
import { parseDollarsOrZero } from '../parse-dollars.ts'
import type { Route } from './+types/past-due-leases'
import { RowForm, RowKey } from './past-due-row-form.tsx'
import {
  isRowAct,
  listAddress,
  parsePastDueQuery,
  type RowAct,
  rowActNames,
  rowActs,
} from './past-due-row-operations.ts'
import { type CallingRow, loadPastDuePage, prepareRowForm } from './read-past-due.ts'

export async function loader(args: Route.LoaderArgs) {
  const page = await openOfficePage(args)
  const listQuery = parsePastDueQuery(page.url)
  const { rows, ...list } = await loadPastDuePage(page, listQuery)
  const openRow = page.url.searchParams.get('row')
  const act = page.url.searchParams.get('act')
  const index = rows.findIndex((row) => row.key === openRow)
  return {
    brand: page.site.brand.name,
    ...list,
    rows,
    listQuery,
    openRow,
    form: await prepareRowForm(page, rows[index], isRowAct(act) ? act : null),
    /** Key of the row with which the list continues after the operation; '' without another row. */
    goOn: rows[index + 1]?.key ?? rows[index - 1]?.key ?? '',
  }
}

export async function action(args: Route.ActionArgs) {
  const page = await openOfficePage(args)
  const form = await readOfficeForm(page, args.request)
  const { go_on = '', of: leaseOfRow = '', ...typed } = form.typed
  // The form names its row's facility, tenant and lease: 'ATL01 1001 10002'.
  const [, location_code = '', tenant_id = '', lease_number = ''] =
    /^([\w-]{1,16}) (\d{1,15}) (\d{1,15})$/.exec(leaseOfRow) ?? []
  const rowInput = { location_code, tenant_id, lease_number, ...typed }
  const input = () => rowInput
  const withCents = () => ({ ...rowInput, cents: parseDollarsOrZero(typed.amount) })
  const listQuery = parsePastDueQuery(page.url)
  const back = go_on ? `${listAddress(listQuery, { row: go_on })}#${go_on}` : listAddress(listQuery)
  return officeAction(page, form, {
    called: { operation: RecordCall, input, back },
    promise: { operation: MakePromise, input: withCents, fieldNames: { cents: 'amount' }, back },
    settle: { operation: OfferSettlement, input: withCents, fieldNames: { cents: 'amount' }, back },
    note: { operation: AddStaffNote, input, back },
    case: { operation: OpenLienCase, input, back },
  })
}

export const shouldRevalidate = revalidateOnConflict

const filterNames = { 'to call': 'To call today', all: 'All', promised: 'Promised', broken: 'Broken promise' } as const

/** Page of past-due leases, whose tenants are called one after the other without leaving the list. */
export default function PastDue({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, leases, owed, buckets, done, toCall, rows, next, listQuery, form, goOn, more, openRow } = loaderData
  useFocus(openRow, form?.act ?? null)
  const failed = Object.keys(actionData?.fields ?? {}).length > 0
  return (
    <OfficePageFrame
      title="Past due"
      brand={brand}
      failed={failed}
      actions={<Link to={`/office/liens${listQuery.at ? `?at=${listQuery.at}` : ''}`}>Lien cases</Link>}
    >
      {more && <p className="soft">Of many facilities the first hundred are read. Choose those that you work on.</p>}
      <div className="mt-3 flex flex-wrap items-baseline gap-x-6 gap-y-1 [.office-title+&]:mt-[0.4rem]">
        <p>
          <strong className="num">
            {leases} {leases === 1 ? 'lease' : 'leases'} · {formatCents(owed)}
          </strong>
        </p>
        <ul className="flex flex-wrap gap-x-5 gap-y-1" aria-label="By days past due">
          {buckets.map(({ label, leases: count, owed: sum }) => (
            <li key={label} className="whitespace-nowrap">
              <span className="soft">{label}</span> <span className="num">{count}</span>{' '}
              <span className="soft num">{formatCents(sum)}</span>
            </li>
          ))}
        </ul>
        <p className="min-[48rem]:ml-auto">
          <strong className="num">
            {done} of {done + toCall}
          </strong>{' '}
          done today
        </p>
      </div>
      <nav className="office-filters" aria-label="Show">
        <ul>
          {keysOf(filterNames).map((filter) => (
            <li key={filter}>
              <Link
                to={listAddress({ ...listQuery, filter, after: null })}
                aria-current={filter === listQuery.filter ? 'true' : undefined}
              >
                {filterNames[filter]}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {rows.length > 0 && (
        <p className="small soft mt-3 flex flex-wrap gap-x-5 gap-y-1 keyless:hidden">
          {rowActNames
            .filter((act) => rows.some(({ acts }) => acts.includes(act)))
            .map((act) => (
              <span key={act}>
                <RowKey>{rowActs[act].letter}</RowKey> {rowActs[act].label.toLowerCase()}
              </span>
            ))}
          <span>
            <RowKey>j</RowKey> <RowKey>k</RowKey> rows
          </span>
        </p>
      )}
      <OfficeTable
        caption="Leases past due"
        rows={rows}
        rowKey={(row) => row.key}
        open={(row) => row.file}
        empty={listQuery.filter === 'to call' ? 'All tenants have been called today.' : 'No lease matches now.'}
        columns={columnsOf(listQuery)}
        actions={(row) => <RowActs row={row} listQuery={listQuery} open={form?.row === row.key ? form.act : null} />}
        below={(row) =>
          form?.row === row.key ? (
            <RowForm
              key={form.act}
              form={form}
              row={row}
              goOn={goOn}
              answer={actionData}
              close={listAddress(listQuery, { row: row.key })}
            />
          ) : null
        }
      />
      <MoreRows next={next} />
    </OfficePageFrame>
  )
}

type Data = Route.ComponentProps['loaderData']

const columnSort = (listQuery: Data['listQuery'], order: 'days' | 'owed') => ({
  href: listAddress({ ...listQuery, order, after: null }),
  now: listQuery.order === order ? ('descending' as const) : ('none' as const),
})

const columnsOf = (listQuery: Data['listQuery']) => [
  {
    label: 'Unit',
    cell: (row: CallingRow) => (
      <>
        {row.unit} <span className="soft small">{row.place}</span>
      </>
    ),
  },
  {
    label: 'Tenant',
    cell: (row: CallingRow) => (
      <>
        {row.tenant}
        {row.noCalls && <Tag tone="bad">no calls</Tag>}
        {row.phone && (
          <a className="office-under num" href={callHref(row.phone)}>
            {formatPhone(row.phone)}
          </a>
        )}
      </>
    ),
  },
  { label: 'Days', right: true, sort: columnSort(listQuery, 'days'), cell: (row: CallingRow) => row.days },
  { label: 'Owed', right: true, sort: columnSort(listQuery, 'owed'), cell: (row: CallingRow) => formatCents(row.owed) },
  { label: 'Last paid', wide: true, cell: (row: CallingRow) => row.lastPaid },
  { label: 'Promise', cell: (row: CallingRow) => <PromiseText row={row} /> },
  {
    label: 'Step',
    wide: true,
    cell: ({ step, casePath }: CallingRow) => {
      const text = step.bad ? <strong className="text-brick">{step.text}</strong> : step.text
      return casePath ? <Link to={casePath}>{text}</Link> : text
    },
  },
  { label: 'Earliest next', wide: true, cell: (row: CallingRow) => row.next },
]

function PromiseText({ row: { promise } }: { row: CallingRow }) {
  if (!promise) return null
  const promiseText = `${promise.on} ${formatCents(promise.cents)}`
  const label = <span className="min-[48rem]:hidden">promised </span>
  if (promise.state !== 'broken')
    return (
      <span className="num">
        {label}
        {promiseText}
      </span>
    )
  return (
    <strong className="num text-brick">
      {label}
      {promiseText} <span aria-hidden="true">!</span>
      <span className="sr">, broken</span>
    </strong>
  )
}

/** Links with a letter for each operation on a row, which open its form below the row. */
function RowActs({ row, listQuery, open }: { row: CallingRow; listQuery: Data['listQuery']; open: RowAct | null }) {
  return (
    <span className="office-letters inline-flex gap-[0.2rem] keyless:flex-wrap">
      {row.acts.map((act) => (
        <Link
          key={act}
          to={`${listAddress(listQuery, { row: row.key, act })}#${row.key}`}
          className="grid h-7 min-w-7 place-items-center pointer-coarse:h-11 pointer-coarse:min-w-11 keyless:px-[0.7rem]"
          preventScrollReset
          data-key={rowActs[act].letter}
          data-key-name={rowActs[act].label}
          aria-current={act === open ? 'true' : undefined}
          title={rowActs[act].label}
        >
          <span aria-hidden="true" className="keyless:hidden">
            {rowActs[act].letter}
          </span>
          <span aria-hidden="true" className="hidden keyless:inline">
            {rowActs[act].label}
          </span>
          <span className="sr">
            {rowActs[act].label}, {row.unit}
          </span>
        </Link>
      ))}
    </span>
  )
}

/**
 * Moves the focus on the past-due page: to the element marked `data-first` in the form that is open below a row;
 * without an open form, to the row's first link.
 */
function useFocus(row: string | null, act: RowAct | null) {
  const [search] = useSearchParams()
  const done = search.get('done')
  useEffect(() => {
    if (row === null) return
    const element = document.getElementById(row)
    const target = act === null ? element?.querySelector('a[data-open]') : element?.querySelector('[data-first]')
    if (target instanceof HTMLElement) target.focus({ preventScroll: act !== null })
    if (done !== null) element?.scrollIntoView({ block: 'nearest' })
  }, [row, act, done])
}
