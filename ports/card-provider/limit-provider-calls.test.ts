import { expect, it } from 'vitest'
import type { CardProvider } from './card-provider.ts'
import { rateLimitedProvider } from './limit-provider-calls.ts'

it('limits calls per second, and lets payers’ calls go first', async () => {
  let now = 0
  const asked: [string, number][] = []
  const noted = (what: string) => async () => void asked.push([what, now])
  const provider = rateLimitedProvider(
    { pageOrigin: '', saleByAlias: noted('sale'), queryPayment: noted('look') } as unknown as CardProvider,
    {
      perSecond: 4,
      now: () => now,
      pause: async (ms) => {
        now += ms
      },
    },
  )
  const sale = () => provider.saleByAlias({ orderId: '', alias: '', amount: 1 })
  await sale()
  await sale()
  await provider.queryPayment('1')
  await sale()
  now += 10_000
  await sale()
  expect(asked).toEqual([
    ['sale', 0],
    ['sale', 250],
    ['look', 250],
    ['sale', 750],
    ['sale', 10_750],
  ])
})
