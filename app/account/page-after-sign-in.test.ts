import { expect, it } from 'vitest'
import { readNextPath } from './page-after-sign-in.ts'

const next = (target: string, stored?: string) =>
  readNextPath(
    { session: { ids: stored ? { next: stored } : {} } } as Parameters<typeof readNextPath>[0],
    new Request(`https://rent.example/login?next=${encodeURIComponent(target)}`),
  )

it.each([
  '//evil',
  '//evil.example',
  '/\\evil.example',
  '%2f%2fevil',
  '/%2fevil.example',
  '/%5Cevil.example',
  '\\/evil',
  'https:evil.example',
  'https://evil.example',
  'javascript:alert(1)',
  '/\t/evil.example',
  '/\n/evil',
  '/x\u0000',
  '/x\u007f',
  ' /my-units',
  `/${'a'.repeat(5000)}`,
  '/my-units.data',
  '/my-units.data?_routes=x',
  '/%zz',
  // Resolving the dot segments leaves two leading slashes; in the last path the second one is encoded.
  '/.//evil.example/x',
  '/x/..//evil',
  '/%2e//evil.example',
  '/a/%2E%2e//evil.example',
  '/./%2fevil.example',
  // Log-in must not lead to log-out or to another sign-in page.
  '/Log-Out',
  '/log-out',
  '/%6cog-out',
  '/./log-out/',
  '/log-out?x',
  '/log-out.data',
  '/login?next=%2Fx',
  '/register',
  '/forgot?saved=1',
  '/complete-register',
])('does not redirect to %s', (evil) => {
  expect([next(evil), next(evil, evil)]).toEqual(['', ''])
})

it.each(['/my-units?at=GA1:1001', '/unit-lease-details?lease=1#paid', '/login-help'])('redirects to %s', (path) => {
  expect(next(path)).toBe(path)
})
