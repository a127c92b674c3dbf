/** Fees, insurance plans and discounts of a facility as the office sets them; retired ones serve who has them. */
import type { Kysely, Selectable } from 'kysely'
import { isFirstMonthFree } from '../../domain/discount.ts'
import { type Cents, format } from '../../domain/money.ts'
import type { IsoDate } from '../../domain/plain-date.ts'
import { fee24HourAccess } from '../../domain/texts/move-in.ts'
import type { FeeCharged } from '../../platform/schema/columns.ts'
import type { Tables } from '../../platform/schema/tables.ts'

export const offerKinds = ['fee', 'plan', 'discount'] as const
export type OfferKind = (typeof offerKinds)[number]

export interface Offer {
  kind: OfferKind
  id: number
  name: string
  /** In cents; of a discount by percent hundredths of a percent. */
  amount: number
  byPercent: boolean
  /** Such as 'once, at the move-in'. */
  when: string
  retiredOn: IsoDate | null
  /** The most that its amount may be. */
  most: number
}

const MOST: Cents = 100_000

const chargedWhen = {
  move_in: 'once, at the move-in',
  period: 'each 30 days',
  on_choice: 'each 30 days, where chosen',
  card: 'each card payment without autopay',
  late: 'ten days late',
  returned: 'where a check comes back',
} as const satisfies Record<FeeCharged, string>

/** '25 %' or '$24.00' */
export const offerAmount = ({ amount, byPercent }: Pick<Offer, 'amount' | 'byPercent'>): string =>
  byPercent ? `${amount / 100} %` : format(amount)

export async function offersAt(db: Kysely<Tables>, locationCode: string): Promise<Offer[]> {
  const of = <Table extends 'fees' | 'insurance_schemes' | 'discounts'>(table: Table) =>
    db
      .selectFrom(table as 'fees')
      .selectAll()
      .where('location_code', '=', locationCode)
      .execute() as unknown as Promise<Selectable<Tables[Table]>[]>
  const [fees, plans, discounts, contents] = await Promise.all([
    of('fees'),
    of('insurance_schemes'),
    of('discounts'),
    db
      .selectFrom('location_contents')
      .select('fee_for_24hr_access')
      .where('location_code', '=', locationCode)
      .executeTakeFirst(),
  ])
  const offers: Offer[] = [
    ...fees.map((row) => ({
      ...{ kind: 'fee' as const, id: row.fee_id, name: row.description, byPercent: false, most: MOST },
      amount: row.description === fee24HourAccess ? (contents?.fee_for_24hr_access ?? row.amount) : row.amount,
      ...{ when: chargedWhen[row.charged], retiredOn: row.retired_on },
    })),
    ...plans.map((row) => ({
      ...{ kind: 'plan' as const, id: row.scheme_id, name: row.scheme_name, byPercent: false, most: MOST },
      ...{ amount: row.premium, when: 'each 30 days', retiredOn: row.retired_on },
    })),
    ...discounts.map((row) => ({
      ...{ kind: 'discount' as const, id: row.discount_id, name: row.description, byPercent: row.type === 1 },
      ...{ amount: row.amount, retiredOn: row.retired_on, most: row.type === 1 ? 10_000 : MOST },
      when: `${row.type === 1 ? 'off the first period' : 'price of the first period'}${
        row.displayable && row.revenue_managed && row.available ? '' : ', not shown on the web'
      }`,
    })),
  ]
  return offers.sort((a, b) => offerKinds.indexOf(a.kind) - offerKinds.indexOf(b.kind) || a.id - b.id)
}

/** A discount whose name promises its amount: another amount would belie it. */
export const namesItsAmount = ({ kind, name }: Pick<Offer, 'kind' | 'name'>): boolean =>
  kind === 'discount' && (isFirstMonthFree({ id: 0, description: name, amount: 0, type: 1 }) || /\d/.test(name))

/** Sets the amount of an offer, in a transaction. The 24-hour access fee has its own where the site reads it. */
export async function setOfferAmount(
  tx: Kysely<Tables>,
  locationCode: string,
  offer: Offer,
  amount: number,
): Promise<void> {
  const location_code = locationCode
  if (offer.kind === 'plan')
    await tx
      .updateTable('insurance_schemes')
      .set({ premium: amount })
      .where((eb) => eb.and({ location_code, scheme_id: offer.id }))
      .execute()
  else if (offer.kind === 'discount')
    await tx
      .updateTable('discounts')
      .set({ amount })
      .where((eb) => eb.and({ location_code, discount_id: offer.id }))
      .execute()
  else
    await tx
      .updateTable('fees')
      .set({ amount })
      .where((eb) => eb.and({ location_code, fee_id: offer.id }))
      .execute()
  if (offer.kind === 'fee' && offer.name === fee24HourAccess && offer.retiredOn === null)
    await setAccessFee(tx, location_code, amount)
}

const setAccessFee = (tx: Kysely<Tables>, location_code: string, amount: Cents | null) =>
  tx
    .updateTable('location_contents')
    .set({ fee_for_24hr_access: amount })
    .where('location_code', '=', location_code)
    .execute()

/** Retires an offer, or offers it again (`on` null), in a transaction. */
export async function retireOffer(
  tx: Kysely<Tables>,
  locationCode: string,
  offer: Offer,
  on: IsoDate | null,
): Promise<void> {
  const location_code = locationCode
  const retired_on = on
  if (offer.kind === 'plan')
    await tx
      .updateTable('insurance_schemes')
      .set({ retired_on })
      .where((eb) => eb.and({ location_code, scheme_id: offer.id }))
      .execute()
  else if (offer.kind === 'discount')
    await tx
      .updateTable('discounts')
      .set({ retired_on })
      .where((eb) => eb.and({ location_code, discount_id: offer.id }))
      .execute()
  else
    await tx
      .updateTable('fees')
      .set({ retired_on, amount: offer.amount })
      .where((eb) => eb.and({ location_code, fee_id: offer.id }))
      .execute()
  // The site reads the access fee there; its amount waits with the fee.
  if (offer.kind === 'fee' && offer.name === fee24HourAccess)
    await setAccessFee(tx, location_code, on === null ? offer.amount : null)
}
