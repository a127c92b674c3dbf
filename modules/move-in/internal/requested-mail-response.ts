import * as v from 'valibot'
import { isTenant } from '../../../platform/database/tenant-and-lease-conditions.ts'
import type { Callers } from '../../../platform/operations/callers.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Payment } from '../../payments/payment.ts'
import { isOwnPayment } from '../../payments/receipt.ts'

export const noticeResponse = v.object({ result: v.string(), message: v.string() })

/** Returns the 409 refusal for a request to mail about a payment that does not exist. */
export const nothingToSend = () => refuse(409, 'nothing_to_send', 'There is no completed payment to write about.')

/** Returns the response for a requested mail: whether it was sent or waits; a refusal where there is none to send. */
export const respondToNotice = (state: 'none' | 'waiting' | 'sent') =>
  state === 'none'
    ? nothingToSend()
    : succeed({ result: state, message: state === 'sent' ? 'It was sent.' : 'It is on its way.' })

/** Loads the caller's newest posted payment; undefined without one. */
export async function lastOwnPayment(services: Services, callers: Callers): Promise<Payment | undefined> {
  const mine = () =>
    services.db.read
      .selectFrom('payments')
      .selectAll()
      .where('state', 'in', ['posted', 'returned'])
      .orderBy('created_at', 'desc')
      .limit(20)
  const { rental, tenant, guest, auction, settlement } = callers
  const found = [
    ...(rental ? await mine().where('draft_id', '=', rental.draftId).execute() : []),
    ...(auction ? await mine().where('link_uuid', '=', auction.uuid).execute() : []),
    ...(settlement ? await mine().where('link_uuid', '=', settlement.uuid).execute() : []),
  ]
  for (const one of [...(tenant?.tenants ?? []), ...(guest?.tenants ?? [])]) {
    found.push(
      ...(await mine()
        .where(isTenant({ location_code: one.locationCode, tenant_id: one.tenantId }))
        .execute()),
    )
  }
  return found.filter((payment) => isOwnPayment(callers, payment)).sort((a, b) => b.created_at - a.created_at)[0]
}
