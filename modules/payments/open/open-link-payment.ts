import type { Services } from '../../../platform/operations/services.ts'
import { loadBalance } from '../../ledger/load-and-repair-lease-balance.ts'
import {
  type AuctionLink,
  type LinkKind,
  loadAuctionLink,
  loadSettlementLink,
  type SettlementLink,
} from '../../links/auction-and-settlement-link-records.ts'
import { type Customer, customerOf, openProviderCardPage } from '../internal/open-provider-card-page.ts'
import type { LinkPlan } from '../internal/payers/mark-link-paid.ts'
import { findPendingOrder } from '../payment-orders.ts'
import { settleOrdersOf } from '../settle-payment.ts'

export type LinkOpened =
  | { ok: true; orderId: string; payPageUrl: string; amount: number }
  | { ok: false; why: 'paid'; orderId: string }
  | { ok: false; why: 'checking'; orderId: string }
  /**
   * Nothing is due on the lease any more, in which case an auction does not take place. For a settlement, also: the dues
   * are below its amount. For an auction, also: the lease has ended.
   */
  | { ok: false; why: 'nothing_due' }
  | { ok: false; why: 'no_link' }
  /** The winner has not acknowledged the current rules. */
  | { ok: false; why: 'rules_unread' }
  | { ok: false; why: 'unavailable' }

/** An auction winner's or settlement link, with the data that its payment needs. */
interface PayableLink {
  row: AuctionLink | SettlementLink
  ended: boolean
  rulesUnread: boolean
  tenantId: number | null
  plan: LinkPlan
  customer: Customer
}

async function loadPayableLink(services: Services, kind: LinkKind, uuid: string): Promise<PayableLink | null> {
  const noCustomer = customerOf(null)
  const planFields = (row: AuctionLink | SettlementLink) => ({
    uuid: row.uuid,
    unitNumber: row.unit_number,
    facilityName: row.facility_name,
  })
  if (kind === 'auction') {
    const row = await loadAuctionLink(services.db.read, uuid)
    return (
      row && {
        row,
        ended: row.ended,
        rulesUnread: !row.rulesAcknowledged,
        // The winner is not the tenant, so the payment is not the tenant's either.
        tenantId: null,
        plan: { ...planFields(row), name: row.name, cents: row.facility_balance, auctionProceeds: true },
        customer: { ...noCustomer, name: row.name, email: row.email, city: row.city, zip: row.zip },
      }
    )
  }
  const row = await loadSettlementLink(services.db.read, uuid)
  return (
    row && {
      row,
      // A settlement stays due after the lease has ended.
      ended: false,
      rulesUnread: false,
      tenantId: row.tenant_id,
      plan: { ...planFields(row), name: row.tenant_name, cents: row.settlement_amount, auctionProceeds: false },
      customer: { ...noCustomer, name: row.tenant_name },
    }
  )
}

/** Opens the card page for an auction or settlement link. */
export async function openLinkPayment(services: Services, kind: LinkKind, uuid: string): Promise<LinkOpened> {
  const link = await loadPayableLink(services, kind, uuid)
  if (!link) return { ok: false, why: 'no_link' }
  const subject = { linkUuid: link.row.uuid }
  const settledBefore = await settleOrdersOf(services, subject)
  if (settledBefore.posted) return { ok: false, why: 'paid', orderId: settledBefore.posted }
  if (settledBefore.unreachable) return { ok: false, why: 'unavailable' }
  if (link.row.state === 'paid') return { ok: false, why: 'paid', orderId: link.row.order_id ?? '' }
  const pendingOrder = await findPendingOrder(services, subject)
  if (pendingOrder) return { ok: false, why: 'checking', orderId: pendingOrder.order_id }
  const { row, plan, customer, tenantId } = link
  if (link.ended) return { ok: false, why: 'nothing_due' }
  const balance = await loadBalance(services.db.read, row.location_code, row.lease_number)
  if (balance <= 0 || (kind === 'settlement' && balance < plan.cents)) return { ok: false, why: 'nothing_due' }
  if (link.rulesUnread) return { ok: false, why: 'rules_unread' }
  const presented = await openProviderCardPage(services, {
    payer: kind,
    locationCode: row.location_code,
    subject,
    tenantId,
    leaseNumber: row.lease_number,
    amount: plan.cents,
    autopay: false,
    quoteId: null,
    plan: JSON.stringify(plan),
    customer,
  })
  return presented.ok ? { ...presented, amount: plan.cents } : presented
}
