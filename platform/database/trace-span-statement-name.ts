/** Names SQL statements in traces, by verb and first table, without values. */
import { AliasNode, type CompiledQuery, type OperationNode, TableNode } from 'kysely'

/** Returns the name of a table node, or of the table that is aliased; '' for anything else, such as a sub-query. */
function tableOf(node: OperationNode | undefined): string {
  if (node === undefined) return ''
  if (TableNode.is(node)) return node.table.identifier.name
  return AliasNode.is(node) ? tableOf(node.node) : ''
}

/** Returns a statement's verb and its first table; null for raw SQL and statements of other kinds. */
function verbAndTable(query: CompiledQuery['query']): [verb: string, table: OperationNode | undefined] | null {
  switch (query.kind) {
    case 'SelectQueryNode':
      return ['select', query.from?.froms[0]]
    case 'InsertQueryNode':
      return ['insert', query.into]
    case 'UpdateQueryNode':
      return ['update', query.table]
    case 'DeleteQueryNode':
      return ['delete', query.from.froms[0]]
    default:
      return null
  }
}

/**
 * Returns a statement's name, such as `select leases`; for raw SQL and statements of other kinds the first word, or
 * 'statement' without one.
 */
export function statementName({ query, sql }: Pick<CompiledQuery, 'query' | 'sql'>): string {
  const parts = verbAndTable(query)
  if (!parts) return /^[\s(]*([a-z]+)/i.exec(sql)?.[1]?.toLowerCase() ?? 'statement'
  const [verb, table] = parts
  return `${verb} ${tableOf(table)}`.trim()
}
