import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { catalogueFile, catalogueNames, catalogueText } from './write-operation-mail-migration-lists.ts'

const root = join(import.meta.dirname, '..')

/** Returns the entries of a list's source text, below its imports, without the quotes that the formatter takes away. */
const entriesOf = (text: string) =>
  [...text.slice(text.indexOf('export const')).matchAll(/^ {2}([\w':-]+(?: \w+)?),$/gm)].map(([, entry]) =>
    entry?.replaceAll("'", ''),
  )

it.each(catalogueNames)('the generated file lists all %s, in the order of `npm run catalogue`', (name) => {
  const listed = entriesOf(readFileSync(join(root, catalogueFile(name)), 'utf8'))
  expect(listed).toEqual(entriesOf(catalogueText(name)))
  expect(listed.length).toBeGreaterThan(5)
})
