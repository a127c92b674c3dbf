/** Forms that are refused, corrected on the returned page and submitted again. */
import { beforeEach, expect, it } from 'vitest'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { openTestServices, type TestServices } from '../../tests/support/small-operator.ts'
import { change } from '../testing.ts'
import { type StaffBrowser, signedInStaff } from './testing.ts'

interface Corrected {
  path: string
  /** Text by which the test finds this HTML form among the page's forms. */
  has: string
  typed: Record<string, string>
  wrong: Record<string, string>
}

const row = '/office/past-due?show=all&row=GA1-10002'
const of = { of: 'GA1 1002 10002', go_on: '' }

const forms: Record<string, Corrected> = {
  'a note with a follow-up': {
    path: '/office/tenants/GA1/1001',
    has: 'name="follow_up"',
    typed: { intent: 'note', note: 'Pays Friday', follow_up: '11/27/2026', follow_up_by: 'me' },
    wrong: { follow_up: '11/27/2020' },
  },
  'a note without a person for its follow-up': {
    path: '/office/tenants/GA1/1001',
    has: 'name="follow_up"',
    typed: { intent: 'note', note: 'Pays Friday', follow_up: '11/27/2026', follow_up_by: 'me' },
    wrong: { follow_up_by: '' },
  },
  'a promise': {
    path: `${row}&act=promise`,
    has: 'name="amount"',
    typed: { ...of, intent: 'promise', on: '11/27/2026', amount: '20' },
    wrong: { on: '11/19/2026' },
  },
  'a settlement': {
    path: `${row}&act=settle`,
    has: 'name="amount"',
    typed: { ...of, intent: 'settle', amount: '100', reason: 'Agreed' },
    wrong: { amount: '900' },
  },
  'contact data': {
    path: '/office/tenants/GA1/1001/contact',
    has: 'name="email"',
    typed: { cell_phone: '4045550147', state: 'GA' },
    wrong: { zip: 'x' },
  },
}

describeOnBothEngines('A refused form of the office', (open) => {
  let services: TestServices
  let owner: StaffBrowser

  beforeEach(async () => {
    services = { ...(await openTestServices(await open())), allowsAnyFactor: true }
    await change(services, 'leases', { lease_number: 10002 }, { paid_through: '2026-10-20' })
    owner = await signedInStaff(services, 'owner')
  })

  /** Returns the values of the `<input>` elements of the form that contains the text, by name. */
  function fieldsOf(html: string, has: string): Record<string, string> {
    const form = html.split('<form').find((part) => part.includes(has)) ?? ''
    const inputs = [...form.matchAll(/<input[^>]*name="([^"]+)"[^>]*>/g)]
    return Object.fromEntries(inputs.map(([input, name]) => [name, /value="([^"]*)"/.exec(input)?.[1] ?? '']))
  }

  it.each(Object.entries(forms))('%s succeeds once its error is corrected', async (_, { path, has, typed, wrong }) => {
    const page = await owner.get(path)
    const refused = await owner.post(path, { ...fieldsOf(page.html(), has), ...typed, ...wrong })
    expect(refused.status).toBe(400)
    const html = page.html(refused.data)
    for (const [, id] of html.matchAll(/<a href="#([^"]+)">/g)) expect(html).toContain(` id="${id}"`)
    const { key = '' } = fieldsOf(html, has)
    const right = { ...fieldsOf(page.html(), has), ...typed, key }
    const done = await owner.post(path, right)
    expect([done.status, done.data?.fields]).toEqual([302, undefined])
    expect((await owner.post(path, right)).to).toBe(done.to)
  })
})
