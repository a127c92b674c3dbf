import { unitCategoryOf } from '../../leases/lease.ts'
import { type Composers, leaseOf, loadLetters, nothing } from './facts.ts'

export const moveOutNotices: Composers<'move_out_scheduled'> = {
  async move_out_scheduled(services, { moveOutId }) {
    const moveOut = await services.db.read
      .selectFrom('move_outs')
      .selectAll()
      .where('move_out_id', '=', moveOutId)
      .executeTakeFirst()
    const of =
      moveOut && (await leaseOf(services, { locationCode: moveOut.location_code, leaseNumber: moveOut.lease_number }))
    // Taken back before the mail had left: it would say what is no longer so.
    if (!of || of.tenant.email === '' || moveOut.state === 'cancelled') return nothing
    return {
      to: of.tenant.email,
      notice: (await loadLetters()).moveOutScheduled({
        brand: of.brand,
        facility: of.facility,
        name: of.tenant.first,
        unitNumber: of.lease.unit_number,
        unitCategory: await unitCategoryOf(services, of.lease),
        moveOutDate: moveOut.move_out_date,
      }),
    }
  },
}
