/** Amounts of fees, plans and discounts, and what is no longer offered. */
import * as v from 'valibot'
import { changedSince } from '../../domain/texts/office.ts'
import { amountNamed, nothingChanged } from '../../domain/texts/setup.ts'
import { audit, staffActor } from '../../platform/audit/audit.ts'
import { bumpContentVersion } from '../../platform/database/content-version.ts'
import { engineOf } from '../../platform/database/engine.ts'
import { may } from '../../platform/operations/callers.ts'
import { locationCode } from '../../platform/operations/input-fields.ts'
import { internalOperation, notOnFile } from '../../platform/operations/operation.ts'
import { type Refusal, refuse, succeed } from '../../platform/operations/outcome.ts'
import { todayAt } from './facts.ts'
import { namesItsAmount, type Offer, offerAmount, offerKinds, offersAt, retireOffer, setOfferAmount } from './offers.ts'

/** One writer at a facility at a time: of two forms the second sees what the first has saved. */
const lockPlace = (tx: Parameters<typeof offersAt>[0], location_code: string) =>
  tx
    .selectFrom('locations')
    .select('location_code')
    .where('location_code', '=', location_code)
    .$if(engineOf(tx) === 'postgres', (query) => query.forUpdate())
    .executeTakeFirst()

/** A fee's, plan's or discount's amount, and whether it is offered. */
export const SaveOffer = internalOperation({
  name: 'SaveOffer',
  access: { staff: may('setup.save') },
  input: v.object({
    location_code: locationCode(),
    kind: v.picklist(offerKinds),
    id: v.pipe(v.number(), v.integer()),
    amount: v.pipe(
      v.number('Enter an amount.'),
      v.integer('Enter an amount.'),
      v.minValue(1, 'Enter more than 0; retire it where it is free.'),
    ),
    offered: v.boolean(),
    /** As the form showed it. */
    before: v.object({ amount: v.number(), offered: v.boolean() }),
    reason: v.pipe(v.string(), v.trim(), v.minLength(1, 'Say why.'), v.maxLength(500)),
  }),
  example: {
    input: {
      ...{ location_code: 'ATL01', kind: 'fee', id: 1, amount: 2500, offered: true, reason: 'New price list' },
      before: { amount: 1800, offered: true },
    },
  },
  run: (services, input, callers) =>
    services.db.transaction(async (tx) => {
      const { location_code, kind, amount, offered } = input
      await lockPlace(tx, location_code)
      const offer = (await offersAt(tx, location_code)).find((one) => one.kind === kind && one.id === input.id)
      const today = await todayAt(tx, services, location_code)
      if (!offer || today === undefined) return notOnFile
      const refused = refusalOf(offer, input)
      if (refused) return refused
      const moved = amount !== offer.amount
      const turned = offered !== (offer.retiredOn === null)
      if (moved) await setOfferAmount(tx, location_code, offer, amount)
      if (turned) await retireOffer(tx, location_code, { ...offer, amount }, offered ? null : today)
      await audit(tx, services, staffActor(callers), {
        kind: turned ? turnedTo(offered) : 'offer.saved',
        details: { what: `${offer.name} at ${location_code}` },
        ...{ permission: 'setup.save', locationCode: location_code, reason: input.reason },
        changes: {
          ...(moved && { amount: [offerAmount(offer), offerAmount({ ...offer, amount })] }),
          ...(turned && { offered: offered ? ['no', 'yes'] : ['yes', 'no'] }),
        },
      })
      await bumpContentVersion(tx)
      return succeed({ saved: true })
    }),
})

const turnedTo = (offered: boolean) => (offered ? 'offer.offered' : 'offer.retired')

interface Wanted {
  amount: number
  offered: boolean
  before: { amount: number; offered: boolean }
}

/** Why an offer cannot become this; null where it can. */
function refusalOf(offer: Offer, { amount, offered, before }: Wanted): Refusal | null {
  const isOffered = offer.retiredOn === null
  if (offer.amount !== before.amount || isOffered !== before.offered) return refuse(409, 'changed', changedSince)
  if (amount === offer.amount && offered === isOffered) return refuse(409, 'same', nothingChanged)
  if (amount > offer.most) {
    const says = `At most ${offerAmount({ ...offer, amount: offer.most })}.`
    return refuse(400, 'invalid_input', says, { fields: { amount: says } })
  }
  return amount !== offer.amount && namesItsAmount(offer) ? refuse(409, 'named', amountNamed) : null
}
