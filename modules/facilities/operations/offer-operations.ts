/** Fees, plans and discounts: new ones, their names and amounts, and what is no longer offered. */
import * as v from 'valibot'
import { text as recordText, webText } from '../../../domain/record-columns.ts'
import { fee24HourAccess } from '../../../domain/texts/move-in.ts'
import { changedSince } from '../../../domain/texts/office.ts'
import { accessOnChoice, amountNamed, insteadOf, meaningStays, nothingChanged } from '../../../domain/texts/setup.ts'
import { audit, staffActor } from '../../../platform/audit/audit.ts'
import { may } from '../../../platform/operations/callers.ts'
import { locationCode, plainLine, plainText } from '../../../platform/operations/input-fields.ts'
import { internalOperation, notOnFile } from '../../../platform/operations/operation.ts'
import { type Refusal, refuse, succeed } from '../../../platform/operations/outcome.ts'
import { todayAt } from '../facts.ts'
import {
  addOffer,
  chargedWhen,
  inItsPlace,
  meaningOf,
  mostOf,
  namesItsAmount,
  type Offer,
  offerAmount,
  offerKinds,
  offersAt,
  setOffer,
} from '../offers.ts'
import { facilityChanged, lockFacility, setupReason } from '../setup-lock.ts'

/** As the import reads a name: mails may carry it. */
const name = v.pipe(
  plainLine,
  v.trim(),
  v.minLength(1, 'Give it a name.'),
  v.check((typed) => recordText().read(typed) !== undefined, `Enter ${recordText().shape}.`),
)
const cents = v.pipe(v.number('Enter an amount.'), v.integer('Enter an amount.'))
const amount = v.pipe(cents, v.minValue(1, 'Enter more than 0; retire it where it is free.'))

const invalid = (field: string, says: string): Refusal =>
  refuse(400, 'invalid_input', says, { fields: { [field]: says } })

/** A fee's, plan's or discount's name and amount, and whether it is offered. */
export const SaveOffer = internalOperation({
  name: 'SaveOffer',
  access: { staff: may('setup.save') },
  input: v.object({
    location_code: locationCode(),
    kind: v.picklist(offerKinds),
    id: v.pipe(v.number(), v.integer()),
    name,
    amount,
    offered: v.boolean(),
    /** As the form showed it. */
    before: v.object({ name: plainLine, amount: v.number(), offered: v.boolean() }),
    reason: setupReason,
  }),
  example: {
    input: {
      location_code: 'ATL01',
      kind: 'fee',
      id: 1,
      name: 'Administration Fee',
      amount: 2500,
      offered: true,
      before: { name: 'Administration Fee', amount: 1800, offered: true },
      reason: 'New price list',
    },
  },
  run: (services, input, callers) =>
    services.db.transaction(async (tx) => {
      const { location_code, kind, name, amount, offered } = input
      await lockFacility(tx, location_code)
      const offers = await offersAt(tx, location_code)
      const offer = offers.find((one) => one.kind === kind && one.id === input.id)
      const today = await todayAt(tx, services, location_code)
      if (!offer || today === undefined) return notOnFile
      const turned = offered !== (offer.retiredOn === null)
      const wanted = { ...offer, name, amount, retiredOn: offered ? null : (offer.retiredOn ?? today) }
      const refused = refusalOf(offer, wanted, input.before) ?? refusalAmong(offers, offer, wanted)
      if (refused) return refused
      await setOffer(tx, location_code, wanted)
      await audit(tx, services, staffActor(callers), {
        kind: !turned ? 'offer.saved' : offered ? 'offer.offered' : 'offer.retired',
        details: { what: `${offer.name} at ${location_code}` },
        permission: 'setup.save',
        locationCode: location_code,
        reason: input.reason,
        changes: changesOf(offer, wanted),
      })
      await facilityChanged(tx, services, location_code)
      return succeed({ saved: true })
    }),
})

const offeredText = ({ retiredOn }: Offer) => (retiredOn === null ? 'yes' : 'no')

function changesOf(offer: Offer, wanted: Offer): Record<string, [string, string]> {
  const of: Record<string, [string, string]> = {
    name: [offer.name, wanted.name],
    amount: [offerAmount(offer), offerAmount(wanted)],
    offered: [offeredText(offer), offeredText(wanted)],
  }
  return Object.fromEntries(Object.entries(of).filter(([, [before, after]]) => before !== after))
}

/** Why an offer cannot become this; null where it can. */
function refusalOf(offer: Offer, wanted: Offer, before: { name: string; amount: number; offered: boolean }) {
  const same = (a: Offer, b: Pick<Offer, 'name' | 'amount'>) => a.name === b.name && a.amount === b.amount
  if (!same(offer, before) || (offer.retiredOn === null) !== before.offered)
    return refuse(409, 'changed', `${changedSince} It is now ${offer.name}, ${offerAmount(offer)}.`)
  if (same(offer, wanted) && offer.retiredOn === wanted.retiredOn) return refuse(409, 'same', nothingChanged)
  if (wanted.amount > offer.most) return invalid('amount', `At most ${offerAmount({ ...offer, amount: offer.most })}.`)
  if (meaningOf(offer) !== meaningOf(wanted)) return invalid('name', meaningStays)
  const misnamed = wanted.amount !== offer.amount && wanted.name === offer.name && namesItsAmount(offer)
  return misnamed ? refuse(409, 'named', amountNamed) : null
}

/** Of a new name, and of what is offered again: another one may stand in its place. */
function refusalAmong(offers: readonly Offer[], offer: Offer, wanted: Offer): Refusal | null {
  if (wanted.retiredOn !== null || (offer.retiredOn === null && offer.name === wanted.name)) return null
  const other = inItsPlace(offers, wanted)
  return other ? refuse(409, 'taken', insteadOf(other.name)) : null
}

const none = v.optional(v.literal(''), '')

/** A fee, plan or discount that was not there before. */
export const AddOffer = internalOperation({
  name: 'AddOffer',
  access: { staff: may('setup.save') },
  input: v.variant('kind', [
    v.object({
      location_code: locationCode(),
      kind: v.literal('fee'),
      name,
      amount,
      reason: setupReason,
      charged: v.picklist(Object.keys(chargedWhen) as (keyof typeof chargedWhen)[], 'Choose when it is charged.'),
      unit_type_id: v.nullable(v.pipe(v.number(), v.integer())),
      coverage: none,
      terminology: none,
      by: none,
    }),
    v.object({
      location_code: locationCode(),
      kind: v.literal('plan'),
      name,
      amount,
      reason: setupReason,
      coverage: v.pipe(cents, v.minValue(100, 'Enter what it covers.'), v.maxValue(100_000_000, 'That is too much.')),
      terminology: v.pipe(
        plainText,
        v.trim(),
        v.check((typed) => webText(4000).read(typed) !== undefined, `Enter ${webText(4000).shape}.`),
      ),
      charged: none,
      unit_type_id: v.null(),
      by: none,
    }),
    v.object({
      location_code: locationCode(),
      kind: v.literal('discount'),
      name,
      amount,
      reason: setupReason,
      by: v.picklist(['percent', 'price'], 'Choose what it gives.'),
      unit_type_id: v.nullable(v.pipe(v.number(), v.integer())),
      charged: none,
      coverage: none,
      terminology: none,
    }),
  ]),
  example: {
    input: {
      location_code: 'ATL01',
      kind: 'fee',
      name: 'Lock Cut Fee',
      amount: 4500,
      charged: 'on_choice',
      unit_type_id: null,
      reason: 'New price list',
    },
  },
  run: (services, input, callers) =>
    services.db.transaction(async (tx) => {
      const { location_code, kind, name, amount, unit_type_id: unitTypeId } = input
      const charged = input.charged || null
      const byPercent = input.by === 'percent'
      if (!(await lockFacility(tx, location_code))) return notOnFile
      if (amount > mostOf(byPercent))
        return invalid('amount', `At most ${offerAmount({ amount: mostOf(byPercent), byPercent })}.`)
      // It is charged each period to those who choose it; charged to all as well, they would pay twice.
      if (kind === 'fee' && name === fee24HourAccess && charged !== 'on_choice')
        return invalid('charged', accessOnChoice)
      if (unitTypeId !== null && !(await isTypeOffered(tx, location_code, unitTypeId))) return notOnFile
      const offer = { kind, name, amount, byPercent, charged, unitTypeId }
      const other = inItsPlace(await offersAt(tx, location_code), offer)
      if (other) return refuse(409, 'taken', insteadOf(other.name))
      const { coverage, terminology } = input
      const id = await addOffer(tx, location_code, { ...offer, coverage: coverage || 0, terminology })
      await audit(tx, services, staffActor(callers), {
        kind: 'offer.added',
        details: { what: `${name} at ${location_code}, ${offerAmount(offer)}` },
        permission: 'setup.save',
        locationCode: location_code,
        reason: input.reason,
      })
      await facilityChanged(tx, services, location_code)
      return succeed({ id })
    }),
})

const isTypeOffered = (tx: Parameters<typeof offersAt>[0], location_code: string, unit_type_id: number) =>
  tx
    .selectFrom('unit_types')
    .select('unit_type_id')
    .where((eb) => eb.and({ location_code, unit_type_id }))
    .where('retired_on', 'is', null)
    .executeTakeFirst()

export const offerOperations = [SaveOffer, AddOffer]
