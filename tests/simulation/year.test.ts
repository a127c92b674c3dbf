import { expect, it } from 'vitest'
import { openerForTests } from '../support/databases.ts'
import { simulateYear } from './year.ts'

const open = openerForTests()
const days = Number(process.env.SIMULATE_DAYS || 6)
const seed = Number(process.env.SIMULATE_SEED || 1)
// Covers the leap day; a whole year also covers both daylight saving changes.
const begin = days > 100 ? '2027-11-20' : '2028-02-26'

it('charges in the morning what the tenant’s page showed in the evening', { timeout: days * 60_000 }, async () => {
  const { faults, ...year } = await simulateYear(await open(), seed, begin, days)
  if (process.env.SIMULATE_DAYS) console.info(JSON.stringify(year, null, 1))
  expect(faults).toEqual([])
})
