import { expect, it } from 'vitest'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { checkKeys, keyCheck, loadKeyChecks, WrongKeys } from './key-checks.ts'

describeOnBothEngines('The first keys of a database', (open) => {
  it('are those of one server, where two start at once with different keys', async () => {
    const db = await open()
    const [first, second] = [1, 2].map((fill) => ({ id: String(fill), key: Buffer.alloc(32, fill) }))
    const starts = await Promise.allSettled([checkKeys(db, [first!], 1), checkKeys(db, [second!], 1)])
    const refused = starts.filter((start) => start.status === 'rejected')
    expect(refused).toHaveLength(1)
    expect(refused[0]?.reason).toBeInstanceOf(WrongKeys)
    const accepted = starts[0]?.status === 'fulfilled' ? first! : second!
    expect(await loadKeyChecks(db)).toEqual([keyCheck(accepted)])
  })
})
