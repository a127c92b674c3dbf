/** The specified wire format, independent of the declarations: `wire.txt` lists every operation and resource. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type AnyOperation, operations, resources } from '../api/catalogue.ts'

/** Kind of caller. A rental session is 'new' when it created its tenant, 'on file' when the tenant existed before. */
export type Kind = 'tenant' | 'guest' | 'registrant' | 'new' | 'on file' | 'auction' | 'settlement'

export interface Specified {
  /** Callers with access. A star means to any record, otherwise only to the caller's own. */
  callers: 'anyone' | (Kind | `${Kind}*`)[]
  takes: string[]
  /** Values that differ from the record or agreement, by field. Each is answered with 409. */
  refuses: Record<string, unknown>
  /** Fields of the response: `a.b` for nested ones, `a[].b` for those of each list entry. */
  answers: string[]
}

const blocks = readFileSync(join(import.meta.dirname, 'wire.txt'), 'utf8')
  .trimEnd()
  .split(/\n(?! )/)

const listOf = (text = '') => (text === '' ? [] : text.split(', '))

/** Parsed specification of each operation, by its name in requests. */
export const specified: ReadonlyMap<string, Specified> = new Map(
  blocks.map((block) => {
    const [name = '', ...lines] = block.split('\n')
    const { callers, takes, refuses, answers } = Object.fromEntries(
      lines.map((line) => line.trim().split(/: ?(.*)/s, 2) as [string, string]),
    )
    return [
      name,
      {
        callers: callers === 'anyone' ? callers : (listOf(callers) as Kind[]),
        takes: listOf(takes),
        refuses: JSON.parse(refuses ?? '{}'),
        answers: listOf(answers),
      },
    ]
  }),
)

export const everyOperation: readonly AnyOperation[] = [...operations.values(), ...resources.values()]
