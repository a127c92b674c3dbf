import { type Composers, loadLetters, nothing, paidLease } from './facts.ts'

export const ledgerNotices: Composers<'ledger_changed'> = {
  async ledger_changed(services, { locationCode, leaseNumber, act, entryIds }) {
    const of = await paidLease(services, { locationCode, leaseNumber })
    const entries = await services.db.read
      .selectFrom('ledger_entries')
      .select(['description', 'cents'])
      .where('entry_id', 'in', entryIds)
      .orderBy('kind')
      .execute()
    if (!of || entries.length === 0) return nothing
    return { to: of.to, notice: (await loadLetters()).ledgerChanged({ ...of.facts, act, entries }) }
  },
}
