import type { Kysely } from 'kysely'
import * as v from 'valibot'
import type { LienRules } from '../../../domain/office/lien-rules.ts'
import type { IsoDate } from '../../../domain/plain-date.ts'
import { todayIn } from '../../../domain/time-zone-dates.ts'
import { optionalText } from '../../../platform/operations/input-fields.ts'
import { refusalError } from '../../../platform/operations/outcome.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { setLienCase } from '../../leases/lease.ts'
import type { LockedLease } from '../../leases/lock-lease-row.ts'
import { paidWinnerQuery } from '../../links/paid-auction-winners.ts'
import { isPaymentPending } from '../../payments/is-payment-pending.ts'
import { type OfficeContext, officeOperation } from '../../staff/office-operation.ts'
import { checkAgainstForm, lockTenantLease } from '../../standing/add-staff-ledger-entries.ts'
import { displayedLedgerFields, leaseFields } from '../../standing/ledger-operation.ts'
import { loadFlags } from '../../tenants/flags.ts'
import { transferBlocks } from '../../transfers/texts/transfer.ts'
import { loadOpenTransfer } from '../../transfers/transfer-rows.ts'
import { lienRulesOn } from '../lien-rules-by-state.ts'
import { openCaseColumns } from '../load-lien-cases.ts'
import { loadSignOff } from '../load-lien-rules-sign-off.ts'
import { blockingFlags } from '../rules/blocking-flags.ts'
import { earliestCaseOpening, firstDayOfDefault } from '../rules/next-lien-step.ts'
import * as say from '../texts/lien-cases.ts'

export const OpenLienCase = officeOperation({
  name: 'OpenLienCase',
  permission: 'lien.step',
  done: 'The lien case is open.',
  button: {
    label: 'Lien case',
    key: 'v',
    place: 13,
    page: 'lien',
    about: 'lease',
    when: ({ status, balance }) => status !== 'Closed' && balance > 0,
  },
  input: v.object({ ...leaseFields, ...displayedLedgerFields, reason: optionalText(300) }),
  example: {
    location_code: 'ATL01',
    tenant_id: 1001,
    lease_number: 10001,
    balance: 25000,
    newest_entry: '',
  },
  async work(act, input) {
    const { tx, services, staff } = act
    const lease = await lockTenantLease(tx, input)
    await checkAgainstForm(act, lease, input)
    if (await isPaymentPending(tx, lease)) throw refusalError(409, 'money_on_its_way', say.paymentOnItsWay)
    await checkMayOpen(tx, lease)
    const now = services.clock.now()
    const today = todayIn(lease.time_zone, now)
    const rules = await requireRules(act, lease, today)
    const blocks = await loadBlocks(tx, lease)
    if (blocks.length > 0) throw refusalError(409, 'blocked', say.blockedBy(blocks))

    const caseId = services.random.uuid()
    await tx
      .insertInto('lien_cases')
      .values({
        case_id: caseId,
        location_code: lease.location_code,
        lease_number: lease.lease_number,
        tenant_id: lease.tenant_id,
        unit_number: lease.unit_number,
        state: 'open',
        rules_version: rules.version,
        default_from: firstDayOfDefault(lease.paid_through),
        owed: lease.balance,
        opened_on: today,
        opened_at: now,
        opened_by: staff.staffId,
        ...openCaseColumns,
      })
      .execute()
    await setLienCase(tx, lease, caseId)
    const details = { unit: lease.unit_number, rules: rules.version }
    await act.audit({ kind: 'lien.opened', details, subject: caseId })
    return { case_id: caseId }
  },
})

/**
 * Checks that a lease is open with a balance due and no lien case, was not sold at auction, and has no open transfer.
 * @throws RefusalError with 409
 */
async function checkMayOpen(tx: Kysely<Tables>, lease: LockedLease): Promise<void> {
  if (lease.status === 'Closed') throw refusalError(409, 'closed', say.leaseHasEnded)
  if (lease.balance <= 0) throw refusalError(409, 'paid', say.nothingOwedHere)
  if (lease.lien_case !== null) throw refusalError(409, 'open', say.caseOpenAlready)
  const leaseKey = { locationCode: lease.location_code, leaseNumber: lease.lease_number }
  if (await paidWinnerQuery(tx, leaseKey).executeTakeFirst()) throw refusalError(409, 'sold', say.soldAlready)
  const transfer = await loadOpenTransfer(tx, lease)
  if (transfer)
    throw refusalError(409, 'transfer', transferBlocks[transfer.state === 'moving' ? 'moving' : 'offered'].office)
}

/**
 * Returns the signed-off rules of the facility's state that allow a case today.
 * @throws RefusalError with 409
 */
async function requireRules({ tx, services }: OfficeContext, lease: LockedLease, today: IsoDate): Promise<LienRules> {
  const { state } = await tx
    .selectFrom('locations')
    .select('state')
    .where('location_code', '=', lease.location_code)
    .executeTakeFirstOrThrow()
  const rules = lienRulesOn(services, state, today)
  if (!rules) throw refusalError(409, 'no_rules', say.noRules(state))
  if (!(await loadSignOff(tx, rules))) throw refusalError(409, 'not_signed_off', say.notSignedOff(rules.version))
  const from = earliestCaseOpening(rules, lease.paid_through)
  if (today < from)
    throw refusalError(409, 'too_early', say.tooEarly('A lien case', from, `${rules.defaultDays} days of default`))
  return rules
}

async function loadBlocks(tx: Kysely<Tables>, lease: LockedLease): Promise<string[]> {
  const flags = await loadFlags(tx, { locationCode: lease.location_code, tenantId: lease.tenant_id })
  return blockingFlags.filter((blocking) => flags.some(({ flag }) => flag === blocking))
}
