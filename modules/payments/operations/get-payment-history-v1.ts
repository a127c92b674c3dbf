import * as v from 'valibot'
import { noonOf, todayIn, wireInstant } from '../../../domain/time-zone-dates.ts'
import { ownTenant } from '../../../platform/operations/callers.ts'
import { date } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { loadToday } from '../../facilities/facility-facts-for-pricing.ts'
import { tenantFields } from '../../tenants/tenant-key-input.ts'
import {
  loadPaymentHistory,
  type MoneyMovement,
  PAYMENT_HISTORY_FROM,
  paymentExample,
  paymentRow,
  toHistoryRow,
} from '../payment-history.ts'

/** Returns an entry's time at the facility, as ISO instant; noon if it was imported or posted for another day. */
const toWireTime = (movement: MoneyMovement): string =>
  wireInstant(
    movement.timeZone,
    !movement.isImported && todayIn(movement.timeZone, movement.at) === movement.postedOn
      ? movement.at
      : noonOf(movement.timeZone, movement.postedOn),
  )

export const GetPaymentHistory_V1 = operation({
  name: 'GetPaymentHistory_V1',
  summary: "A tenant's payments, the newest first, the 12 most recent; negative is money that went back.",
  access: { tenant: ownTenant },
  input: v.object({
    ...tenantFields,
    from_date: v.optional(date(), PAYMENT_HISTORY_FROM),
    to_date: v.optional(date()),
  }),
  output: v.object({
    Payment: v.array(v.object(paymentRow)),
  }),
  writes: false,
  example: {
    input: { location_code: 'ATL01', tenant_id: 1001 },
    output: { Payment: [paymentExample] },
  },
  async run(services, input) {
    const to = input.to_date ?? (await loadToday(services.db.read, services, input.location_code))
    if (to === undefined) return succeed({ Payment: [] })
    const payments = await loadPaymentHistory(
      services.db.read,
      { locationCode: input.location_code, tenantId: input.tenant_id },
      { from: input.from_date, to },
    )
    return succeed({ Payment: payments.map((movement) => toHistoryRow(movement, toWireTime(movement))) })
  },
})
