import { expect, it } from 'vitest'
import { nextPage } from './page-after-sign-in.ts'

it.each([
  '//evil.example/office',
  '/\\evil.example/office',
  '/%2fevil.example/office',
  'https://evil.example/office',
  '/office/..//evil.example',
  '/office/../my-units',
  '/office/%2e%2e/my-units',
  '/officers',
  '/office.data',
  '/office/%zz',
  // Sign-in must not lead to sign-out or to another sign-in page.
  '/office/sign-out',
  '/office/Sign-Out',
  '/office/%73ign-out',
  '/office/./sign-out/',
  '/office/SIGN-IN?next=%2Foffice',
  '/office/second-factor',
  '/office/join/abc',
])('goes to /office instead of %s', (target) => {
  expect(nextPage(target)).toBe('/office')
})

it.each(['/office?at=GA1', '/office/queue?kind=refund#r1', '/office/add-factor?kind=app'])('goes to %s', (path) => {
  expect(nextPage(path)).toBe(path)
})
