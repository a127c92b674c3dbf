import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { everyOperation } from './operations.ts'
import { catalogueText } from './write-catalogue.ts'

const namesIn = (text: string) => [...text.matchAll(/^ {2}(\w+),$/gm)].map(([, name]) => name)

it('lists every operation that a subject declares: npm run catalogue', () => {
  const listed = namesIn(readFileSync(join(import.meta.dirname, 'operations.ts'), 'utf8'))
  expect(listed).toEqual(namesIn(catalogueText('operations')))
  expect(everyOperation).toHaveLength(listed.length)
})
