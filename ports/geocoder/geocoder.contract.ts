import { describe, expect, test } from 'vitest'
import type { Geocoder } from './geocoder.ts'

/** Tests the contract of geocoders. */
export function geocoderContract(name: string, make: () => Geocoder): void {
  describe(`geocoder contract: ${name}`, () => {
    const geocoder = make()

    test('finds a city with its state, near its center', async () => {
      const answer = await geocoder.find('Atlanta, GA')
      expect(answer.found).toMatchObject({ label: 'Atlanta, GA', city: 'Atlanta', state: 'GA', zip: '' })
      expect(answer.found!.lat).toBeCloseTo(33.75, 1)
      expect(answer.found!.lng).toBeCloseTo(-84.39, 1)
    })

    test('finds a ZIP code, with or without the four digits of ZIP+4', async () => {
      for (const query of ['30308', '30308-1234']) {
        const answer = await geocoder.find(query)
        expect(answer.found).toMatchObject({ label: '30308 Atlanta, GA', city: 'Atlanta', state: 'GA', zip: '30308' })
        expect(answer.found!.lat).toBeCloseTo(33.77, 1)
      }
    })

    test('finds the best-known city of a name, with the other cities of this name', async () => {
      const answer = await geocoder.find('columbus')
      if (!answer.found) throw new Error('Columbus was not found')
      expect(answer.found.label).toBe('Columbus, OH')
      expect(answer.others.map((place) => place.label)).toContain('Columbus, GA')
      expect(answer.others.every((place) => place.state !== 'OH')).toBe(true)
    })

    test('finds a city of a US territory', async () => {
      const answer = await geocoder.find('San Juan, PR')
      expect(answer.found).toMatchObject({ label: 'San Juan, PR', city: 'San Juan', state: 'PR', zip: '' })
      expect(answer.found!.lat).toBeCloseTo(18.4, 0)
    })

    test("returns 'outside' for a place abroad", async () => {
      for (const query of ['Toronto, Canada', 'London, UK', 'Paris, France'])
        expect(await geocoder.find(query), query).toEqual({ found: null, why: 'outside' })
    })

    test("returns 'unknown' for a text that names no place", async () => {
      for (const query of ['', '   ', 'qwxzzkj vbnq', '<script>alert(1)</script>'])
        expect(await geocoder.find(query), query).toEqual({ found: null, why: 'unknown' })
    })
  })
}
