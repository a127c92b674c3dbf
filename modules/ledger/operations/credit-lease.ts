import * as v from 'valibot'
import { format } from '../../../domain/money.ts'
import { formatShort } from '../../../domain/plain-date.ts'
import * as say from '../../../domain/texts/office-ledger.ts'
import { type Callers, may } from '../../../platform/operations/callers.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { refuse } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { actFields, ledgerAct, lockForAct, reasonField } from '../../standing/adjustments.ts'
import { example, onceOf, typedCents } from '../entry-input.ts'
import * as acts from '../rules/ledger-acts.ts'
import { chargedPeriods } from '../views/chargeable.ts'

const creditInput = v.object({
  ...actFields,
  reason: reasonField('credit'),
  cents: typedCents,
  /** First day of the period that is forgiven in part or whole. */
  period_start: v.pipe(v.string(), v.isoDate(say.choosePeriod)),
})

function credit(services: Services, input: v.InferOutput<typeof creditInput>, callers: Callers) {
  const act = { operation: 'CreditLease', act: 'credit', permission: 'lease.credit', input } as const
  return ledgerAct(services, callers, act, async (tx, tools) => {
    const lease = await lockForAct(tx, tools, input, input)
    const [period] = acts.creditablePeriods(await chargedPeriods(tx, lease, { only: input.period_start }))
    const wrong = (field: string, message: string) =>
      tools.refuse(refuse(409, 'more_than_the_period', message, { fields: { [field]: message } }))
    if (!period) return wrong('period_start', say.noSuchPeriod)
    if (input.cents > period.left) return wrong('cents', say.moreThanThePeriod(format(period.left)))
    const what = `${formatShort(period.start)} to ${formatShort(period.end)}`
    await tools.authorise(input.cents, `Credit for ${what}, ${lease.unit_number}`)
    return {
      leases: [await tools.write(lease, acts.credit(period, input.cents, onceOf(input)))],
      event: { kind: 'lease.credited', details: { what, unit: lease.unit_number } },
    }
  })
}

export const CreditLease = internalOperation({
  name: 'CreditLease',
  access: { staff: may('lease.credit') },
  input: creditInput,
  example: { input: { ...example, cents: 2500, period_start: '2026-11-01' } },
  run: credit,
})
