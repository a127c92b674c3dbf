import { expect, it } from 'vitest'
import { currentGateAccess, type GateReason, gateOpens, gateRefusal, gateSentence } from './gate-reason-texts.ts'

const overlocked = { is: 'overlocked', paidThrough: '2026-10-31' } as const
const opens = {
  is: 'opens',
  hours: '6 AM to 10 PM',
  week: null,
  zone: null,
  anyHour: false,
  lifted: null,
  taken: 'taken',
} as const
/** A minute of a Friday. */
const friday = (minute: number) => ({ weekday: 4, minute })

it.each<[GateReason, string, string]>([
  [{ is: 'ended' }, 'The lease has ended: its code opens nothing.', 'Not for this unit any more.'],
  [{ is: 'sold' }, 'The gate refuses the code: the unit was sold at auction.', 'Not for this unit any more.'],
  [{ is: 'none' }, 'No gate code has been given.', 'No gate code has been given yet. Please call us.'],
  [
    { is: 'inactive' },
    'The gate refuses the code: it is not active.',
    'Not accepted: the code is not active. Please call us.',
  ],
  [
    { is: 'suspended', until: 'Dec 1' },
    'The gate refuses the code: suspended until Dec 1.',
    'Not accepted at the moment. Please call us.',
  ],
  [
    { ...overlocked, units: ['12'], own: true },
    'The gate refuses the code: overlocked, paid through Oct 31.',
    'Not accepted while the unit is past due.',
  ],
  [
    { ...overlocked, units: ['12'], own: false },
    'The gate refuses the code: 12 of the same code is overlocked.',
    'Not accepted while unit 12 is past due.',
  ],
  [
    { ...overlocked, units: ['12', '14'], own: false },
    'The gate refuses the code: 12 and 14 of the same code are overlocked.',
    'Not accepted while units 12, 14 are past due.',
  ],
])('%j has a sentence for the office and one for the tenant', (reason, office, tenant) => {
  expect([gateOpens(reason), gateSentence(reason), gateRefusal(reason)]).toEqual([false, office, tenant])
  expect(currentGateAccess(reason, friday(12 * 60))).toEqual({ opens: false, says: tenant, today: '' })
})

it('shows when the gate opens by the facility’s hours', () => {
  expect(gateSentence(opens)).toBe('The gate opens, 6 AM to 10 PM. The gate has the code.')
  expect(gateSentence({ ...opens, hours: '', lifted: 'Dec 1' })).toBe(
    'The gate opens; overlock lifted until Dec 1. The gate has the code.',
  )
  expect([gateOpens(opens), gateRefusal(opens)]).toEqual([true, ''])
  const at = (minute: number) => currentGateAccess(opens, friday(minute)).says
  expect([at(5 * 60 + 59), at(6 * 60), at(22 * 60 - 1), at(22 * 60)]).toEqual([
    'Opens today at 6 AM.',
    'Opens now, until 10 PM.',
    'Opens now, until 10 PM.',
    'Opens tomorrow at 6 AM.',
  ])
  expect(currentGateAccess({ ...opens, anyHour: true }, friday(0)).says).toBe('Opens now, at any hour.')
  expect(currentGateAccess({ ...opens, hours: 'Mon to Fri, by appointment' }, friday(0)).opens).toBeNull()
})

it('follows the confirmed weekly hours, whatever the facility’s text says', () => {
  const day = ['07:00', '18:00'] as const
  const week = [day, day, day, day, ['00:00', '24:00'] as const, ['00:00', '12:00'] as const, null]
  const at = (weekday: number, hour: number) => currentGateAccess({ ...opens, week }, { weekday, minute: hour * 60 })
  expect(at(3, 6)).toEqual({ opens: false, says: 'Opens today at 7 AM.', today: '7 AM to 6 PM' })
  expect(at(3, 17)).toMatchObject({ opens: true, says: 'Opens now, until 6 PM.' })
  expect(at(3, 18)).toMatchObject({ opens: false, says: 'Opens tomorrow at 12 AM.' })
  expect(at(4, 23)).toEqual({ opens: true, says: 'Opens now, past midnight.', today: '24 hours' })
  expect(at(5, 12)).toMatchObject({ opens: false, says: 'Opens Monday at 7 AM.' })
  expect(at(6, 12)).toEqual({ opens: false, says: 'Opens tomorrow at 7 AM.', today: 'Closed' })
  const always = Array.from({ length: 7 }, () => ['00:00', '24:00'] as const)
  expect(currentGateAccess({ ...opens, week: always }, friday(0)).says).toBe('Opens now, at any hour.')
  expect(currentGateAccess({ ...opens, week: Array(7).fill(null) }, friday(0)).says).toBe('Closed every day.')
})

it('shows a code as active only after the gate has acknowledged it', () => {
  const says = (taken: typeof opens.taken | 'unconnected' | 'coming' | 'late' | 'refused', anyHour = false) =>
    currentGateAccess(
      { ...opens, hours: anyHour ? 'at any hour' : opens.hours, anyHour, taken },
      friday(12 * 60),
      '(404) 555-0100',
    )
  const today = '6 AM to 10 PM'
  expect(says('coming')).toEqual({ opens: null, says: 'Being given to the gate.', today, coming: true })
  const late = {
    opens: false,
    says: 'The gate has not taken your code yet. Call (404) 555-0100: we open it.',
    today: '',
  }
  expect([says('late'), says('refused')]).toEqual([late, late])
  expect(says('unconnected')).toEqual({ opens: null, says: 'The gate takes this code in its hours.', today })
  expect(says('unconnected', true).says).toBe('The gate takes this code at any hour.')
  expect(currentGateAccess({ ...opens, taken: 'late' }, friday(0)).says).toBe(
    'The gate has not taken your code yet. Call us: we open it.',
  )
  const office = (taken: GateReason & { is: 'opens' }) =>
    gateSentence(taken).replace(/^The gate opens, 6 AM to 10 PM\. ?/, '')
  expect(office({ ...opens, taken: 'unconnected' })).toBe('')
  expect(office({ ...opens, taken: 'coming' })).toBe('The code is being given to the gate.')
  expect(office({ ...opens, taken: 'late' })).toBe('The gate has not taken the code yet.')
  expect(office({ ...opens, taken: 'refused' })).toBe('The gate itself refuses this code: give another one.')
})
