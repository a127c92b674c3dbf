/** The specified wire, kept apart from the declarations: `wire.txt` lists every operation and resource. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type AnyOperation, operations, resources } from '../api/catalogue.ts'

/** A rental session is 'new' where it made its tenant, 'on file' where its tenant was there before. */
export type Kind = 'tenant' | 'guest' | 'registrant' | 'new' | 'on file' | 'auction' | 'settlement'

export interface Specified {
  /** With a star: for any record. Else only for the caller's own. */
  callers: 'anyone' | (Kind | `${Kind}*`)[]
  takes: string[]
  /** Values that differ from the record or the agreement, by field: each is answered 409. */
  refuses: Record<string, unknown>
  /** Fields of the answer: `a.b` within one another, `a[].b` in each of a list. */
  answers: string[]
}

const blocks = readFileSync(join(import.meta.dirname, 'wire.txt'), 'utf8')
  .trimEnd()
  .split(/\n(?! )/)

const listOf = (text = '') => (text === '' ? [] : text.split(', '))

/** By wire name. */
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
