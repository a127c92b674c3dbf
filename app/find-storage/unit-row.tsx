import { formatShort } from '../../domain/plain-date.ts'
import { vehicleForSpace } from '../../modules/facilities/rules/choose-parked-vehicle-to-draw.ts'
import { type ChargeLine, dueTodayParts } from '../../modules/pricing/rules/charges.ts'
import type { UnitTypeQuote } from '../../modules/pricing/views/unit-type-quotes.ts'
import { tellMeWhenFree } from '../../modules/reservations/texts/reserve.ts'
import { LinkButton } from '../ui/buttons.tsx'
import { formatCents } from '../ui/money.tsx'
import { joinWithDots, withNoBreakSpaces } from '../ui/no-break.ts'
import { UnitPicture } from '../ui/unit-drawing/unit-drawing.tsx'
import { choosePath } from './choose-unit-page-path.ts'
import { featureName } from './filter-unit-types.ts'

const FEW_LEFT = 5

const keyOf = ({ kind, taxOf, feeId, label }: ChargeLine) => `${kind}/${taxOf ?? feeId ?? label}`

/** Returns each price line with its amount due today and in every later period; null for no amount. */
function linesOf({ charges }: UnitTypeQuote) {
  const laterAmounts = new Map(charges.thenLines.map((line) => [keyOf(line), line.cents]))
  const todayKeys = new Set(charges.lines.map(keyOf))
  return [
    ...charges.lines.map((line) => ({
      key: keyOf(line),
      label: line.label,
      today: line.cents,
      later: laterAmounts.get(keyOf(line)) ?? null,
    })),
    ...charges.thenLines
      .filter((line) => !todayKeys.has(keyOf(line)))
      .map((line) => ({ key: keyOf(line), label: line.label, today: null, later: line.cents })),
  ]
}

const amount = (cents: number | null) => (cents === null ? '–' : formatCents(cents))

export function Bill({ type }: { type: UnitTypeQuote }) {
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
          <tr key={line.key}>
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

/** Returns the note that applies to all prices: billing period, included charges and assumptions. */
export const commonPriceNote = ({ charges, assumptions, free }: UnitTypeQuote): string =>
  `Billed every 30 days, from ${formatShort(charges.nextBilling)} if you move in today. All fees and tax in, ${assumptions.join(', ')}.${free > 0 ? ` To reserve, ${formatCents(0)} is due today.` : ''}`

/** Formats the amount due for a reservation, at the price of moving in today: '$44.06 at move-in, Nov 22'. */
export const formatDueAtMoveIn = ({ charges }: UnitTypeQuote): string =>
  `${formatCents(charges.dueToday)} at move-in, ${formatShort(charges.periodStart)}`

/** Returns the parts of the amount due today, such as '$29 fee + $12 insurance + $3.06 tax'. */
export const formatDueTodayParts = ({ charges }: UnitTypeQuote): string =>
  dueTodayParts(charges)
    .map(({ name, cents }) => `${formatCents(cents, true)}\u00a0${name}`)
    .join(' + ')

/** Returns one explanation for each label of a price line other than rent. */
function explainPriceLines(types: readonly UnitTypeQuote[]): { label: string; explain: string }[] {
  const lines = types.flatMap(({ charges }) => charges.lines.concat(charges.thenLines))
  return [...new Map(lines.filter(({ kind }) => kind !== 'rent').map((line) => [line.label, line])).values()]
}

interface RowFacts {
  type: UnitTypeQuote
  /** Result of `formatDueTodayParts`. */
  why: string
  /** Result of `formatDueAtMoveIn`. */
  reserved: string
  code: string
  /** False while the facility is not open yet. */
  isOpenForRent: boolean
  /** Whether the facility shows its plan. */
  mapped: boolean
}

export function UnitRow({ type, why, reserved, code, isOpenForRent, mapped }: RowFacts) {
  const { free, unitTypeId } = type
  const name = `${type.size} ${type.categoryName}`
  const id = `type-${unitTypeId}`
  return (
    <article className="unit" aria-labelledby={id}>
      <UnitPicture
        length={type.length}
        breadth={type.breadth}
        parked={type.band === 'PARKING' ? vehicleForSpace(type) : null}
      />
      <div className="small">
        <h3 id={id} className="inline">
          {withNoBreakSpaces(type.size)}
          <span className="sr">{` ${type.categoryName}`}</span>
        </h3>{' '}
        {type.discount && <strong className="font-semibold text-pine">{type.discount.description}</strong>}
        <p className="soft">
          <CategoryAndFeatures type={type} isOpenForRent={isOpenForRent} />
        </p>
        <p className="soft">
          {`${type.internetPriceAvailable ? 'Web rate' : 'Rate'} ${formatCents(type.rent)}`}
          {type.rent < type.streetRent && (
            <>
              , street rate <s>{formatCents(type.streetRent)}</s>
            </>
          )}
        </p>
      </div>
      <dl className="unit-sums">
        {free > 0 && (
          <div className="unit-today">
            <dt>due today</dt>
            <dd className="price">{formatCents(type.dueToday)}</dd>
          </div>
        )}
        <div>
          {free > 0 && <dt>then</dt>}
          {free === 0 && <dt className="sr">Per month</dt>}
          <dd>
            <span className="price">{formatCents(type.thenPerMonth)}</span> / month
          </dd>
        </div>
      </dl>
      {free > 0 && <Details type={type} why={why} reserved={reserved} code={code} name={name} mapped={mapped} />}
      <RentButtons type={type} code={code} isOpenForRent={isOpenForRent} name={name} />
    </article>
  )
}

/**
 * Shows a unit type's category and features once each, and how many units are left when they are few or none, such as
 * 'Climate Controlled · Indoor · 5 left'.
 */
function CategoryAndFeatures({ type, isOpenForRent }: Pick<RowFacts, 'type' | 'isOpenForRent'>) {
  const { free, categoryName } = type
  const features = type.features.map(featureName).filter((name) => name.toLowerCase() !== categoryName.toLowerCase())
  const stock = free === 1 ? 'Last one' : `${free} left`
  return (
    <>
      {joinWithDots([categoryName, ...features])}
      {free > 0 && free <= FEW_LEFT && <strong className="font-semibold text-brick">{`\u00a0· ${stock}`}</strong>}
      {free === 0 && isOpenForRent && <strong className="font-semibold">{'\u00a0· All rented now'}</strong>}
    </>
  )
}

/** Explains the amount due today in one line, which opens to all charges and the type's details. */
function Details({ type, why, reserved, code, name, mapped }: Omit<RowFacts, 'isOpenForRent'> & { name: string }) {
  return (
    <details>
      <summary>
        <span>
          <span className="sr">{`Price details of ${name}: `}</span>
          {why}
        </span>
      </summary>
      <div className="pb-4 text-small">
        <Bill type={type} />
        <p className="mt-3">Reserve free: {withNoBreakSpaces(reserved)}</p>
        {type.description && <p className="mt-2">{type.description}</p>}
        {type.detailedDescription && <p className="mt-2">{type.detailedDescription}</p>}
        {mapped && (
          <a
            className="inline-block py-3"
            href={choosePath(code, type.unitTypeId)}
            aria-label={`See them on the map, ${name}`}
          >
            See them on the map
          </a>
        )}
      </div>
    </details>
  )
}

function RentButtons({
  type,
  code,
  isOpenForRent,
  name,
}: Pick<RowFacts, 'type' | 'code' | 'isOpenForRent'> & { name: string }) {
  const typePath = `${code}/${type.unitTypeId}`
  if (type.free === 0)
    return (
      isOpenForRent && (
        <div className="unit-ways">
          <LinkButton
            kind="secondary"
            href={`/tell-me/${typePath}`}
            label={`${tellMeWhenFree}, ${name}`}
            rel="nofollow"
          >
            {tellMeWhenFree}
          </LinkButton>
        </div>
      )
    )
  return (
    <div className="unit-ways">
      <LinkButton href={`/rent/${typePath}?rentNow=1`} label={`Rent now, ${name}`} rel="nofollow">
        Rent now
      </LinkButton>
      <LinkButton kind="secondary" href={`/rent/${typePath}`} label={`Reserve free, ${name}`} rel="nofollow">
        Reserve free
      </LinkButton>
    </div>
  )
}

/** Explanations of the price lines, below the list of units. */
export function PriceLineExplanations({ types }: { types: readonly UnitTypeQuote[] }) {
  return (
    <details className="unit-lines mt-4">
      <summary>What each line of a price is</summary>
      <dl>
        {explainPriceLines(types).map(({ label, explain }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{withNoBreakSpaces(explain)}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
