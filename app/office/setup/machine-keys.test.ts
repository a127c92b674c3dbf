import { beforeEach, expect, it } from 'vitest'
import { openerForTests } from '../../../tests/support/databases.ts'
import { openTestServices, type TestServices } from '../../../tests/support/small-operator.ts'
import { type StaffBrowser, signedInStaff } from '../testing.ts'

const open = openerForTests()
let services: TestServices
let owner: StaffBrowser
beforeEach(async () => {
  services = await openTestServices(await open())
  services.allowsAnyFactor = true
  owner = await signedInStaff(services, 'owner', { name: 'Olivia' })
})

const path = '/office/setup/keys'
const filled = {
  intent: 'make',
  name: 'Main gate',
  role: 'gate',
  scope: 'facility:GA1',
  calls: '60',
  ends: '365',
  reason: 'New controller',
}

/** Returns the secret that an answer shows. */
const tokenOf = ({ data }: { data: { shown: [string, string][] } }) => tokenIn(data.shown[0]?.[1] ?? '')

const tokenIn = (html: string) => /lk_[0-9A-Za-z]{12}_[\w-]{43}/.exec(html)?.[0]

it('lets an owner create a key, see its secret once, replace the secret and revoke the key', async () => {
  expect((await owner.get(path)).html()).toContain('None yet.')
  const token = tokenOf(await owner.post(path, filled))
  expect(token).toBeDefined()

  const listed = (await owner.get(path)).html()
  expect(listed).toContain('Main gate')
  expect(tokenIn(listed)).toBeUndefined()

  const own = `${path}/${token?.slice(3, 15)}`
  const shown = (await owner.get(own)).html()
  expect(shown).toContain('GA1')
  expect(tokenIn(shown)).toBeUndefined()

  expect(await owner.post(own, { intent: 'rotate', reason: '' })).toMatchObject({ status: 400 })
  const rotated = tokenOf(await owner.post(own, { intent: 'rotate', reason: 'Yearly' }))
  expect(rotated?.slice(0, 15)).toBe(token?.slice(0, 15))
  expect(rotated).not.toBe(token)
  expect((await owner.get(own)).html()).toContain('The secret before this one works until')

  expect(await owner.post(own, { intent: 'revoke', reason: 'Lost' })).toMatchObject({
    status: 302,
    to: `${path}?done=key-revoked`,
  })
  expect((await owner.get(path)).html()).toContain('Revoked')
})

it('names invalid fields and keeps the submitted values', async () => {
  const wrong = { ...filled, name: ' ', scope: 'facility:NOWHERE', calls: 'many', reason: '' }
  const answer = await owner.post(path, wrong)
  expect(answer.status).toBe(400)
  expect(answer.data.fields).toEqual({
    name: 'Please enter a name.',
    calls: 'Enter a whole number from 1 to 6000.',
    reason: 'Say why.',
  })
  expect(answer.data.values).toMatchObject({ calls: 'many' })
  const unknown = await owner.post(path, { ...filled, scope: 'facility:NOWHERE' })
  expect(unknown.data.fields).toEqual({ scope: 'There is no facility or state NOWHERE.' })
  await owner.post(path, filled)
  expect((await owner.post(path, filled)).data.fields.name).toContain('A working key has this name already.')
})

it('shows the page to owners only', async () => {
  for (const role of ['district', 'finance', 'auditor'] as const)
    expect(await (await signedInStaff(services, role)).get(path)).toMatchObject({ status: 404 })
})
