import { describe, expect, test } from 'vitest'
import { policyMailDue } from '../../insurance/rules/own-policy-mails.ts'
import { type ChargedPeriod, computePaidThrough } from '../../ledger/rules/paid-through.ts'
import { computeStanding, leaseStatus } from '../../standing/rules/lease-status.ts'
import { nextAutopayDay } from './autopay-retries.ts'
import { nextAmountDue } from './next-amount-due.ts'

describe('the paid-through date', () => {
  const period = (start: string, end: string, cents = 100_00): ChargedPeriod => ({ start, end, cents })
  const three = [
    period('2026-10-02', '2026-10-31'),
    period('2026-09-02', '2026-10-01'),
    period('2026-11-01', '2026-11-30'),
  ]

  test.each([
    ['nothing owed', 0, '2026-11-30'],
    ['a credit', -5000, '2026-11-30'],
    ['part of the newest period owed', 1, '2026-10-31'],
    ['the newest period owed', 100_00, '2026-10-31'],
    ['more than the newest period owed', 100_01, '2026-10-01'],
    ['all periods owed', 300_00, '2026-09-01'],
    ['more than all periods owed', 900_00, '2026-09-01'],
  ])('with %s (balance %i) is %s', (_, balance, day) => {
    expect(computePaidThrough(three, balance)).toBe(day)
  })

  test('counts a period as paid if only its late fee is owed, and a late fee paid long ago hides no unpaid period', () => {
    const late: ChargedPeriod = { start: '2026-11-10', end: null, cents: 20_00 }
    expect(computePaidThrough([...three, late], 20_00)).toBe('2026-11-30')
    const old: ChargedPeriod = { start: '2026-09-05', end: null, cents: 150_00 }
    expect(computePaidThrough([...three, old], 100_00)).toBe('2026-10-31')
  })

  test('is null for a lease without charges', () => {
    expect(computePaidThrough([], 50_00)).toBeNull()
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

describe('the lease status by ledger and day', () => {
  const lease = {
    auctionPrepped: false,
    activeMilitary: false,
    autopayToCome: false,
    balance: 100_00,
    paidThrough: '2026-09-01',
  }

  test.each([
    ['the tenth day after paid-through', '2026-09-11', lease, { status: 'Past Due', overlocked: false }],
    ['the eleventh', '2026-09-12', lease, { status: 'Past Due', overlocked: true }],
    ['the eleventh, before autopay has tried', '2026-09-12', { ...lease, autopayToCome: true }, { overlocked: false }],
    ['too late for autopay', '2026-11-11', { ...lease, autopayToCome: true }, { overlocked: true }],
    ['nothing owed', '2026-09-12', { ...lease, balance: 0 }, { status: 'Current', overlocked: false }],
    ['75 days', '2026-11-15', lease, { status: 'Past Due', auctionPrepped: false }],
    ['76 days', '2026-11-16', lease, { status: 'Auction', auctionPrepped: true, overlocked: true }],
    [
      '76 days, on duty',
      '2026-11-16',
      { ...lease, activeMilitary: true },
      { status: 'Past Due', auctionPrepped: false },
    ],
    [
      'flagged by the operator',
      '2026-09-02',
      { ...lease, auctionPrepped: true },
      { status: 'Auction', overlocked: true },
    ],
    ['flagged and paid', '2026-09-02', { ...lease, auctionPrepped: true, balance: 0 }, { auctionPrepped: false }],
    [
      'flagged and called up',
      '2026-09-02',
      { ...lease, auctionPrepped: true, activeMilitary: true },
      { status: 'Past Due', auctionPrepped: false, overlocked: false },
    ],
  ])('%s', (_, day, input, expected) => {
    expect(computeStanding(input, day, 75)).toMatchObject(expected)
  })

  test('sets no auction flag without a number of days after which to set it', () => {
    expect(computeStanding(lease, '2026-11-30', null)).toMatchObject({ status: 'Past Due', auctionPrepped: false })
  })
})

test.each([
  [[], '2026-12-01'],
  [['2026-12-01'], '2026-12-03'],
  [['2026-12-03', '2026-12-01'], '2026-12-07'],
  [['2026-12-05'], '2026-12-07'],
  [['2026-12-01', '2026-12-03', '2026-12-07'], null],
])('after refusals on %j, the next day of autopay is %s', (refusalDays, day) => {
  expect(nextAutopayDay('2026-12-01', refusalDays)).toBe(day)
})

test.each([
  [0, '2026-12-01', 100_00],
  [40_00, '2026-12-01', 100_00],
  [-1, '2026-12-01', 99_99],
  [-99_99, '2026-12-01', 1],
  [-100_00, '2026-12-31', 100_00],
  [-250_00, '2027-01-30', 50_00],
])('with a balance of %i cents, the next amount due is %s: %i', (balance, on, cents) => {
  expect(nextAmountDue({ start: '2026-12-01', cents: 100_00 }, balance)).toEqual({ on, cents })
})

test('does not use up a credit in a period that costs nothing', () => {
  expect(nextAmountDue({ start: '2026-12-01', cents: 0 }, -5)).toEqual({ on: '2026-12-01', cents: 0 })
})

test('has nothing due for a credit that would last more than a hundred years', () => {
  expect(nextAmountDue({ start: '2026-12-01', cents: 1 }, -1_000_000)).toEqual({ on: '2026-12-01', cents: 0 })
})

test.each([
  ['2026-11-30', '2026-10-30', '2026-10-31', 'ending'],
  ['2026-11-30', '2026-10-31', '2026-11-01', null],
  ['2026-11-30', '2026-10-29', '2026-10-30', null],
  ['2026-11-30', '2026-11-29', '2026-11-30', null],
  ['2026-11-30', '2026-11-30', '2026-12-01', 'ended'],
  ['2026-11-30', '2026-12-01', '2026-12-02', null],
  // After missed days, only the later of the two mails is sent.
  ['2026-11-30', '2026-10-01', '2026-12-15', 'ended'],
  ['9999-12-31', '2026-11-29', '2026-11-30', null],
])('a policy until %s, billed after %s on %s: %s', (expires, since, date, mail) => {
  expect(policyMailDue(expires, since, date)).toBe(mail)
})
