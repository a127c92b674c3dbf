/** The catalogue of all operations that can be called, over HTTP or in process. */
import { type TestedKind, testedKinds } from '../platform/operations/callers.ts'
import type { InternalOperation, Operation } from '../platform/operations/operation.ts'
import { everyOperation } from './every-operation.ts'

// biome-ignore lint/suspicious/noExplicitAny: a list of operations of every input and output
export type AnyOperation = Operation<any, any>
// biome-ignore lint/suspicious/noExplicitAny: a list of operations of every input and output
type AnyInternal = InternalOperation<any, any>

const declared: readonly (AnyOperation | AnyInternal)[] = everyOperation
const isInternal = (operation: AnyOperation | AnyInternal): operation is AnyInternal => 'exposure' in operation
const internal = declared.filter(isInternal)
const onTheWire = declared.filter((operation): operation is AnyOperation => !isInternal(operation))

const byName = (list: readonly AnyOperation[]): ReadonlyMap<string, AnyOperation> =>
  new Map(list.map((operation) => [operation.name, operation]))

/** Operations that are called by name at `/api/ssm`. */
export const operations = byName(onTheWire.filter(({ name }) => !name.includes(' ')))

/** Operations with their own addresses; their names are method and path. */
export const resources = byName(onTheWire.filter(({ name }) => name.includes(' ')))

const admitsAnyOf = ({ access }: AnyInternal, kinds: readonly TestedKind[]) =>
  access !== 'anyone' && kinds.some((kind) => access[kind] !== undefined)

/**
 * Internal operations open to anyone or to callers other than staff, for pages of the site and the tenant portal; not
 * part of the API.
 */
export const internalOperations = internal.filter(
  (operation) =>
    operation.access === 'anyone' ||
    admitsAnyOf(
      operation,
      testedKinds.filter((kind) => kind !== 'staff'),
    ),
)

/**
 * Internal operations open to staff by role and facility, for office pages. An operation that tenants may call too is
 * also in `internalOperations`.
 */
export const officeOperations = internal.filter((operation) => admitsAnyOf(operation, ['staff']))

/** Returns the names of the operations and resources of the API, for the command `operator catalogue`. */
export const catalogue = () => ({
  operations: [...operations.keys()],
  resources: ['POST /api/ssm', 'POST /api/ssm/{operation}', ...resources.keys()],
})
