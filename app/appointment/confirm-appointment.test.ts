import { beforeEach, describe, expect, it } from 'vitest'
import { openerForTests } from '../../tests/support/databases.ts'
import { openTestServices } from '../../tests/support/small-operator.ts'
import { Browser } from '../testing.ts'
import * as confirmAppointment from './confirm-appointment.tsx'

const open = openerForTests()
let browser: Browser

beforeEach(async () => {
  browser = new Browser(await openTestServices(await open()))
})

const completeLink = {
  appointment_id: '1001',
  confirmation_source: 'email',
  confirmation_token: 'a1b2',
  option: 'confirm',
}
const at = (query: Record<string, string>) => `/confirm_appointment?${new URLSearchParams(query)}`
const load = (query: Record<string, string>) => browser.ask(confirmAppointment.loader, { path: at(query) })
const confirm = (query: Record<string, string>) => browser.ask(confirmAppointment.action, { path: at(query), form: {} })

describe('/confirm_appointment', () => {
  it('requires all four values and a numeric id, and otherwise redirects to the home page', async () => {
    expect((await load(completeLink)).data).toMatchObject({ other: false })
    expect((await load({ ...completeLink, option: 'other' })).data).toMatchObject({ other: true })
    for (const missing of Object.keys(completeLink)) {
      const { [missing as keyof typeof completeLink]: _, ...others } = completeLink
      expect([missing, (await load(others)).to]).toEqual([missing, '/'])
      expect([missing, (await load({ ...completeLink, [missing]: '' })).to]).toEqual([missing, '/'])
      expect([missing, (await confirm(others)).to]).toEqual([missing, '/'])
    }
    for (const appointment_id of ['x', '10x', '-1', '1.5', '1e3', '0x10', '１０', '99999999999999999999'])
      expect([appointment_id, (await load({ ...completeLink, appointment_id })).to]).toEqual([appointment_id, '/'])
  })
})
