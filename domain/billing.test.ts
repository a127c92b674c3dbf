import { describe, expect, test } from 'vitest'
import { type Charged, leaseStatus, paidThrough } from './billing.ts'

describe('the last day paid for', () => {
  const period = (start: string, end: string, cents = 100_00): Charged => ({ start, end, cents })
  const three = [
    period('2026-10-02', '2026-10-31'),
    period('2026-09-02', '2026-10-01'),
    period('2026-11-01', '2026-11-30'),
  ]

  test.each([
    ['nothing owed', 0, '2026-11-30'],
    ['a credit', -5000, '2026-11-30'],
    ['a part of the newest', 1, '2026-10-31'],
    ['the newest', 100_00, '2026-10-31'],
    ['more than the newest', 100_01, '2026-10-01'],
    ['all', 300_00, '2026-09-01'],
    ['more than all', 900_00, '2026-09-01'],
  ])('%s', (_, balance, day) => {
    expect(paidThrough(three, balance)).toBe(day)
  })

  test('a late fee that is owed does not unpay a period; one paid long ago hides nothing', () => {
    const late: Charged = { start: '2026-11-10', end: null, cents: 20_00 }
    expect(paidThrough([...three, late], 20_00)).toBe('2026-11-30')
    const old: Charged = { start: '2026-09-05', end: null, cents: 150_00 }
    expect(paidThrough([...three, old], 100_00)).toBe('2026-10-31')
  })

  test('a lease without charges has none', () => {
    expect(paidThrough([], 50_00)).toBeNull()
  })
})

test.each([
  [{ auctionPrepped: true, balance: 0, paidThrough: '2027-01-01' }, 'Auction'],
  [{ auctionPrepped: false, balance: 1, paidThrough: '2026-12-31' }, 'Past Due'],
  [{ auctionPrepped: false, balance: 0, paidThrough: '2026-12-19' }, 'Current'],
  [{ auctionPrepped: false, balance: 0, paidThrough: '2026-12-20' }, 'Pre-Paid'],
] as const)('%o is %s', (lease, status) => {
  expect(leaseStatus(lease, '2026-11-20')).toBe(status)
})
