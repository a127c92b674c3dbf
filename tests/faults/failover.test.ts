import { describe, expect, it, onTestFinished } from 'vitest'
import { ensureBuild } from '../../server/build.mjs'
import { killPostgres } from '../actors/site.ts'
import { postgresIsAtHand, startPostgresPair } from '../support/postgres.ts'
import { openSwitch } from '../support/tcp-switch.ts'
import { runFailover } from './failover.ts'

describe.skipIf(!postgresIsAtHand() || Boolean(process.env.TEST_DATABASE_URL))(
  'two processes on a primary and its standby',
  () => {
    it('lose nothing that was answered when the primary is killed and the standby takes over', async () => {
      ensureBuild()
      const pair = await startPostgresPair()
      onTestFinished(() => pair.stop())
      const { port, turn, close } = await openSwitch({ path: pair.primary.socket })
      onTestFinished(close)
      const report = await runFailover({
        ...{ databaseUrl: `postgres://latchkey@127.0.0.1:${port}/postgres`, seed: 5, kiosks: 4, hurry: true },
        async strike() {
          await killPostgres(pair.primary.dataFolder)
          await pair.promote()
          turn({ path: pair.standby.socket })
        },
      })
      expect(report.violations).toEqual([])
      expect(report.writesAfter).toBeGreaterThan(0)
      expect(report.movedIn).toBeGreaterThan(0)
    }, 120_000)
  },
)
