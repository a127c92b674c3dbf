import { expect, it } from 'vitest'
import { createSettlementLink, openPayingServices } from '../../modules/payments/testing.ts'
import { sandboxForTests } from '../../modules/payments/testing-card-provider.ts'
import { guessLimits } from '../../platform/operations/brute-force-limits.ts'
import { openerForTests } from '../../tests/support/databases.ts'
import { Browser } from '../testing.ts'

const { till, folder } = sandboxForTests('payment-link-attempts')
const open = openerForTests()

it('a network that has used up its attempts at links does not use up those of all payers', async () => {
  const services = await openPayingServices(await open(), till, folder)
  const guesser = new Browser(services, {}, { address: '203.0.113.9', agent: 'test browser' })
  const { address, all } = guessLimits.link
  for (let guess = 0; guess < 2 * address.points; guess += 1)
    await guesser.get(`/past-due-payment/${services.random.uuid()}`)
  expect(await services.limits.retryAfter('all:link', { ...all, points: address.points })).toBeGreaterThan(0)
  expect(await services.limits.retryAfter('all:link', { ...all, points: address.points + 1 })).toBe(0)
  const payer = new Browser(services)
  expect((await payer.get(`/past-due-payment/${await createSettlementLink(services)}`)).status).toBe(200)
})
