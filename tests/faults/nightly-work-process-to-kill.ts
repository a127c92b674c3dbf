/**
 * Runs the site's nightly work in a process that may be killed at any point: bills the day, charges autopay, handles
 * refusals, reverses returned debits, settles orders, makes refunds. With `--once` the process ends after one round.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { runBilling } from '../../modules/billing/run-billing.ts'
import { runAutopay } from '../../modules/payments/autopay/charge-autopay.ts'
import { followUpRefusals } from '../../modules/payments/autopay/follow-up-refused-autopay.ts'
import { processRefunds } from '../../modules/payments/refund-unposted-payments.ts'
import { reconcilePayments } from '../../modules/payments/settle-pending-payments.ts'
import { reverseReturnedDebits } from '../../modules/refunds/reverse-payments-returned-by-bank.ts'
import { DatabaseUnavailable } from '../../platform/database/engine-differences.ts'
import { openDatabase } from '../../platform/database/open.ts'
import { configFrom } from '../../server/config/config.ts'
import { openLog } from '../../server/log.ts'
import { createClock, openRuntime } from '../../server/services.ts'

const parsed = configFrom(process.env)
if (!parsed.ok) throw new Error(parsed.problems.join('\n'))
const { config } = parsed
const db = await openDatabase({
  dataDir: config.dataDir,
  ...(config.databaseUrl && { url: config.databaseUrl }),
})
const { services, restoreGuard } = openRuntime({ config, db, log: openLog('silent'), clock: createClock(config) })
// No money moves before it is certain that the database was not restored.
await restoreGuard.checkState()
try {
  do {
    await runBilling(services, { again: true })
    await runAutopay(services)
    await followUpRefusals(services)
    await reverseReturnedDebits(services)
    await reconcilePayments(services)
    await processRefunds(services)
    await pause(20)
  } while (!process.argv.includes('--once'))
} catch (error) {
  // The process ends when its database was killed, with another exit code than after an error.
  if (!(error instanceof DatabaseUnavailable)) throw error
  process.exit(75)
}
await db.close()
