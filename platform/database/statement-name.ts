/** What a trace calls a statement: its verb and its first table, never a value. */
import type { CompiledQuery, OperationNode } from 'kysely'

type Node = OperationNode & {
  [part: string]: unknown
}

/** @returns '' where it is no table, such as a sub-query */
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

/** @returns such as `select leases`; of a statement written by hand its first word */
export function statementName({ query, sql }: Pick<CompiledQuery, 'query' | 'sql'>): string {
  const table = verbs[query.kind]
  if (!table) return /^[\s(]*([a-z]+)/i.exec(sql)?.[1]?.toLowerCase() ?? 'statement'
  return `${query.kind.replace('QueryNode', '').toLowerCase()} ${tableOf(table(query as unknown as Node) as Node)}`.trim()
}
