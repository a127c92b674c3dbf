import '../styles/tenant-home.css'
import type { ReactNode } from 'react'
import { Form, Link } from 'react-router'
import { formatGateCode } from '../../modules/gate/rules/generate-gate-code.ts'
import { gateCode, payForUnit, unitDetails } from '../../modules/leases/texts/portal.ts'
import { Button } from '../ui/buttons.tsx'
import { formatCents } from '../ui/money.tsx'
import { GateState } from './gate-code-with-copy-button.tsx'
import { PaySeveral, UnitBox } from './multi-unit-form.tsx'
import { sortAddress, type UnitSort } from './my-units-sort-and-search.ts'
import type { UnitRow } from './unit-row.ts'
import { UnitTags } from './unit-tags.tsx'

/** Gate code that all of a tenant's units have, and whether the gate accepts it now. */
export type SharedCode = Pick<UnitRow, 'gateCode' | 'gate'>

const Search = ({ sort }: { sort: UnitSort }) => (
  <Form method="get" action="/my-units" role="search" className="search mt-5">
    <input name="q" type="search" aria-label="Find a unit" placeholder="Number, size or status" defaultValue={sort.q} />
    <input type="hidden" name="sort" value={`${sort.isDescending ? '-' : ''}${sort.by}`} />
    <Button kind="quiet">Find</Button>
  </Form>
)

const SharedCodeLine = ({ gateCode: code, gate }: SharedCode) => (
  <dl className="shared-code">
    <dt className="small soft">{gateCode}, all units</dt>
    <dd>
      <span className="price">{formatGateCode(code)}</span>
      <GateState {...gate} />
    </dd>
  </dl>
)

/**
 * Table of a tenant with many units, with search, sorting and payment of several units at once. Works without scripts.
 */
export function UnitTable({
  units,
  sort,
  matchCount,
  count,
  payAt,
  file,
  shared,
}: {
  units: UnitRow[]
  sort: UnitSort
  matchCount: number
  count: number
  /** Address that the chosen units are posted to; null when fewer than two of `units` can be paid for online. */
  payAt: string | null
  /** Address of the CSV file of all units. */
  file: string
  /** Gate code of all units; null where units differ in it or its state, or have none. Each row then shows its own. */
  shared: SharedCode | null
}) {
  const head = (label: string, by: UnitSort['by'], className?: string) => {
    const ariaSort = sort.by === by ? (sort.isDescending ? 'descending' : 'ascending') : undefined
    return (
      <th scope="col" className={className} aria-sort={ariaSort}>
        <Link to={sortAddress(sort, by)} preventScrollReset>
          {label}
          {ariaSort && <span aria-hidden="true">{ariaSort === 'ascending' ? ' ↑' : ' ↓'}</span>}
        </Link>
      </th>
    )
  }
  // On a phone with large text, the table may be wider than the screen and then scrolls sideways.
  const table = (
    <div className="max-[22rem]:overflow-x-auto">
      <table className="units">
        <caption className="sr">Your units</caption>
        <thead>
          <tr>
            {payAt && (
              <th scope="col">
                <span className="sr">Choose</span>
              </th>
            )}
            {head('Unit', 'unit')}
            <th scope="col" className="on-desk">
              Size
            </th>
            {head('Status', 'status', 'on-desk')}
            <th scope="col" className="on-desk">
              Autopay
            </th>
            {head('Due now', 'due', 'right')}
            {head('Next', 'next', 'right')}
            <th scope="col" className="on-desk right">
              Pay
            </th>
          </tr>
        </thead>
        <tbody>
          {units.map((unit) => (
            <Row key={unit.leaseNumber} unit={unit} hasCheckbox={payAt !== null} showsCode={shared === null} />
          ))}
        </tbody>
      </table>
    </div>
  )
  return (
    <>
      {shared && <SharedCodeLine {...shared} />}
      <Search sort={sort} />
      {(matchCount !== count || units.length === 0) && (
        <p className="small soft mt-3" aria-live="polite">
          {matchCount} of {count} units. <Link to="/my-units">Show all</Link>
        </p>
      )}
      {units.length === 0 ? (
        <p className="mt-3">No unit here is called that.</p>
      ) : payAt ? (
        <PaySeveral units={units} action={payAt} file={file}>
          {table}
        </PaySeveral>
      ) : (
        table
      )}
    </>
  )
}

const CellNote = ({ children }: { children: ReactNode }) => <span className="small soft block">{children}</span>

const needsTags = ({ status, overlocked, moveOut, inReview }: UnitRow): boolean =>
  status !== 'Current' || overlocked || moveOut !== null || inReview

/**
 * A unit's row in the table of My Units.
 * @param hasCheckbox true where the table has a column of checkboxes
 * @param showsCode true to show the unit's gate code
 */
function Row({ unit, hasCheckbox, showsCode }: { unit: UnitRow; hasCheckbox: boolean; showsCode: boolean }) {
  const owes = unit.balance > 0
  return (
    <tr>
      {hasCheckbox && <td>{unit.isChoosable && <UnitBox unit={unit} />}</td>}
      <th scope="row">
        <Link to={unit.href} aria-label={`Unit No ${unit.unitNumber}, ${unitDetails}`}>
          {unit.unitNumber}
        </Link>
        <span className="small soft block whitespace-nowrap">Lease No {unit.leaseNumber}</span>
        {showsCode && (
          <CellNote>
            {formatGateCode(unit.gateCode)} <span className="inline-block">{unit.gate.says}</span>
          </CellNote>
        )}
        {needsTags(unit) && (
          <div className="on-phone">
            <UnitTags {...unit} autopay={false} />
          </div>
        )}
      </th>
      <td className="on-desk">{unit.what}</td>
      <td className="on-desk">
        <UnitTags {...unit} autopay={false} />
      </td>
      <td className="on-desk">{unit.autopay ? 'On' : 'Off'}</td>
      <td className={owes ? 'right is-due' : 'right'}>{owes ? formatCents(unit.balance) : '–'}</td>
      <Next {...unit} />
      <td className="on-desk right">
        <Link to={unit.href} aria-label={`${payForUnit} ${unit.unitNumber}`}>
          {payForUnit}
        </Link>
      </td>
    </tr>
  )
}

/** Table cell with a unit's last day if a move-out is scheduled, else '–' while a balance is due, else the next payment. */
function Next({ moveOut, balance, next }: UnitRow) {
  if (moveOut === null && balance > 0) return <td className="right">–</td>
  return (
    <td className="right">
      {moveOut ? 'Last day' : formatCents(next.cents)}
      <CellNote>{moveOut ?? next.on}</CellNote>
    </td>
  )
}
