import { expect, it } from 'vitest'
import { payAtHostedPage } from '../../sandbox/submit-card-page-in-tests.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { contact } from '../../tests/support/small-operator.ts'
import { reconcilePayments } from './settle-pending-payments.ts'
import { openPayingServices } from './testing.ts'
import { sandboxForTests } from './testing-card-provider.ts'
import { runAndKillSettlingProcess } from './testing-crash-points.ts'
import { expectInvariants, loadNewLeases, subjects } from './testing-invariants.ts'
import { openTestCardPage, readyToPay } from './testing-rent-until-card-page.ts'

const { till, folder } = sandboxForTests('killed')

/** Number of the output line after which each process is killed. The test pays as many orders as it kills processes. */
const lives = [1, 2]
/** Timeout of the test, in milliseconds: starting a process takes seconds on a busy machine. */
const PATIENCE_MS = 90_000

describeOnBothEngines('A process that is killed (SIGKILL) while it settles', (open) => {
  it(
    'leaves payments that the next process completes with one charge, one lease and one mail per renter',
    async () => {
      const db = await open()
      const services = await openPayingServices(db, till, folder)
      const orderIds: string[] = []
      for (const n of lives) {
        const draft = await readyToPay(services, { who: { ...contact, email: `renter${n}@example.com` } })
        const page = await openTestCardPage(services, draft)
        await payAtHostedPage(page.payPageUrl, 'visa')
        orderIds.push(page.orderId)
      }
      services.later(60_000)
      for (const life of lives)
        await runAndKillSettlingProcess(
          services,
          { till, folder },
          { orderIds },
          (line, count) => count === life || line === 'end',
        )
      await reconcilePayments(services)
      await services.runDueJobs()
      await services.runDueJobs()
      const leases = await loadNewLeases(services)
      expect(leases.map((lease) => lease.order_id).sort()).toEqual([...orderIds].sort())
      for (const orderId of orderIds) expect(await till.moved(orderId)).toMatchObject({ charges: 1, returns: 0 })
      expect((await subjects(services)).filter((subject) => subject.startsWith("You're moved in"))).toHaveLength(
        lives.length,
      )
      await expectInvariants(services, till)
    },
    PATIENCE_MS,
  )
})
