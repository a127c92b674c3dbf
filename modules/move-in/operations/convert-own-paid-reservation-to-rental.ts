import * as v from 'valibot'
import { successful } from '../../../domain/texts/payment.ts'
import { locationCode, requiredText } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { findDifferingFields } from '../../../platform/operations/refuse-fields-that-differ-from-record.ts'
import { activeGateCodeOf } from '../../gate/assign-and-activate-gate-codes.ts'
import {
  contradictedFields,
  loadOwnPayment,
  paymentFields,
  refuseContradiction,
} from '../../payments/load-own-payment-and-compare-stated-fields.ts'
import { loadCompletedMoveIn } from '../../payments/open/open-move-in-payment.ts'
import { loadPayment } from '../../payments/payment.ts'
import { recordDenial } from '../../payments/refuse-missing-session-or-denied-payer.ts'
import { unpostedPaymentMessage } from '../../payments/rules/payment-failure-reason.ts'
import { settlePayment } from '../../payments/settle-payment.ts'
import {
  cardMoveInComparisons,
  loadAgreedMoveIn,
  moveInFields,
} from '../internal/compare-request-with-agreed-move-in.ts'

export const ConvertReservationToRental = operation({
  name: 'ConvertReservationtoRentalAndSendLeaseAgreement',
  summary:
    'Turns the paid reservation of an order into a rental, once. Amounts, card fields and ids that the caller sends are compared with our own payment; a difference is 409.',
  access: { rental: (caller, input) => caller.locationCode === input.location_code },
  input: v.object({
    location_code: locationCode(),
    order_id: requiredText(64),
    ...moveInFields,
    ...paymentFields,
  }),
  output: v.object({
    RentalMessage: v.string(),
    RentalLeaseNumber: v.string(),
    UnitNumber: v.string(),
    GateCode: v.string(),
    ErrorMessage: v.string(),
  }),
  wrapper: 'Rental',
  limit: { points: 120, perSeconds: 3600 },
  writes: true,
  example: {
    input: { location_code: 'ATL01', order_id: 'LK3F9A0C44D1E2B7A90C11D2E3', amount: '56.43', payment_method: 'CC' },
    output: {
      RentalMessage: 'Successful',
      RentalLeaseNumber: '10482',
      UnitNumber: '214',
      GateCode: '582914',
      ErrorMessage: '',
    },
  },
  async run(services, { location_code, order_id, res_code, ...request }, callers) {
    const ownOrder = await loadOwnPayment(services, callers, order_id)
    if (ownOrder.location_code !== location_code)
      return recordDenial(services, 'ConvertReservationtoRentalAndSendLeaseAgreement', callers)
    if (res_code !== '' && res_code !== callers.rental?.reservationCode) {
      return refuse(409, 'differs', 'This is not what was paid for.', {
        fields: { res_code: 'is another reservation' },
      })
    }
    // Fields of our order are compared before any change; the provider's card details, after settling.
    const { amount, payment_method, autopay_bit } = request
    const comparisons = await cardMoveInComparisons(
      services,
      await loadAgreedMoveIn(services, ownOrder, request.gate_code, callers),
      request,
    )
    const orderFaults = [
      ...contradictedFields(services, ownOrder, { amount, payment_method, autopay_bit }),
      ...findDifferingFields(request, comparisons),
    ]
    if (orderFaults.length > 0) return refuseContradiction(services, order_id, orderFaults)
    const settlement = await settlePayment(services, order_id, ownOrder)
    const payment = ownOrder.state === 'posted' ? ownOrder : ((await loadPayment(services, order_id)) ?? ownOrder)
    const faults = contradictedFields(services, payment, request)
    if (faults.length > 0) return refuseContradiction(services, order_id, faults)
    const lease = await loadCompletedMoveIn(services, payment)
    if (!lease) {
      const ErrorMessage = unpostedPaymentMessage(settlement, payment.trouble)
      return succeed({ RentalMessage: 'Failed', RentalLeaseNumber: '', UnitNumber: '', GateCode: '', ErrorMessage })
    }
    return succeed({
      RentalMessage: successful,
      RentalLeaseNumber: String(lease.lease_number),
      UnitNumber: lease.unit_number,
      GateCode: activeGateCodeOf(lease),
      ErrorMessage: '',
    })
  },
})
