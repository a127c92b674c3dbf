/**
 * What the specification names can be called: `operations.txt` and `resources.txt` are its lists. A name that disappears
 * from the catalogue fails here, and so does one that is built while still listed as missing.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { catalogue } from '../../api/catalogue.ts'

const listed = (file: string) =>
  readFileSync(join(import.meta.dirname, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')

/** Named by the specification and not yet built. Only ever becomes shorter. */
const missing: Record<'operations' | 'resources', readonly string[]> = {
  operations: [],
  resources: [],
}

/** Of our own besides the specified ones; each has its reason in its declaration. */
const ours: Record<'operations' | 'resources', readonly string[]> = {
  operations: [],
  resources: ['POST /api/auction_winners/{id}/acknowledge_rules'],
}

describe('the catalogue has the specified names', () => {
  for (const kind of ['operations', 'resources'] as const) {
    const specified = listed(`${kind}.txt`)
    const called = catalogue()[kind]

    it(`${kind}: each that is specified can be called`, () => {
      expect(specified.length).toBeGreaterThan(20)
      expect(specified.filter((name) => !called.includes(name)).sort()).toEqual([...missing[kind]].sort())
    })

    it(`${kind}: none has crept in, and none is declared twice`, () => {
      expect(called.filter((name) => !specified.includes(name)).sort()).toEqual([...ours[kind]].sort())
      expect(new Set(called).size).toBe(called.length)
    })
  }
})
