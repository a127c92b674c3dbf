import { expect, it } from 'vitest'
import routes from '../routes.ts'
import { payerOf, payers } from './payer-page-addresses.ts'

interface Route {
  id?: string
  path?: string
  children?: Route[]
}

const payerRoutes = (routes as Route[])
  .flatMap((route) => route.children ?? [route])
  .filter(({ id }) => /^(tenant|guest|auction|settlement)\/(?!link-address)/.test(id ?? ''))

it('each payer’s page handles the payer that its route names', () => {
  for (const { id = '', path = '' } of payerRoutes)
    expect(`${payerOf({ pattern: path })}/`, path).toBe(id.replace(/[^/]+$/, ''))
  const addresses = payerRoutes.map(({ path }) => `/${path}`)
  for (const payer of ['tenant', 'guest', 'auction', 'settlement'] as const) {
    const { method, card, returns } = payers[payer]
    expect(addresses).toEqual(expect.arrayContaining([method, card, returns]))
  }
  for (const pattern of ['/online-payment/x', '/', '/p', '/my-unit']) expect(() => payerOf({ pattern })).toThrow()
})
