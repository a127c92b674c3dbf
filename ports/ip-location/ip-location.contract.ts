import { beforeAll, describe, expect, test } from 'vitest'
import type { IpLocation } from './ip-location.ts'

export interface IpLocationBench {
  ipLocation: IpLocation
  /** A visitor in Atlanta, in this source's format. */
  atlanta: { address: string; headers: Record<string, string> }
  /** Visitors with no location, or none that can be parsed. */
  unknown: { address: string; headers: Record<string, string> }[]
}

/** Tests the contract of IP location sources. */
export function ipLocationContract(name: string, open: () => Promise<IpLocationBench>): void {
  describe(`IP location contract: ${name}`, () => {
    let bench: IpLocationBench
    beforeAll(async () => {
      bench = await open()
    })
    const locate = ({ address, headers }: IpLocationBench['atlanta']) =>
      bench.ipLocation.locate({ address, header: (name) => headers[name.toLowerCase()] })

    test('locates a visitor from Atlanta in Atlanta', async () => {
      const point = await locate(bench.atlanta)
      expect(point?.lat).toBeCloseTo(33.75, 1)
      expect(point?.lng).toBeCloseTo(-84.39, 1)
    })

    test('returns null for an unknown location, without an error', async () => {
      expect(bench.unknown.length).toBeGreaterThan(0)
      for (const visitor of bench.unknown) expect(await locate(visitor), JSON.stringify(visitor)).toBeNull()
    })
  })
}
