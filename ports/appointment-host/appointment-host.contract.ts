import { beforeAll, describe, expect, test } from 'vitest'
import type { AppointmentAnswer, PropertyManagement } from './appointment-host.ts'

export interface PropertyManagementBench {
  management: PropertyManagement
  /** An appointment that can be confirmed, with its time in the host's words. */
  open: AppointmentAnswer & { when: string }
  cancelled: AppointmentAnswer
  /** An appointment that ended long ago. */
  over: AppointmentAnswer
  /** An appointment that began 15 minutes ago. */
  justBegun: AppointmentAnswer
  /** Returns the appointment's state as the host stores it, such as 'confirmed'. */
  standing(appointmentId: number): Promise<string>
}

/** Tests the contract of property-management adapters. */
export function propertyManagementContract(name: string, open: () => Promise<PropertyManagementBench>): void {
  describe(`Property-management contract: ${name}`, () => {
    let bench: PropertyManagementBench
    beforeAll(async () => {
      bench = await open()
    })

    test('confirming an appointment returns its time, and repeating it changes nothing', async () => {
      const { when, ...answer } = bench.open
      for (const _ of [1, 2]) {
        expect(await bench.management.confirm(answer)).toEqual({ appointmentDatetime: when, error: '' })
        expect(await bench.standing(answer.appointmentId)).toBe('confirmed')
      }
    })

    test('requesting another time returns none', async () => {
      const { when: _, ...answer } = bench.open
      expect(await bench.management.confirm({ ...answer, option: 'other' })).toEqual({
        appointmentDatetime: '',
        error: '',
      })
      expect(await bench.standing(answer.appointmentId)).toBe('other')
    })

    test('refuses a wrong token and an unknown appointment in the same words, and changes nothing', async () => {
      const { when: _, ...answer } = bench.open
      const before = await bench.standing(answer.appointmentId)
      const refusal = await bench.management.confirm({ ...answer, confirmationToken: 'guessed' })
      expect(refusal).toEqual({ appointmentDatetime: '', error: 'The link is not valid.' })
      expect(await bench.management.confirm({ ...answer, appointmentId: 999_999 })).toEqual(refusal)
      expect(await bench.standing(answer.appointmentId)).toBe(before)
    })

    test('refuses a cancelled or past appointment, but not one that began 15 minutes ago', async () => {
      expect(await bench.management.confirm(bench.cancelled)).toEqual({
        appointmentDatetime: '',
        error: 'The appointment was cancelled.',
      })
      expect(await bench.management.confirm(bench.over)).toEqual({
        appointmentDatetime: '',
        error: 'The appointment is over.',
      })
      expect(await bench.management.confirm(bench.justBegun)).toMatchObject({ error: '' })
    })
  })
}
