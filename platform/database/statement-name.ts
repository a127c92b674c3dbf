/** Names SQL statements in traces, by verb and first table, without values. */
import type { CompiledQuery, OperationNode } from 'kysely'

type Node = OperationNode & {
  [part: string]: unknown
}

/** Returns a table node's name; '' for anything else, such as a sub-query. */
function tableOf(node: Node | undefined): string {
  if (node?.kind === 'TableNode') return (node.table as { identifier: { name: string } }).identifier.name
  return node?.kind === 'AliasNode' ? tableOf(node.node as Node) : ''
}

const verbs: Record<string, (node: Node) => unknown> = {
  SelectQueryNode: ({ from }) => (from as { froms: Node[] } | undefined)?.froms[0],
  InsertQueryNode: ({ into }) => into,
  UpdateQueryNode: ({ table }) => table,
  DeleteQueryNode: ({ from }) => (from as { froms: Node[] }).froms[0],
}

/** Returns a statement's name, such as `select leases`; for raw SQL its first word. */
export function statementName({ query, sql }: Pick<CompiledQuery, 'query' | 'sql'>): string {
  const table = verbs[query.kind]
  if (!table) return /^[\s(]*([a-z]+)/i.exec(sql)?.[1]?.toLowerCase() ?? 'statement'
  return `${query.kind.replace('QueryNode', '').toLowerCase()} ${tableOf(table(query as unknown as Node) as Node)}`.trim()
}
