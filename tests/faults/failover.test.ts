import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../../platform/database/open.ts'
import { ensureBuild } from '../../server/build.mjs'
import { checkStandbys } from '../../server/schedule.ts'
import { killPostgres } from '../actors/run-site-process.ts'
import { canUsePostgres, startPostgresPair, temporaryFolder } from '../support/postgres.ts'
import { openRedirectableProxy } from '../support/redirectable-tcp-proxy.ts'
import { runFailover } from './failover.ts'

describe.skipIf(!canUsePostgres() || Boolean(process.env.TEST_DATABASE_URL))(
  'two processes on a primary and its standby',
  () => {
    beforeAll(() => ensureBuild())

    it('loses no acknowledged write when the primary is killed and the standby takes over', async () => {
      const pair = await startPostgresPair()
      onTestFinished(() => pair.stop())
      const { port, redirectTo, close } = await openRedirectableProxy({ path: pair.primary.socket })
      onTestFinished(close)
      const standbyErrors = async (url: string) => {
        const db = await openDatabase({ url, dataDir: temporaryFolder() })
        const log: string[] = []
        await checkStandbys({ db }, null, {
          standbyRequired: true,
          log: { error: (line: string) => void log.push(line) },
        })
        await db.close()
        return log.join()
      }
      expect(await standbyErrors(pair.primary.url('postgres'))).toBe('')
      const report = await runFailover({
        databaseUrl: `postgres://latchkey@127.0.0.1:${port}/postgres`,
        seed: 5,
        kiosks: 4,
        hurry: true,
        probes: ['/', '/readyz?for=pages'],
        async strike() {
          await killPostgres(pair.primary.dataFolder)
          await pair.promote()
          redirectTo({ path: pair.standby.socket })
        },
      })
      expect(report.violations).toEqual([])
      for (const [path, { answers, failed }] of Object.entries(report.probes)) {
        expect(answers, path).toBeGreaterThan(0)
        expect(failed, path).toBe(0)
      }
      expect(report.writesAfter).toBeGreaterThan(0)
      expect(report.movedIn).toBeGreaterThan(0)
      expect(await standbyErrors(pair.standby.url('postgres'))).toContain('no synchronous standby')
    }, 180_000)
  },
)
