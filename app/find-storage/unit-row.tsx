import { formatShort } from '../../domain/plain-date.ts'
import { parkedIn } from '../../modules/facilities/rules/parking-vehicles.ts'
import type { ChargeLine } from '../../modules/pricing/rules/charges.ts'
import type { UnitTypeQuote } from '../../modules/pricing/unit-type-prices.ts'
import { tellMeWhenFree } from '../../modules/reservations/texts/reserve.ts'
import { LinkButton } from '../ui/buttons.tsx'
import { formatCents } from '../ui/money.tsx'
import { dotted, unbroken } from '../ui/no-break.ts'
import { Tag } from '../ui/surfaces.tsx'
import { UnitPicture } from '../ui/unit-drawing/draw.tsx'
import { choosePath } from './choose-path.ts'
import { bandName, featureName } from './unit-list.ts'

const few = 5

const keyOf = ({ kind, taxOf, feeId, label }: ChargeLine) => `${kind}/${taxOf ?? feeId ?? label}`

/** Each line once: what of it is due today, and what in every later period; null for nothing. */
function linesOf({ charges }: UnitTypeQuote) {
  const then = new Map(charges.thenLines.map((line) => [keyOf(line), line.cents]))
  const today = new Set(charges.lines.map(keyOf))
  return [
    ...charges.lines.map((line) => ({ label: line.label, today: line.cents, later: then.get(keyOf(line)) ?? null })),
    ...charges.thenLines
      .filter((line) => !today.has(keyOf(line)))
      .map(({ label, cents }) => ({ label, today: null, later: cents })),
  ]
}

const amount = (cents: number | null) => (cents === null ? '–' : formatCents(cents))

function Bill({ type }: { type: UnitTypeQuote }) {
  return (
    <table className="bill">
      <thead>
        <tr>
          <td />
          <th scope="col">Today</th>
          <th scope="col">Per month</th>
        </tr>
      </thead>
      <tbody>
        {linesOf(type).map((line) => (
          <tr key={line.label}>
            <th scope="row">{line.label}</th>
            <td>{amount(line.today)}</td>
            <td>{amount(line.later)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Total</th>
          <td>{formatCents(type.dueToday)}</td>
          <td>{formatCents(type.thenPerMonth)}</td>
        </tr>
      </tfoot>
    </table>
  )
}

/** What is the same for every type, once: when it is billed, what is in, and what is taken for granted. */
export const sameForAll = ({ charges, assumptions, free }: UnitTypeQuote): string =>
  `Billed every 30 days, from ${formatShort(charges.nextBilling)} if you move in today. All fees and tax in, ${assumptions.join(', ')}.${free > 0 ? ` To reserve, ${formatCents(0)} is due today.` : ''}`

/** '$44.06 at move-in, Nov 22': what is reserved is paid then; the price is that of moving in today. */
export const atMoveIn = ({ charges }: UnitTypeQuote): string =>
  `${formatCents(charges.dueToday)} at move-in, ${formatShort(charges.periodStart)}`

/** What each line of a price is for, by its label; rent names its period in `sameForAll` and its rates in the row. */
export function explained(types: readonly UnitTypeQuote[]): { label: string; explain: string }[] {
  const lines = types.flatMap(({ charges }) => charges.lines.concat(charges.thenLines))
  return [...new Map(lines.filter(({ kind }) => kind !== 'rent').map((line) => [line.label, line])).values()]
}

interface RowFacts {
  type: UnitTypeQuote
  code: string
  /** Not where the doors are still to open. */
  lets: boolean
  /** Whether the facility shows its plan. */
  mapped: boolean
}

export function UnitRow({ type, code, lets, mapped }: RowFacts) {
  const { free, unitTypeId } = type
  const name = `${type.size} ${type.categoryName}`
  const id = `type-${unitTypeId}`
  const band = bandName(type.band)
  // Each word once: the category stands in the name.
  const said = [band, type.categoryName].map((word) => word.toLowerCase())
  const kinds = type.features.map(featureName).filter((kind) => !said.includes(kind.toLowerCase()))
  return (
    <article className="unit" aria-labelledby={id}>
      <UnitPicture
        length={type.length}
        breadth={type.breadth}
        parked={type.band === 'PARKING' ? parkedIn(type) : null}
      />
      <div>
        <h3 id={id}>{name}</h3>
        <p className="tags small">
          <span className="soft">{dotted([band, ...kinds])}</span>
          {type.discount && <Tag tone="good">{type.discount.description}</Tag>}
          {free > 0 && free <= few && <Tag tone="bad">{free === 1 ? 'Last one' : `${free} left`}</Tag>}
          {free === 0 && lets && <Tag>All rented now</Tag>}
        </p>
      </div>
      <p className="unit-for">{type.description}</p>
      <dl>
        {free > 0 && (
          <div>
            <dt>Due today</dt>
            <dd className="price">{formatCents(type.dueToday)}</dd>
          </div>
        )}
        <div>
          <dt>{free > 0 ? 'Then per month' : 'Per month'}</dt>
          <dd className="price">{formatCents(type.thenPerMonth)}</dd>
        </div>
      </dl>
      <p className="unit-rate soft small">
        {type.rent < type.streetRent && (
          <>
            Street rate <s>{formatCents(type.streetRent)}</s> ·{' '}
          </>
        )}
        {`${type.internetPriceAvailable ? 'Web rate' : 'Rate'} ${formatCents(type.rent)}${free > 0 ? `\nReserve free: ${atMoveIn(type)}` : ''}`}
      </p>
      <Ways type={type} code={code} lets={lets} name={name} />
      {free > 0 && mapped && (
        <a className="unit-map" href={choosePath(code, unitTypeId)} aria-label={`See them on the map, ${name}`}>
          See them on the map
        </a>
      )}
      {free > 0 && (
        <details>
          <summary>
            Price details<span className="sr">{` of ${name}`}</span>
          </summary>
          <Bill type={type} />
          {type.detailedDescription && <p className="small mt-4">{type.detailedDescription}</p>}
        </details>
      )}
    </article>
  )
}

function Ways({ type, code, lets, name }: Omit<RowFacts, 'mapped'> & { name: string }) {
  const at = `${code}/${type.unitTypeId}`
  if (type.free === 0)
    return (
      lets && (
        <div className="unit-ways">
          <LinkButton kind="secondary" href={`/tell-me/${at}`} label={`${tellMeWhenFree}, ${name}`} rel="nofollow">
            {tellMeWhenFree}
          </LinkButton>
        </div>
      )
    )
  return (
    <div className="unit-ways">
      <LinkButton href={`/rent/${at}?rentNow=1`} label={`Rent now, ${name}`} rel="nofollow">
        Rent now
      </LinkButton>
      <LinkButton kind="secondary" href={`/rent/${at}`} label={`Reserve free, ${name}`} rel="nofollow">
        Reserve free
      </LinkButton>
    </div>
  )
}

/** The explanations below the list. */
export function WhatEachLineIs({ types }: { types: readonly UnitTypeQuote[] }) {
  return (
    <details className="unit-lines mt-4">
      <summary>What each line of a price is</summary>
      <dl>
        {explained(types).map(({ label, explain }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{unbroken(explain)}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
