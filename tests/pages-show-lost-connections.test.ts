/** A page that catches a lost connection when its form is sent says so. Otherwise its button would do nothing. */
import { expect, it } from 'vitest'
import { sourcesOf } from './structure.ts'

it('pages that catch a lost connection show it', () => {
  const pages = sourcesOf('app').filter(({ text }) => text.includes('as clientAction }'))
  expect(pages.length).toBeGreaterThan(30)
  expect(pages.filter(({ text }) => !text.includes('actionData')).map(({ path }) => path)).toEqual([])
})
