import { beforeEach, expect, it } from 'vitest'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { recordsOf } from '../../tests/support/rows.ts'
import { openTestServices, type TestServices } from '../../tests/support/small-operator.ts'
import { DatabaseUnavailable, type Transaction } from '../database/open.ts'
import type { Tables } from '../schema/tables.ts'
import { writeAuditEvent } from './audit.ts'

describeOnBothEngines('The count of audit events', (open) => {
  let services: TestServices
  let counted: string[]

  beforeEach(async () => {
    counted = []
    services = await openTestServices(await open())
    services.businessEvents = { count: (_, details) => void counted.push(JSON.stringify(details)) }
  })

  const write = (tx: Transaction<Tables>) =>
    writeAuditEvent(tx, services, { command: 'test' }, { kind: 'staff.ended', details: { person: 'Ada' } })

  it('leaves out an event whose transaction is rolled back', async () => {
    const failing = services.db.transaction(async (tx) => {
      await write(tx)
      throw new Error('no longer due')
    })
    await expect(failing).rejects.toThrow('no longer due')
    expect(counted).toEqual([])
  })

  it('counts an event once whose transaction is repeated after a conflict', async () => {
    let attempts = 0
    await services.db.transaction(async (tx) => {
      await write(tx)
      attempts += 1
      if (attempts < 3) throw new DatabaseUnavailable('busy', Object.assign(new Error('deadlock'), { code: '40P01' }))
    })
    expect(await recordsOf(services, 'audit_events')).toHaveLength(1)
    expect(counted).toEqual(['{"kind":"staff.ended"}'])
  })
})
