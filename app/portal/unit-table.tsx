import { Form, Link } from 'react-router'
import { inThrees } from '../../modules/gate/rules/gate-code.ts'
import { gateCode, payForUnit, unitDetails } from '../../modules/leases/texts/portal.ts'
import { Button } from '../ui/buttons.tsx'
import { SelectField } from '../ui/fields/choice.tsx'
import { TextField } from '../ui/fields/text.tsx'
import { formatCents } from '../ui/money.tsx'
import { type Column, Table } from '../ui/records.tsx'
import { PaySeveral, UnitBox } from './multi-unit-form.tsx'
import type { UnitRow } from './unit-row.ts'
import { sortAddress, type UnitSort } from './unit-sort.ts'
import { UnitTags } from './unit-tags.tsx'

const Search = ({ sort }: { sort: UnitSort }) => (
  <Form
    method="get"
    action="/my-units"
    role="search"
    noValidate
    className="mt-6 flex flex-wrap items-end gap-x-3 max-sm:[&>.field]:flex-1 [&>.field]:mt-3"
  >
    <TextField
      name="q"
      label="Find a unit"
      hint="Number, size, or status such as Past Due."
      defaultValue={sort.q}
      type="search"
    />
    <Button kind="secondary">Find</Button>
    <SortOnPhone {...sort} />
  </Form>
)

const columnOf = { due: 'Due now', unit: 'Unit number', status: 'Status', next: 'Next payment' }

const sorts = { '-due': 'Most due first', unit: 'Unit number', status: 'Status', next: 'Next payment first' }

/** Sort list for phones, which show no column heads. On wider screens it only keeps the current sorting in the form. */
function SortOnPhone({ by, down }: UnitSort) {
  const now = `${down ? '-' : ''}${by}`
  const known = Object.entries(sorts).map(([value, label]) => ({ value, label }))
  const turned = { value: now, label: `${columnOf[by]}, ${down ? 'last' : 'least'} first` }
  return (
    <div className="flex basis-full items-end gap-3 sm:hidden [&>.field]:mt-3 [&>.field]:flex-1">
      <SelectField
        key={now}
        name="sort"
        label="Sort by"
        empty={null}
        defaultValue={now}
        options={known.some(({ value }) => value === now) ? known : [turned, ...known]}
      />
      <Button kind="secondary">Sort</Button>
    </div>
  )
}

/** Table of many units, with search, sorting and payment of several at once. Works without scripts. */
export function UnitTable({
  units,
  sort,
  found,
  count,
  payAt,
}: {
  units: UnitRow[]
  sort: UnitSort
  found: number
  count: number
  /** Address that the chosen units are posted to; null when fewer than two can be paid for. */
  payAt: string | null
}) {
  const by = (column: UnitSort['by']) => ({
    href: sortAddress(sort, column),
    now: sort.by === column ? (sort.down ? ('descending' as const) : ('ascending' as const)) : undefined,
  })
  const columns: Column<UnitRow>[] = [
    {
      label: 'Unit',
      sort: by('unit'),
      cell: (unit) => (
        <div className={payAt ? 'boxed' : undefined}>
          {payAt && (unit.payable ? <UnitBox unit={unit} /> : <span />)}
          <div>
            <Link to={unit.href} aria-label={`Unit No ${unit.unitNumber}, ${unitDetails}`}>
              Unit No {unit.unitNumber}
            </Link>
            <span className="small soft block font-normal">
              Lease No {unit.leaseNumber} <span className="inline-block">{unit.what}</span>
            </span>
          </div>
        </div>
      ),
    },
    { label: 'Status', sort: by('status'), cell: (unit) => <UnitTags {...unit} /> },
    {
      label: gateCode,
      cell: (unit) => (
        <span>
          <span className="num">{inThrees(unit.gateCode)}</span>{' '}
          <span className="small soft inline-block sm:block">{unit.gate.says}</span>
        </span>
      ),
    },
    { label: 'Due now', right: true, sort: by('due'), cell: (unit) => formatCents(Math.max(unit.balance, 0)) },
    {
      label: 'Next payment',
      right: true,
      sort: by('next'),
      cell: (unit) =>
        unit.moveOut ? (
          <span>
            <span className="soft">Last day</span> <span className="sm:block">{unit.moveOut}</span>
          </span>
        ) : unit.balance > 0 ? (
          <span className="max-sm:hidden">–</span>
        ) : (
          <span>
            <span className="soft sm:hidden">Next payment </span>
            {formatCents(unit.next.cents)} <span className="small soft sm:block">{unit.next.on}</span>
          </span>
        ),
    },
    {
      label: 'Pay',
      right: true,
      cell: (unit) => (
        <Link to={unit.href} aria-label={`${payForUnit} ${unit.unitNumber}`}>
          {payForUnit}
        </Link>
      ),
    },
  ]
  const table = (
    <Table
      compact
      caption="Your units"
      captionHidden
      columns={columns}
      rows={units}
      rowKey={(unit) => unit.leaseNumber}
    />
  )
  return (
    <>
      <Search sort={sort} />
      <p className="small soft mt-3" aria-live="polite">
        {found === count ? `All ${count} units.` : `${found} of ${count} units. `}
        {found !== count && <Link to="/my-units">Show all</Link>}
      </p>
      <div className="mt-4">
        {units.length > 0 ? (
          payAt ? (
            <PaySeveral units={units} action={payAt}>
              {table}
            </PaySeveral>
          ) : (
            table
          )
        ) : (
          <p>No unit here is called that.</p>
        )}
      </div>
    </>
  )
}
