import type { Services } from '../../../platform/operations/services.ts'
import { type Composers, leaseOf, loadLetters, nothing, renter } from './facts.ts'

async function transferOf(services: Services, transferId: string) {
  const transfer = await services.db.read
    .selectFrom('transfers')
    .selectAll()
    .where('transfer_id', '=', transferId)
    .executeTakeFirst()
  const of =
    transfer && (await leaseOf(services, { locationCode: transfer.location_code, leaseNumber: transfer.lease_number }))
  if (!of || of.tenant.email === '' || transfer.ends_on === null) return null
  const facts = {
    ...renter(of, of.tenant.first, transfer.unit_number),
    toUnit: transfer.to_unit_number,
    endsOn: transfer.ends_on,
  }
  return { transfer, of, facts }
}

export const transferNotices: Composers<'transfer_signed' | 'transfer_completed'> = {
  async transfer_signed(services, { transferId }) {
    const found = await transferOf(services, transferId)
    // Stays in both after all, or has moved by now: the next mail says so.
    if (found?.transfer.state !== 'moving') return nothing
    const { of, facts } = found
    return { to: of.tenant.email, notice: (await loadLetters()).transferSigned(facts) }
  },

  async transfer_completed(services, { transferId }) {
    const found = await transferOf(services, transferId)
    if (found?.transfer.state !== 'done') return nothing
    const { transfer, of, facts } = found
    const notice = (await loadLetters()).transferCompleted({
      ...facts,
      moved: transfer.moved_cents,
      owed: Math.max(of.lease.balance, 0),
    })
    return { to: of.tenant.email, notice }
  },
}
