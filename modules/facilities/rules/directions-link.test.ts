import { expect, it } from 'vitest'
import { directionsTo } from './directions-link.ts'

it('directions lead to the address as one destination, whatever characters it contains', () => {
  const url = new URL(
    directionsTo({ address: '12 Mill & Main, #4', city: 'North Charleston', state: 'SC', zip: '29405' }),
  )
  expect(url.hostname).toBe('www.google.com')
  expect([...url.searchParams]).toEqual([
    ['api', '1'],
    ['destination', '12 Mill & Main, #4, North Charleston, SC 29405'],
  ])
})
