import {
  ColumnNode,
  InsertQueryNode,
  type KyselyPlugin,
  type QueryId,
  type RootOperationNode,
  TableNode,
  UpdateQueryNode,
  ValueNode,
} from 'kysely'
import type { Database, Transaction } from '../../platform/database/open.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'

/**
 * Point that an operation under test has just reached: it has run an insert or update, committed it, ended the work of
 * a transaction before its commit, committed the transaction, or received a response of card provider or bank. `set`
 * contains the columns that an update sets, undefined where it sets them by an expression; {} for an insert.
 */
export type Moment =
  | { at: 'written' | 'committed'; write: 'insert' | 'update'; table: string; set: Record<string, unknown> }
  | { at: 'work done' | 'transaction committed' }
  | { at: 'answered'; call: string }

type Write = Omit<Extract<Moment, { table: string }>, 'at'>

/**
 * Wraps the services of an operation under test so that they call `reached` at each `Moment`. `reached` may throw, to
 * simulate a crash at that point.
 */
export function observeServices<Observed extends Services>(
  services: Observed,
  reached: (moment: Moment) => void,
): Observed {
  return {
    ...services,
    db: observeDatabase(services.db, reached),
    cardProvider: observePartner(services.cardProvider, reached),
    bank: observePartner(services.bank, reached),
  }
}

function observeDatabase(db: Database, reached: (moment: Moment) => void): Database {
  // A statement outside a transaction commits by itself.
  const commitsAlone = observeWrites((write) => {
    reached({ at: 'written', ...write })
    reached({ at: 'committed', ...write })
  })
  return {
    ...db,
    write: db.write.withPlugin(commitsAlone),
    withoutFsync: (work) => db.withoutFsync((on) => work(on.withPlugin(commitsAlone))),
    async transaction<T>(work: (tx: Transaction<Tables>) => Promise<T>): Promise<T> {
      let writes: Write[] = []
      const recording = observeWrites((write) => {
        writes.push(write)
        reached({ at: 'written', ...write })
      })
      const result = await db.transaction(async (tx) => {
        // A transaction is repeated after a conflict; only the writes of its last attempt are committed.
        writes = []
        const done = await work(tx.withPlugin(recording))
        reached({ at: 'work done' })
        return done
      })
      for (const write of writes) reached({ at: 'committed', ...write })
      reached({ at: 'transaction committed' })
      return result
    },
  }
}

/** Returns a Kysely plugin that calls `written` after each insert or update. */
function observeWrites(written: (write: Write) => void): KyselyPlugin {
  const pending = new WeakMap<QueryId, Write>()
  return {
    transformQuery({ node, queryId }) {
      const write = writeOf(node)
      if (write) pending.set(queryId, write)
      return node
    },
    async transformResult({ result, queryId }) {
      const write = pending.get(queryId)
      if (write) written(write)
      return result
    },
  }
}

function writeOf(node: RootOperationNode): Write | null {
  if (InsertQueryNode.is(node)) return { write: 'insert', table: node.into?.table.identifier.name ?? '', set: {} }
  if (!UpdateQueryNode.is(node) || !node.table || !TableNode.is(node.table)) return null
  const set = (node.updates ?? []).flatMap(({ column, value }) =>
    ColumnNode.is(column) ? [[column.column.name, ValueNode.is(value) ? value.value : undefined]] : [],
  )
  return { write: 'update', table: node.table.table.identifier.name, set: Object.fromEntries(set) }
}

function observePartner<Port extends object>(port: Port, reached: (moment: Moment) => void): Port {
  return new Proxy(port, {
    get(target, name) {
      const own = Reflect.get(target, name)
      if (typeof own !== 'function') return own
      return async (...input: unknown[]) => {
        const result = await own.apply(target, input)
        reached({ at: 'answered', call: String(name) })
        return result
      }
    },
  })
}
