import type { Expression, ExpressionBuilder, Kysely, Selectable, SqlBool } from 'kysely'
import type { Cents } from '../../../domain/money.ts'
import type { LedgerEntriesTable, Tables } from '../../../platform/schema/tables.ts'
import type { Lease } from '../../leases/lease.ts'

export interface LedgerEntry extends Selectable<LedgerEntriesTable> {
  /** Balance after this entry and all before it, in cents. */
  balance: Cents
}

/** A page of a lease's ledger. */
export interface LedgerPage {
  /** Entries of the page, newest first. */
  entries: LedgerEntry[]
  /** Cursor of the next page with older entries; null when there are none. */
  older: string | null
}

const PAGE_SIZE = 50

/**
 * Returns a page of a lease's ledger entries, each with the balance after it.
 * @param after `older` of the previous page; null or invalid for the newest page
 */
export async function loadLedgerPage(
  db: Kysely<Tables>,
  lease: Pick<Lease, 'location_code' | 'lease_number' | 'balance'>,
  after: string | null = null,
): Promise<LedgerPage> {
  const cursor = /^(\d{4}-\d\d-\d\d)~(\d{1,15})~([\w-]{1,40})$/.exec(after ?? '')
  const [, day = '', at, id = ''] = cursor ?? []
  const compareToCursor =
    (sign: '<' | '>=') =>
    (eb: ExpressionBuilder<Tables, 'ledger_entries'>): Expression<SqlBool> =>
      eb(eb.refTuple('posted_on', 'created_at', 'entry_id'), sign, eb.tuple(day, Number(at), id))
  const query = db
    .selectFrom('ledger_entries')
    .where((eb) => eb.and({ location_code: lease.location_code, lease_number: lease.lease_number }))
  const [rows, newer] = await Promise.all([
    query
      .selectAll()
      .$if(cursor !== null, (query) => query.where(compareToCursor('<')))
      .orderBy('posted_on', 'desc')
      .orderBy('created_at', 'desc')
      .orderBy('entry_id', 'desc')
      // One extra row shows whether older entries exist.
      .limit(PAGE_SIZE + 1)
      .execute(),
    cursor === null
      ? undefined
      : query
          .select((eb) => eb.fn.sum<number | null>('cents').as('cents'))
          .where(compareToCursor('>='))
          .executeTakeFirst(),
  ])
  let balance = lease.balance - Number(newer?.cents ?? 0)
  const entries = rows.slice(0, PAGE_SIZE).map((row) => {
    const entry = { ...row, balance }
    balance -= row.cents
    return entry
  })
  const last = entries.at(-1)
  return {
    entries,
    older: rows.length > PAGE_SIZE && last ? `${last.posted_on}~${last.created_at}~${last.entry_id}` : null,
  }
}
