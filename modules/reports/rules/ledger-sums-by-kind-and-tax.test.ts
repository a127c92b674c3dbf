import { expect, it } from 'vitest'
import { taxOnCredit } from '../../../domain/texts/ledger-refusals-and-entry-descriptions.ts'
import { taxOnDaysNotUsed } from '../../transfers/texts/transfer.ts'
import { type PostedEntry, taxSums } from './ledger-sums-by-kind-and-tax.ts'

it.each([taxOnCredit, taxOnDaysNotUsed])('counts “%s” as tax taken back, not as tax on rent', (description) => {
  const entry = (kind: PostedEntry['kind'], cents: number, text: string): PostedEntry => ({
    lease_number: 10001,
    kind,
    cents,
    description: text,
    once: 'transfer:2026-11-20',
    period_start: '2026-11-20',
    period_end: '2026-12-19',
    posted_on: '2026-11-20',
    act: null,
  })
  expect(taxSums([entry('credit', -40_00, 'Days not used'), entry('tax', -2_80, description)])).toMatchObject({
    rent_tax: 0,
    rent_base: 0,
    credit_tax: -2_80,
    exempt: 0,
  })
})
