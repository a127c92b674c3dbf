import { expect, it } from 'vitest'
import { currentGateAccess, type GateReason } from '../../gate/rules/gate-reason-texts.ts'
import { type UnitAlertFacts, unitAlert } from './overdue-or-sold-unit-alert.ts'

const today = '2026-11-23'
const late: UnitAlertFacts = {
  balance: 164_94,
  paidThrough: '2026-11-18',
  locked: false,
  auctionPrepped: false,
  charging: false,
  activeMilitary: false,
  auctionAfterDays: 75,
  lateFee: 20_00,
  saleFrom: null,
  soldUntil: null,
}
const trouble = (facts: Partial<UnitAlertFacts> = {}) => unitAlert({ ...late, ...facts }, today)

it('describes a past-due unit: since when, the next steps, and how to stop them', () => {
  expect(trouble()).toEqual({
    is: 'late',
    title: 'This unit is past due',
    what: '$164.94 is due for it, since 11/19/2026.',
    days: [
      { is: 'fee', on: '2026-11-29', day: '11/29/2026', text: 'A late fee of $20.00 is added.' },
      {
        is: 'lock',
        on: '2026-11-29',
        day: '11/29/2026',
        text: 'The gate stops taking your code, and the unit is locked.',
      },
      { is: 'phone', on: '2027-01-28', day: '01/28/2027', text: 'It can be paid by phone only.' },
      { is: 'auction', on: '2027-02-02', day: '02/02/2027', text: 'The unit is prepared for auction.' },
    ],
    stops: 'Pay $164.94 and none of this happens.',
    call: false,
    locked: false,
  })
})

it('gives no alert when nothing is due, and lists only steps that are still to come', () => {
  expect(trouble({ balance: 0 })).toBeNull()
  expect(trouble({ balance: -500 })).toBeNull()
  expect(trouble({ charging: true })).toMatchObject({ title: 'A payment is due', days: [] })
  // A fee is owed while the time until the paid-through date is paid.
  expect(trouble({ paidThrough: '2026-12-18' })).toMatchObject({
    title: 'A payment is due',
    what: '$164.94 is due for it.',
  })
  expect(trouble({ paidThrough: today })).toMatchObject({ title: 'A payment is due' })
  expect(trouble({ paidThrough: '2026-11-22' })).toMatchObject({ title: 'This unit is past due' })
  expect(trouble({ lateFee: null, activeMilitary: true })?.days.map(({ is }) => is)).toEqual(['lock', 'phone'])
  expect(trouble({ paidThrough: '2026-11-08', locked: true })).toMatchObject({
    is: 'locked',
    call: false,
    days: [{ is: 'phone' }, { is: 'auction' }],
    stops: 'Pay $164.94 and it opens again at once.',
  })
})

it('asks for a call from day 71 on and for a sold unit, names the day of a sale, and says when the gate is closed', () => {
  const paidThrough = '2026-09-13'
  expect(trouble({ paidThrough, locked: true })).toMatchObject({ is: 'locked', call: true, days: [{ is: 'auction' }] })
  expect(unitAlert({ ...late, paidThrough, locked: true }, '2026-11-22')).toMatchObject({ call: false })
  const auction = { paidThrough, locked: true, auctionPrepped: true }
  expect(trouble({ ...auction, saleFrom: '2026-12-13' })).toMatchObject({
    is: 'auction',
    call: true,
    days: [{ is: 'sale', on: '2026-12-13' }],
  })
  expect(trouble({ ...auction, saleFrom: '2026-11-23' })?.what).toContain('may be sold from now on')
  expect(trouble(auction)?.what).toContain('The gate does not take your code')
  // `locked` is false once a staff member has lifted the overlock.
  expect(trouble({ ...auction, locked: false })?.what).not.toContain('gate')
  expect(trouble({ balance: 0, soldUntil: '2026-11-26' })).toMatchObject({
    is: 'sold',
    call: true,
    what: expect.stringContaining('your lease ends on 11/26/2026'),
  })
})

it('states whether the gate opens now, later today, tomorrow or not, and invents no hours', () => {
  const opens = (hours: string, anyHour = false): GateReason => ({
    is: 'opens',
    hours,
    week: null,
    zone: null,
    anyHour,
    lifted: null,
    taken: 'taken',
  })
  const at = (hour: number, hours = '5 AM to 9:30 PM every day') =>
    currentGateAccess(opens(hours), { weekday: 4, minute: hour * 60 })
  expect(at(4)).toEqual({ opens: false, says: 'Opens today at 5 AM.', today: '5 AM to 9:30 PM' })
  expect(at(5)).toEqual({ opens: true, says: 'Opens now, until 9:30 PM.', today: '5 AM to 9:30 PM' })
  expect(at(21.5)).toMatchObject({ opens: false, says: 'Opens tomorrow at 5 AM.' })
  expect(at(12, '12 PM to 1 PM')).toMatchObject({ opens: true, says: 'Opens now, until 1 PM.' })
  expect(currentGateAccess(opens('at any hour', true), { weekday: 4, minute: 0 })).toMatchObject({
    opens: true,
    says: 'Opens now, at any hour.',
  })
  for (const words of ['Mon–Fri 6 AM to 9 PM, Sat 8 AM to 6 PM', '9 PM to 5 AM', '13 AM to 9 PM', 'Ask at the desk'])
    expect(at(12, words)).toEqual({ opens: null, says: 'The gate takes this code in its hours.', today: words })
  expect(currentGateAccess({ is: 'sold' }, { weekday: 4, minute: 0 })).toMatchObject({
    opens: false,
    says: 'Not for this unit any more.',
  })
})
