import { beforeEach, expect, it } from 'vitest'
import type { Transaction } from '../../platform/database/open.ts'
import { perform } from '../../platform/operations/operation.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { payAtHostedPage } from '../../sandbox/submit-card-page-in-tests.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { countLockWaits, holdTransaction } from '../../tests/support/held-transactions.ts'
import { asAda, today } from '../../tests/support/small-operator.ts'
import { runBilling } from '../billing/run-billing.ts'
import { loadGateAccess } from '../gate/assign-and-activate-gate-codes.ts'
import { TransferUnit } from '../transfers/operations/start-transfer-by-tenant-or-staff.ts'
import { settlePayment } from './settle-payment.ts'
import { change, leaseOf, openPayingServices, type PayingServices, recordsOf, scheduleTestMoveOut } from './testing.ts'
import { sandboxForTests } from './testing-card-provider.ts'
import {
  openTestCardPage,
  plainAnswers,
  readyToPay,
  reloadDraft,
  saveTestAnswers,
  signTestLease,
} from './testing-rent-until-card-page.ts'

const { till, folder } = sandboxForTests('move-in-beside-move-out')
const DAY = 86_400_000
const ada = { location_code: 'GA1', tenant_id: 1001, lease_number: 10001 }

describeOnBothEngines('A tenant whose last lease ends tonight', (open, engine) => {
  let services: PayingServices

  beforeEach(async () => {
    services = await openPayingServices(await open(), till, folder)
  })

  /** Returns the draft of a tenant who rents while signed in. */
  async function signedInDraft() {
    const draft = await readyToPay(services)
    await change(services, 'reservations', { reservation_code: draft.reservationCode ?? '' }, { tenant_id: 1001 })
    await change(services, 'rental_drafts', { draft_id: draft.draftId }, { tenant_id: 1001, existing_tenant: 0 })
    return draft
  }

  /** Returns the draft of a tenant who follows a transfer link. */
  async function transferDraft() {
    const { balance } = await leaseOf(services, 10001)
    const input = { ...ada, unit_type_id: 2, balance, reason: 'Needs room' }
    const answer = await perform(services, TransferUnit, input, asAda)
    if (!answer.ok) throw new Error(answer.message)
    return saveTestAnswers(services, await reloadDraft(services, answer.grants?.draftId), plainAnswers)
  }

  const rents = { 'while signed in': signedInDraft, 'by a transfer link': transferDraft }
  const ways = Object.keys(rents) as (keyof typeof rents)[]

  async function payFor(way: keyof typeof rents) {
    const unsigned = await rents[way]()
    await scheduleTestMoveOut(services, 10001, today)
    services.later(DAY)
    const draft = await signTestLease(services, unsigned)
    const page = await openTestCardPage(services, draft)
    await payAtHostedPage(page.payPageUrl, 'visa')
    return { draftId: draft.draftId, orderId: page.orderId }
  }

  async function expectOpenCode() {
    const [lease, ...more] = (await recordsOf(services, 'leases')).filter(({ lease_number }) => lease_number > 10002)
    expect(more).toEqual([])
    expect(lease).toMatchObject({ tenant_id: 1001, status: 'Current' })
    expect(await leaseOf(services, 10001)).toMatchObject({ status: 'Closed' })
    const access = await loadGateAccess(services.db.read, 'GA1', services.clock.now())
    expect(access.filter(({ tenantId }) => tenantId === 1001)).toMatchObject([
      { code: lease?.gate_code, opens: true, units: [lease?.unit_number] },
    ])
    expect(await recordsOf(services, 'payments')).toMatchObject([{ state: 'posted' }])
  }

  /**
   * Runs `first` until it waits for the row that `lock` locks, then starts `second`. Releases the row when `second` has
   * ended or waits for a lock too.
   */
  async function interleave(
    lock: (tx: Transaction<Tables>) => Promise<unknown>,
    first: () => Promise<unknown>,
    second: () => Promise<unknown>,
  ): Promise<void> {
    const commit = await holdTransaction(services.db, lock)
    const waiting = () => countLockWaits(services.db)
    let hasEnded = false
    const works = [first()]
    try {
      await expect.poll(waiting, { timeout: 10_000 }).toBe(1)
      works.push(second().finally(() => (hasEnded = true)))
      await expect.poll(async () => hasEnded || (await waiting()) === 2, { timeout: 10_000 }).toBe(true)
    } finally {
      await commit()
    }
    await Promise.all(works)
  }

  it.each(ways)('has a code that opens after they rent another unit %s', async (way) => {
    const { orderId } = await payFor(way)
    await Promise.all([settlePayment(services, orderId), runBilling(services)])
    await expectOpenCode()
  })

  it.runIf(engine === 'postgres').each(ways)(
    'has a code that opens where billing runs before the move-in %s has committed',
    async (way) => {
      const { draftId, orderId } = await payFor(way)
      await interleave(
        (tx) =>
          tx.selectFrom('lease_documents').select('document_id').where('draft_id', '=', draftId).forUpdate().execute(),
        () => settlePayment(services, orderId),
        () => runBilling(services),
      )
      await expectOpenCode()
    },
  )

  it.runIf(engine === 'postgres').each(ways)(
    'has a code that opens where they rent %s before billing has committed the move-out',
    async (way) => {
      const { orderId } = await payFor(way)
      await interleave(
        (tx) =>
          tx.selectFrom('move_outs').select('move_out_id').where('lease_number', '=', 10001).forUpdate().execute(),
        () => runBilling(services),
        () => settlePayment(services, orderId),
      )
      await expectOpenCode()
    },
  )
})
