import {
  type BinaryOperationNode,
  type LimitNode,
  type OperationNode,
  PrimitiveValueListNode,
  ReferenceNode,
  SqliteQueryCompiler,
  ValueNode,
} from 'kysely'

/** Columns that conditions of partial indexes compare with words or digits by `=`, `<>` or `in`: `status <> 'Closed'`. */
export const partialIndexColumns: ReadonlySet<string> = new Set([
  'active',
  'gone',
  'kind',
  'overlocked',
  'state',
  'status',
])

/**
 * Compiles statements for SQLite with limits, and values compared with `partialIndexColumns`, written out. If they were
 * bound, SQLite would plan the statement again for each call, since its plan depends on them.
 */
export class LiteralSqliteQueryCompiler extends SqliteQueryCompiler {
  #isLiteral = false

  protected override visitLimit(node: LimitNode): void {
    this.#isLiteral = ValueNode.is(node.limit)
    super.visitLimit(node)
    this.#isLiteral = false
  }

  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const { leftOperand, rightOperand } = node
    this.#isLiteral =
      isPartialIndexColumn(leftOperand) && (ValueNode.is(rightOperand) || PrimitiveValueListNode.is(rightOperand))
    super.visitBinaryOperation(node)
    this.#isLiteral = false
  }

  protected override appendValue(parameter: unknown): void {
    if (this.#isLiteral && mayBeLiteral(parameter)) this.appendImmediateValue(parameter)
    else super.appendValue(parameter)
  }
}

const isPartialIndexColumn = (operand: OperationNode): boolean =>
  ReferenceNode.is(operand) && 'column' in operand.column && partialIndexColumns.has(operand.column.column.name)

/** Returns whether a value is a whole number, or a short text of letters, spaces, `_` and `-`, such as 'Past Due'. */
const mayBeLiteral = (value: unknown): value is string | number =>
  Number.isSafeInteger(value) || (typeof value === 'string' && /^[A-Za-z][A-Za-z _-]{0,30}$/.test(value))
