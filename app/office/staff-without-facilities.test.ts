import { expect, it } from 'vitest'
import { reportNames } from '../../modules/reports/every-report.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { openTestServices } from '../../tests/support/small-operator.ts'
import { signedInStaff } from './testing.ts'

const listPaths = [
  '/office',
  '/office/queue',
  '/office/find?q=Dorn',
  '/office/find?q=302',
  '/office/find?q=LK0000000000000000000000AA',
  '/office/units',
  '/office/field',
  '/office/past-due',
  '/office/liens',
  '/office/rent-changes',
  '/office/rent-changes/new',
  '/office/rent-changes/5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c15',
  '/office/setup',
  '/office/setup/terms',
  '/office/receipts',
  '/office/receipts/stack?unit=302',
  '/office/reports',
  '/office/audit',
]

describeOnBothEngines('A staff member of a state without facilities', (open) => {
  it.each(['manager', 'district', 'finance'] as const)('opens every list as %s without an error', async (role) => {
    const services = { ...(await openTestServices(await open())), allowsAnyFactor: true as const }
    const person = await signedInStaff(services, role, { scope: { state: 'WY' } })
    const reportPaths = reportNames.map((name) => `/office/reports/${name}`)
    const statuses: [path: string, status: number | string][] = []
    for (const path of [...listPaths, ...reportPaths])
      statuses.push([path, await person.get(path).then((page) => page.status, String)])
    expect(statuses.filter(([, status]) => typeof status === 'string' || status >= 500)).toEqual([])
  })
})
