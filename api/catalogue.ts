/** Everything that can be called, by HTTP and in process; nothing else can. */
import { type CallerKind, callerKinds } from '../platform/operations/callers.ts'
import type { InternalOperation, Operation } from '../platform/operations/operation.ts'
import { everyOperation } from './operations.ts'

// biome-ignore lint/suspicious/noExplicitAny: a list of operations of every input and output
export type AnyOperation = Operation<any, any>
// biome-ignore lint/suspicious/noExplicitAny: a list of operations of every input and output
type AnyInternal = InternalOperation<any, any>

const declared = everyOperation as readonly (AnyOperation | AnyInternal)[]
const isInternal = (one: AnyOperation | AnyInternal): one is AnyInternal => 'exposure' in one
const internal = declared.filter(isInternal)
const onTheWire = declared.filter((one): one is AnyOperation => !isInternal(one))

const byName = (list: readonly AnyOperation[]): ReadonlyMap<string, AnyOperation> =>
  new Map(list.map((one) => [one.name, one]))

/** Called by name at `/api/ssm`. */
export const operations = byName(onTheWire.filter(({ name }) => !name.includes(' ')))

/** Called at addresses of their own: their names are method and path. */
export const resources = byName(onTheWire.filter(({ name }) => name.includes(' ')))

const isFor = ({ access }: AnyInternal, kinds: readonly CallerKind[]) =>
  access !== 'anyone' && kinds.some((kind) => access[kind] !== undefined)

/** Called by the public pages; none of them is mounted or described. */
export const internalOperations = internal.filter(
  (one) =>
    one.access === 'anyone' ||
    isFor(
      one,
      callerKinds.filter((kind) => kind !== 'staff'),
    ),
)

/** Called by the pages of the office, by role and facility. */
export const officeOperations = internal.filter((one) => isFor(one, ['staff']))

/** What `operator catalogue --json` prints, with the two envelope addresses. */
export const catalogue = () => ({
  operations: [...operations.keys()],
  resources: ['POST /api/ssm', 'POST /api/ssm/{operation}', ...resources.keys()],
})
