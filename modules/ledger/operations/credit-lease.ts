import * as v from 'valibot'
import { format } from '../../../domain/money.ts'
import { formatShort } from '../../../domain/plain-date.ts'
import * as say from '../../../domain/texts/ledger-refusals-and-entry-descriptions.ts'
import { plainLine } from '../../../platform/operations/input-fields.ts'
import { refusalError } from '../../../platform/operations/outcome.ts'
import { checkAgainstForm, lockTenantLease } from '../../standing/add-staff-ledger-entries.ts'
import { ledgerOperation } from '../../standing/ledger-operation.ts'
import { formOnceKey, typedCents } from '../form-amount-and-once-key.ts'
import { creditablePeriods, creditEntries } from '../rules/staff-period-credit-entries.ts'
import { loadPeriodEntries } from '../views/fees-and-periods-to-correct.ts'

export const CreditLease = ledgerOperation({
  name: 'CreditLease',
  permission: 'lease.credit',
  event: 'lease.credited',
  entryAct: 'credit',
  tenantMail: 'credit',
  reasons: ['courtesy', 'our-mistake', 'price-promised', 'service-problem', 'hardship', 'other'],
  done: 'Credited.',
  button: { label: 'Credit', key: 'd', place: 9, page: 'credit', about: 'lease' },
  input: {
    cents: typedCents,
    /** First day of the period that is credited in part or whole. */
    period_start: v.pipe(plainLine, v.isoDate(say.choosePeriod)),
  },
  example: { cents: 2500, period_start: '2026-11-01' },
  async work(act, input) {
    const lease = await lockTenantLease(act.tx, input)
    await checkAgainstForm(act, lease, input)
    const [period] = creditablePeriods(await loadPeriodEntries(act.tx, lease, { only: input.period_start }))
    if (!period) throw wrongField('period_start', say.noSuchPeriod)
    if (input.cents > period.remaining) throw wrongField('cents', say.creditAbovePeriod(format(period.remaining)))
    const days = `${formatShort(period.start)} to ${formatShort(period.end)}`
    const unit = lease.unit_number
    await act.authorize(input.cents, `Credit for ${days}, ${unit}`)
    const written = await act.write(lease, creditEntries(period, input.cents, formOnceKey(input)))
    await act.audit({ details: { what: days, unit } })
    return { leases: [written] }
  },
})

const wrongField = (field: string, message: string) =>
  refusalError(409, 'more_than_the_period', message, { fields: { [field]: message } })
