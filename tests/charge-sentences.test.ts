import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { paymentStates } from '../domain/payment.ts'
import { chargeTold, nothingCharged } from '../domain/texts/charged.ts'

const claims = /(nothing (was|has been)|(were|was|been) not) charged/i

/** Said where no money can have been taken, or of a refused order. */
const allowed = [
  'app/maintenance.tsx',
  'domain/texts/charged.ts',
  // A debit that the office looks for in the ledger.
  'domain/office/reasons.ts',
  'domain/texts/office-ledger.ts',
]

const withoutComments = (code: string) => code.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')

it('only an order’s state says that nothing was charged', () => {
  const files = globSync(['app/**/*.{ts,tsx}', 'domain/**/*.ts'], { exclude: ['**/*.test.*'] })
  expect(files.length).toBeGreaterThan(300)
  const claiming = files.filter((file) => claims.test(withoutComments(readFileSync(file, 'utf8'))))
  expect(claiming.map((file) => file.replaceAll('\\', '/')).sort()).toEqual([...allowed].sort())
})

it('says it of declined, cancelled and expired orders alone', () => {
  const untaken = ['declined', 'cancelled', 'expired']
  expect(paymentStates.filter((state) => claims.test(chargeTold({ state })))).toEqual(untaken)
  expect(paymentStates.filter((state) => nothingCharged({ state }) !== null)).toEqual(untaken)
})
