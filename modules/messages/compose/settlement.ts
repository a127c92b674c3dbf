import { type Composers, leaseOf, loadLetters, nothing, renter } from './facts.ts'

export const settlementNotices: Composers<'settlement_link'> = {
  async settlement_link(services, { uuid }) {
    const link = await services.db.read
      .selectFrom('settlements')
      .selectAll()
      .where('uuid', '=', uuid)
      .where('state', '=', 'open')
      .executeTakeFirst()
    const of = link && (await leaseOf(services, { locationCode: link.location_code, leaseNumber: link.lease_number }))
    if (!link || !of || of.tenant.email === '') return nothing
    return {
      to: of.tenant.email,
      notice: (await loadLetters()).settlementLink({
        ...renter(of, of.tenant.first, link.unit_number),
        owed: of.lease.balance,
        settlesFor: link.settlement_amount,
        payUrl: `${services.publicUrl}/past-due-payment/${uuid}`,
      }),
    }
  },
}
