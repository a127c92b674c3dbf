/** Loads, adds and changes a facility's fees, insurance plans and discounts. */
import { type Kysely, sql } from 'kysely'
import { type Cents, format } from '../../../domain/money.ts'
import type { IsoDate } from '../../../domain/plain-date.ts'
import type { FeeTiming } from '../../../platform/schema/narrowed-column-types.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { isFirstMonthFree } from '../../pricing/rules/discount.ts'
import { fee24HourAccess } from '../../pricing/texts/full-day-access-fee-name.ts'
import { feeTimingLabels, type OfferKind, offerKinds } from '../rules/fee-timing-labels-and-offer-kinds.ts'

/** A fee, insurance plan or discount of a facility. */
export interface Offer {
  kind: OfferKind
  id: number
  name: string
  /** Amount in cents; for a percentage discount, in hundredths of a percent. */
  amount: number
  byPercent: boolean
  /** When a fee is charged; null for plans and discounts. */
  charged: FeeTiming | null
  /** Unit type to which the offer applies; null for all. */
  unitTypeId: number | null
  /** Terms of the offer besides its amount, as text: 'once, at the move-in', 'covers $2,000.00, each 30 days'. */
  when: string
  retiredOn: IsoDate | null
  /** Maximum amount, in the unit of `amount`. */
  most: number
}

/** Maximum amount of a fee, a premium or a first period's price, in cents. */
const MAX_AMOUNT: Cents = 1_000_00
/** 100 percent, in hundredths of a percent. */
const FULL_PERCENTAGE = 100_00

/** Returns the maximum amount of an offer: hundredths of a percent for a percentage, otherwise cents. */
export const maxOfferAmount = (byPercent: boolean): number => (byPercent ? FULL_PERCENTAGE : MAX_AMOUNT)

/** Timings of fees of which a unit type pays only one: the unretired fee with the lowest id that applies to it. */
const exclusiveFees: readonly FeeTiming[] = ['card', 'late', 'returned']

/** Formats an offer's amount: '25 %' or '$24.00'. */
export const offerAmount = ({ amount, byPercent }: Pick<Offer, 'amount' | 'byPercent'>): string =>
  byPercent ? `${amount / 100} %` : format(amount)

export async function loadOffers(db: Kysely<Tables>, locationCode: string): Promise<Offer[]> {
  const [fees, plans, discounts, contents] = await Promise.all([
    db.selectFrom('fees').selectAll().where('location_code', '=', locationCode).execute(),
    db.selectFrom('insurance_schemes').selectAll().where('location_code', '=', locationCode).execute(),
    db.selectFrom('discounts').selectAll().where('location_code', '=', locationCode).execute(),
    db
      .selectFrom('location_contents')
      .select('fee_for_24hr_access')
      .where('location_code', '=', locationCode)
      .executeTakeFirst(),
  ])
  const offers: Offer[] = [
    ...fees.map((row) => ({
      kind: 'fee' as const,
      id: row.fee_id,
      name: row.description,
      byPercent: false,
      amount: row.description === fee24HourAccess ? (contents?.fee_for_24hr_access ?? row.amount) : row.amount,
      charged: row.charged,
      unitTypeId: row.unit_type_id,
      when: feeTimingLabels[row.charged],
      retiredOn: row.retired_on,
      most: MAX_AMOUNT,
    })),
    ...plans.map((row) => ({
      kind: 'plan' as const,
      id: row.scheme_id,
      name: row.scheme_name,
      byPercent: false,
      most: MAX_AMOUNT,
      charged: null,
      unitTypeId: null,
      amount: row.premium,
      when: `covers ${format(row.coverage)}, each 30 days`,
      retiredOn: row.retired_on,
    })),
    ...discounts.map((row) => ({
      kind: 'discount' as const,
      id: row.discount_id,
      name: row.description,
      byPercent: row.type === 1,
      charged: null,
      unitTypeId: row.unit_type_id,
      amount: row.amount,
      retiredOn: row.retired_on,
      most: maxOfferAmount(row.type === 1),
      when: `${row.type === 1 ? 'off the first period' : 'price of the first period'}${
        row.displayable && row.revenue_managed && row.available ? '' : ', not shown on the web'
      }`,
    })),
  ]
  return offers.sort((a, b) => offerKinds.indexOf(a.kind) - offerKinds.indexOf(b.kind) || a.id - b.id)
}

/** Returns whether a discount's name makes the first period free. */
const isFreeByName = (name: string): boolean => isFirstMonthFree({ id: 0, description: name, amount: 0, type: 2 })

/** Returns whether a discount's name states its amount, so that another amount would contradict it. */
export const nameStatesAmount = ({ kind, name }: Pick<Offer, 'kind' | 'name'>): boolean =>
  kind === 'discount' && (isFreeByName(name) || /\d/.test(name))

/**
 * Returns 'access' or 'free' when the code recognizes the offer by its name, so that renaming it would change what is
 * charged; otherwise ''.
 */
export const reservedMeaning = ({ kind, name }: Pick<Offer, 'kind' | 'name'>): string =>
  (kind === 'fee' && name === fee24HourAccess && 'access') ||
  (kind === 'discount' && isFreeByName(name) && 'free') ||
  ''

/**
 * Returns an unretired offer of the same kind that conflicts with `candidate`; undefined without one. Two offers conflict
 * if they have one name, whatever its letter case, for the same unit type. Two fees of one timing in `exclusiveFees` also
 * conflict if they are for the same unit type, or if the one with the lower id, which is charged, is for all unit types.
 */
export const findConflictingOffer = (
  offers: readonly Offer[],
  candidate: Pick<Offer, 'kind' | 'name' | 'charged' | 'unitTypeId'> & { id?: number },
): Offer | undefined =>
  offers.find((offer) => {
    if (offer.kind !== candidate.kind || offer.id === candidate.id || offer.retiredOn !== null) return false
    const isSameType = offer.unitTypeId === candidate.unitTypeId
    if (isSameType && offer.name.toLowerCase() === candidate.name.toLowerCase()) return true
    const first = candidate.id !== undefined && candidate.id < offer.id ? candidate : offer
    const isExclusive = candidate.charged !== null && exclusiveFees.includes(candidate.charged)
    return isExclusive && offer.charged === candidate.charged && (isSameType || first.unitTypeId === null)
  })

/** Table and columns of each kind of offer. */
const columnsOf = {
  fee: { table: 'fees', id: 'fee_id', name: 'description', amount: 'amount' },
  plan: { table: 'insurance_schemes', id: 'scheme_id', name: 'scheme_name', amount: 'premium' },
  discount: { table: 'discounts', id: 'discount_id', name: 'description', amount: 'amount' },
} as const

/**
 * Saves an offer's name, amount and retirement in the caller's transaction. The 24-hour access fee is also saved with
 * the location's contents, where the site reads it.
 */
export async function setOffer(tx: Kysely<Tables>, locationCode: string, offer: Offer): Promise<void> {
  const { table, id, name, amount } = columnsOf[offer.kind]
  await tx
    // The type of one table stands for all three: Kysely cannot type a table that is chosen at run time.
    .updateTable(table as 'fees')
    .set({ [name]: offer.name, [amount]: offer.amount, retired_on: offer.retiredOn })
    .where('location_code', '=', locationCode)
    .where(sql.ref<number>(id), '=', offer.id)
    .execute()
  if (reservedMeaning(offer) !== 'access') return
  if (offer.retiredOn === null) await setAccessFee(tx, locationCode, offer.amount)
  else if (!findOfferedAccessFee(await loadOffers(tx, locationCode))) await setAccessFee(tx, locationCode, null)
}

/**
 * Returns a 24-hour access fee that a facility offers; undefined without one. The fees of all its unit types have one
 * amount, since it is stored once for each facility.
 */
export const findOfferedAccessFee = (offers: readonly Offer[]): Offer | undefined =>
  offers.find((offer) => offer.retiredOn === null && reservedMeaning(offer) === 'access')

const setAccessFee = (tx: Kysely<Tables>, location_code: string, amount: Cents | null) =>
  tx
    .insertInto('location_contents')
    .values({ location_code, website_move_in_completion_screen: '', fee_for_24hr_access: amount })
    .onConflict((conflict) => conflict.column('location_code').doUpdateSet({ fee_for_24hr_access: amount }))
    .execute()

/** A fee, insurance plan or discount to add to a facility. */
export interface NewOffer extends Pick<Offer, 'kind' | 'name' | 'amount' | 'byPercent' | 'charged' | 'unitTypeId'> {
  /** Coverage of a plan, in cents; 0 for other offers, whose `terminology` is ''. */
  coverage: Cents
  terminology: string
}

/**
 * Inserts an offer with the next free number, in the caller's transaction.
 * @returns the offer's number
 */
export async function addOffer(tx: Kysely<Tables>, location_code: string, offer: NewOffer): Promise<number> {
  const { table, id: column } = columnsOf[offer.kind]
  const { last } = await tx
    .selectFrom(table as 'fees')
    .select((eb) => eb.fn.max(sql.ref<number>(column)).as('last'))
    .where('location_code', '=', location_code)
    .executeTakeFirstOrThrow()
  const id = Number(last ?? 0) + 1
  const { name, amount, unitTypeId: unit_type_id } = offer
  const row = { location_code, retired_on: null }
  if (offer.kind === 'plan')
    await tx
      .insertInto('insurance_schemes')
      .values({
        ...row,
        scheme_id: id,
        scheme_name: name,
        premium: amount,
        coverage: offer.coverage,
        terminology: offer.terminology,
      })
      .execute()
  else if (offer.kind === 'discount')
    await tx
      .insertInto('discounts')
      .values({
        ...row,
        discount_id: id,
        description: name,
        amount,
        unit_type_id,
        type: offer.byPercent ? 1 : 2,
        displayable: 1,
        revenue_managed: 1,
        available: 1,
      })
      .execute()
  else {
    const charged = offer.charged ?? 'on_choice'
    await tx
      .insertInto('fees')
      .values({ ...row, fee_id: id, description: name, amount, unit_type_id, charged })
      .execute()
    if (name === fee24HourAccess) await setAccessFee(tx, location_code, amount)
  }
  return id
}
