import type { Kysely } from 'kysely'
import type { Tables } from '../../../platform/schema/tables.ts'
import type { Lease } from '../../leases/lease.ts'
import { paidWinnerQuery } from '../../links/paid-auction-winners.ts'
import { isPaymentPending } from '../../payments/is-payment-pending.ts'
import { isFlagged } from '../../tenants/flags.ts'
import { transferBlock } from '../rules/transfer.ts'
import type { TransferBlock } from '../texts/transfer.ts'
import { loadOpenTransfer } from '../transfer-rows.ts'

/** Returns why the lease cannot be transferred now; null when it can. */
export async function loadTransferBlock(
  db: Kysely<Tables>,
  lease: Lease,
  mayTransferWithBalance: boolean,
): Promise<TransferBlock | null> {
  const { location_code: locationCode, lease_number: leaseNumber, tenant_id: tenantId } = lease
  const open = await loadOpenTransfer(db, lease)
  return transferBlock({
    closed: lease.status === 'Closed',
    sold: (await paidWinnerQuery(db, { locationCode, leaseNumber }).executeTakeFirst()) !== undefined,
    auction: lease.auction_prepped === 1,
    lien: await hasLienCase(db, lease),
    open: open ? (open.state === 'moving' ? 'moving' : 'offered') : null,
    leaving: lease.scheduled_move_out !== null,
    unsigned: lease.terms_required === 1,
    paying: await isPaymentPending(db, lease),
    balance: lease.balance,
    mayTransferWithBalance,
    isDoNotRent: await isFlagged(db, { locationCode, tenantId }, 'do_not_rent'),
  })
}

async function hasLienCase(db: Kysely<Tables>, { location_code, lease_number }: Lease): Promise<boolean> {
  const lienCase = await db
    .selectFrom('lien_cases')
    .select('case_id')
    .where((eb) => eb.and({ location_code, lease_number }))
    .where('state', 'in', ['open', 'sold'])
    .limit(1)
    .executeTakeFirst()
  return lienCase !== undefined
}
