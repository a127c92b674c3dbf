import { expect, it } from 'vitest'
import type { CardProvider } from './card-provider.ts'
import { limitProviderCalls } from './limit-provider-calls.ts'

it('limits charges per second, and never delays a query', async () => {
  let now = 0
  const calls: [string, number][] = []
  const recordCall = (name: string) => async () => void calls.push([name, now])
  const provider = limitProviderCalls(
    {
      pageOrigin: '',
      saleByAlias: recordCall('sale'),
      queryPayment: recordCall('queryPayment'),
    } as unknown as CardProvider,
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
  expect(calls).toEqual([
    ['sale', 0],
    ['sale', 250],
    ['queryPayment', 250],
    ['sale', 750],
    ['sale', 10_750],
  ])
})
