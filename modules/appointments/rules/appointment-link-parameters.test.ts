import { expect, test } from 'vitest'
import { readAppointmentLink } from './appointment-link-parameters.ts'

test('an appointment link needs all four values and a numeric id', () => {
  const link = { appointment_id: '7', confirmation_source: 'email', confirmation_token: 't', option: 'yes' }
  const read = (changes: Partial<typeof link>) => readAppointmentLink(new URLSearchParams({ ...link, ...changes }))
  expect(read({})).toEqual(link)
  expect(read({ appointment_id: '7x' })).toBeNull()
  for (const name of Object.keys(link)) expect(read({ [name]: '' })).toBeNull()
})
