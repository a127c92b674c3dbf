import { todayIn } from '../../../domain/dates.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { facilityPath } from '../../facilities/facility.ts'
import { facilityFacts } from '../../facilities/facts.ts'
import { sizeLabel } from '../../facilities/rules/unit-type.ts'
import { ordersOfReservation, recordedOrders } from '../../payments/payment.ts'
import { priceMoveIn } from '../../pricing/move-in-price.ts'
import { agreedTerms } from '../../pricing/offers.ts'
import { waitIsOver, waitOf } from '../../reservations/waitlist.ts'
import { type Composers, loadLetters, nothing, placeOf, renter, reservationOf } from './facts.ts'

export const reservationNotices: Composers<
  'reservation_confirmed' | 'reservation_cancelled' | 'hold_expired' | 'unit_free'
> = {
  async reservation_confirmed(services, key) {
    const of = await reservationOf(services, key)
    // A rental that is paid for by now has had its own mail.
    if (key.rentNow && of?.reservation.status !== 'active') return nothing
    const facts = of && (await facilityFacts(services, [key.locationCode])).get(key.locationCode)
    const type = facts?.unitTypes.find((one) => one.unit_type_id === of?.reservation.unit_type_id)
    const prospect = await services.db.read
      .selectFrom('prospects')
      .select(['uuid', 'location_code'])
      // Unique by itself: with the location beside it, PostgreSQL may go through all of the location's.
      .where('res_code', '=', key.reservationCode)
      .executeTakeFirst()
    if (!of || !facts || !type || prospect?.location_code !== key.locationCode || of.tenant.email === '') return nothing
    const terms = agreedTerms(facts, type, of.reservation)
    const [scheme] = [...facts.schemes].sort((a, b) => a.premium - b.premium)
    const charges = priceMoveIn(facts, type, {
      moveInDate: of.reservation.required_date,
      discount: terms.discount,
      scheme: scheme ?? null,
      access24: false,
      cardFee: false,
      agreed: terms,
    })
    return {
      to: of.tenant.email,
      notice: (await loadLetters()).reservationConfirmed({
        ...renter(of, of.tenant.first, of.reservation.unit_number),
        reservationCode: of.reservation.reservation_code,
        size: `${sizeLabel(type)}, ${type.category_name}`,
        moveInDate: of.reservation.required_date,
        holdUntil: of.reservation.hold_until,
        charges,
        rentNow: key.rentNow === true,
        orders: recordedOrders(await ordersOfReservation(services.db.read, key)),
        resumeUrl: `${services.publicUrl}/reservation/${prospect.uuid}`,
        cancelUrl: `${services.publicUrl}/reservation/${prospect.uuid}/cancel`,
      }),
    }
  },

  async reservation_cancelled(services, key) {
    const ended = await endedReservation(services, key)
    return ended && { to: ended.to, notice: (await loadLetters()).reservationCancelled(ended.facts) }
  },

  async hold_expired(services, key) {
    const ended = await endedReservation(services, key)
    if (ended?.status !== 'expired') return nothing
    return { to: ended.to, notice: (await loadLetters()).holdExpired(ended.facts) }
  },

  async unit_free(services, { waitlistId }) {
    const wait = await waitOf(services, waitlistId)
    const place = wait && (await placeOf(services, wait.location_code))
    const facts = wait && (await facilityFacts(services, [wait.location_code])).get(wait.location_code)
    const type = facts?.unitTypes.find((one) => one.unit_type_id === wait?.unit_type_id)
    if (!wait || !place || !type) return nothing
    return {
      to: wait.email,
      notice: (await loadLetters()).unitFree({
        brand: place.brand,
        facility: place.facility,
        size: `${sizeLabel(type)} ${type.category_name}`,
        askedOn: todayIn(place.facility.timeZone, wait.created_at),
        unitsUrl: `${services.publicUrl}${facilityPath(place.location)}`,
      }),
      sent: () => waitIsOver(services, waitlistId),
    }
  },
}

/** A reservation that holds no unit any more; null where its mail has no recipient. */
async function endedReservation(services: Services, key: { locationCode: string; reservationCode: string }) {
  const of = await reservationOf(services, key)
  if (!of || of.tenant.email === '') return null
  return {
    to: of.tenant.email,
    status: of.reservation.status,
    facts: {
      ...renter(of, of.tenant.first, of.reservation.unit_number),
      reservationCode: of.reservation.reservation_code,
      orders: recordedOrders(await ordersOfReservation(services.db.read, key)),
      againUrl: `${services.publicUrl}${facilityPath(of.location)}`,
    },
  }
}
