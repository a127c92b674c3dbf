import { expect, it } from 'vitest'
import { photoAddress, photoOrigin } from './allowed-photo-address.ts'

it('accepts a path of this site or an https address as a photo', () => {
  expect(photoAddress('/art/atl.webp')).toBe('/art/atl.webp')
  expect(photoAddress('https://images.example.com/a.jpg')).toBe('https://images.example.com/a.jpg')
  expect(photoOrigin('https://images.example.com:8443/a.jpg?x=1')).toBe('https://images.example.com:8443')
  for (const address of [
    '',
    '//evil.example/a.jpg',
    'http://a.example/b.jpg',
    'javascript:alert(1)',
    'https://u:p@a.example/b',
    'data:,x',
    'a.jpg',
  ])
    expect([address, photoAddress(address)]).toEqual([address, ''])
})
