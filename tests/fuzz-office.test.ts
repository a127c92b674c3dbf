/**
 * Sends wrong addresses, forms and operation inputs to the office as staff members of each role. No request may throw
 * or be answered with 5xx, and each stored balance must equal its ledger afterwards. Form fields are read from each
 * page, so that new fields are covered. `npm run fuzz` sends more.
 */
import { rmSync } from 'node:fs'
import type { RouteObject } from 'react-router'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { officeOperations } from '../api/catalogue.ts'
import { type StaffBrowser, signedInStaff } from '../app/office/testing.ts'
import routes from '../app/routes.ts'
import { type OfficeRole, officeRoles } from '../domain/office/roles-and-permissions.ts'
import { findBalanceMismatches } from '../modules/ledger/load-and-repair-lease-balance.ts'
import { perform } from '../platform/operations/operation.ts'
import { seededRandom } from '../ports/testing-clock-and-random.ts'
import { approvingCardProvider, openBank } from './example-preparations.ts'
import { fieldNames, hugeValues, nearlyValid, wrongTypes } from './fuzz-values.ts'
import { describeOnBothEngines, temporaryFolder } from './support/databases.ts'
import { pick } from './support/random-choices.ts'
import { type DemoServices, seedDemoInto, servicesOn } from './support/seeded-demo-operator.ts'
import { addStaffCaller, withApprovals } from './support/staff.ts'

/** Number of pages to open: one for twelve calls of operations, because rendering a page takes longer; at least 250. */
const pages = Math.max(250, Math.round(Number(process.env.FUZZ_REQUESTS ?? 0) / 12))
const calls = Number(process.env.FUZZ_REQUESTS ?? 1000)
const seed = Number(process.env.FUZZ_SEED ?? 20_261_120)

interface Page {
  path: string
  file: string
}

/** Returns whether a page can be opened: an address that only accepts forms has no loader. */
const hasLoader = async ({ file }: Page): Promise<boolean> =>
  'loader' in (await import(new URL(`../app/${file}`, import.meta.url).href))

/** Returns all office pages, including those nested in layouts. */
function officePages(all: readonly RouteObject[] = routes as RouteObject[]): Page[] {
  return all.flatMap((route) => {
    const { path = '', file = '', children } = route as RouteObject & { file?: string }
    const own = /^office(\/|$)/.test(path) ? [{ path: `/${path}`, file }] : []
    return [...own, ...(children ? officePages(children) : [])]
  })
}

/** Returns the `value` attributes of a page's fields and buttons by name; '' for selects and text areas. */
function formOf(html: string): Map<string, string[]> {
  const fields = new Map<string, string[]>()
  for (const [tag] of html.matchAll(/<(?:input|button|select|textarea)\b[^>]*>/g)) {
    const name = /\sname="([^"]+)"/.exec(tag)?.[1]
    if (!name) continue
    const value = (/\svalue="([^"]*)"/.exec(tag)?.[1] ?? '').replaceAll('&amp;', '&').replaceAll('&quot;', '"')
    fields.set(name, [...(fields.get(name) ?? []), value])
  }
  return fields
}

const text = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value)).slice(0, 20_000)

describeOnBothEngines('Fuzzed pages of the office', (open, engine) => {
  const folder = temporaryFolder()
  const random = seededRandom(seed + (engine === 'sqlite' ? 0 : 1))
  let services: DemoServices
  /** Ids of existing records, by the name of the address parameter. */
  let recordIds: Record<string, string[]>

  beforeAll(async () => {
    const db = await open()
    await seedDemoInto(db, 11)
    const opened = servicesOn(db, folder, { cardProvider: approvingCardProvider(), bank: openBank() })
    services = withApprovals(Object.assign(opened, { allowsAnyFactor: true as const }))
    const { read } = db
    const column = async (table: 'cash_batches' | 'counter_receipts' | 'staff' | 'units' | 'approvals', name: string) =>
      (
        await read
          .selectFrom(table as 'staff')
          .select(name as 'name')
          .limit(20)
          .execute()
      ).map((row) => String(row[name as 'name']))
    const leases = await read.selectFrom('leases').selectAll().where('location_code', '=', 'ATL01').limit(20).execute()
    recordIds = {
      location: ['ATL01', 'ATL01', 'ATL01', 'CHS01', 'HQ01'],
      tenant: leases.map((lease) => String(lease.tenant_id)),
      lease: leases.map((lease) => String(lease.lease_number)),
      unit: await column('units', 'unit_id'),
      batch: await column('cash_batches', 'batch_id'),
      receipt: await column('counter_receipts', 'receipt_id'),
      staffId: await column('staff', 'staff_id'),
      approvalId: await column('approvals', 'approval_id'),
    }
  })

  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  function addressOf(path: string): string {
    // Tenant and lease are taken from the same row, so that most addresses exist.
    const at = random.integer(0, 19)
    const filled = path.replace(/:(\w+)\??/g, (_, name: string) => {
      const values = recordIds[name] ?? []
      const value =
        values[name === 'tenant' || name === 'lease' ? at % values.length : random.integer(0, 50) % values.length]
      const spoiled = value === undefined || random.integer(0, 15) === 0 ? text(pick(random, nearlyValid)) : value
      return encodeURIComponent(spoiled.toWellFormed() || 'none')
    })
    const query = [
      'at',
      'after',
      'sort',
      'q',
      'state',
      'kind',
      'entry',
      'order',
      'unit',
      'drawer',
      'done',
      'view',
      'tenant',
      'day',
    ]
    return random.integer(0, 3) > 0
      ? filled
      : `${filled}?${pick(random, query)}=${encodeURIComponent(text(pick(random, nearlyValid)).toWellFormed())}`
  }

  function spoilForm(fields: Map<string, string[]>): Record<string, string> {
    const form: Record<string, string> = {}
    for (const [name, values] of fields) form[name] = pick(random, values)
    const names = [...fields.keys()]
    for (let change = random.integer(0, 3); change > 0 && names.length > 0; change -= 1) {
      const name = pick(random, names)
      const way = random.integer(1, 10)
      if (way <= 6) form[name] = text(pick(random, nearlyValid))
      else if (way <= 7) form[name] = text(pick(random, hugeValues))
      else if (way <= 8) form[name] = pick(random, ['0', '-5', '12.345', '1000000000', ',', '25', '10.00'])
      else delete form[name]
    }
    return form
  }

  async function expectBooksHold() {
    expect(await findBalanceMismatches(services.db)).toEqual([])
    // No entry with a reason may have a kind that only a period's charges have.
    const byHand = await services.db.read
      .selectFrom('ledger_entries')
      .innerJoin('entry_reasons', 'entry_reasons.entry_id', 'ledger_entries.entry_id')
      .select(['kind'])
      .distinct()
      .execute()
    expect(byHand.filter(({ kind }) => ['rent', 'discount', 'insurance'].includes(kind))).toEqual([])
  }

  it(
    `${pages} pages and forms fail nowhere`,
    async () => {
      const all = officePages()
      expect(all.length).toBeGreaterThan(50)
      const people = new Map<OfficeRole, StaffBrowser>()
      const statuses = new Map<number, number>()
      const faults: string[] = []
      let hired = 0
      const signInAs = async (role: OfficeRole) => {
        const signedIn = people.get(role)
        if (signedIn && signedIn.office.token !== null) return signedIn
        hired += 1
        const scope = role === 'manager' ? { state: 'GA' } : { all: true as const }
        const person = await signedInStaff(services, role, { name: `${role} ${hired}`, scope })
        people.set(role, person)
        return person
      }
      const roles: OfficeRole[] = [...officeRoles, 'owner', 'finance', 'manager', 'district']
      for (let index = 0; index < pages && faults.length < 5; index += 1) {
        const page = all[index % all.length] as Page
        const role = pick(random, roles)
        const person = await signInAs(role)
        const path = addressOf(page.path)
        let sent = ''
        let form: Record<string, string> = {}
        let hidden: string[] = []
        const countStatus = (status: number) => {
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
          if (status >= 500) faults.push(`${role} ${path} answered ${status} ${sent}`)
        }
        try {
          if (!(await hasLoader(page))) {
            countStatus((await person.post(path)).status)
            continue
          }
          const view = await person.get(path)
          countStatus(view.status)
          if (/\/office\/sign-in/.test(view.to)) people.delete(role)
          if (view.status !== 200 || view.response) continue
          const html = view.html()
          form = spoilForm(formOf(html))
          hidden = [...html.matchAll(/<input type="hidden" name="([^"]*)"/g)].map(([, name]) => String(name))
          if (Object.keys(form).length === 0 || /sign-out|sign-in/.test(path)) continue
          sent = JSON.stringify(form).slice(0, 800)
          const answer = await person.post(path, form)
          countStatus(answer.status)
          // The page must also render with the values of the refused form.
          if (answer.response === null && answer.data !== null) (await person.get(path)).html(answer.data)
        } catch (error) {
          // An address without a page, a page without an action, and the error of a field that the page's form does not
          // have or hides are no faults.
          const { message } = error as Error
          const [, linked] = /^An error's link leads to #([^,]*)/.exec(message) ?? []
          const isOfOtherField = linked !== undefined && (!(linked in form) || hidden.includes(linked))
          if (!isOfOtherField && message !== `No route for ${path}` && message !== `${path} takes no form`)
            faults.push(`${role} ${path} ${sent}: ${error instanceof Error ? error.stack?.slice(0, 900) : error}`)
        }
        for (const error of services.reported.splice(0)) faults.push(`${role} ${path} ${sent} reported ${error}`)
        services.clock.advance(1000)
      }
      expect(faults).toEqual([])
      expect(statuses.get(200) ?? 0).toBeGreaterThan(pages / 4)
      expect((statuses.get(400) ?? 0) + (statuses.get(409) ?? 0)).toBeGreaterThan(pages / 50)
      await expectBooksHold()
    },
    600_000 + pages * 300,
  )

  it(
    `${calls} calls of operations fail nowhere`,
    async () => {
      const faults: string[] = []
      const people = await Promise.all(officeRoles.map((role) => addStaffCaller(services, role)))
      const statuses = new Map<number, number>()
      for (let index = 0; index < calls && faults.length < 5; index += 1) {
        const declared = officeOperations[index % officeOperations.length] as (typeof officeOperations)[number]
        const input: Record<string, unknown> = { ...declared.example.input }
        const names = [...new Set([...Object.keys(input), ...fieldNames(declared.input)])]
        for (const [name, values] of [
          ['location_code', recordIds.location],
          ['tenant_id', recordIds.tenant?.map(Number)],
          ['lease_number', recordIds.lease?.map(Number)],
          ['batch_id', recordIds.batch],
          ['receipt_id', recordIds.receipt],
          ['staff_id', recordIds.staffId],
          ['approval_id', recordIds.approvalId],
        ] as const)
          if (name in input && values && values.length > 0) input[name] = pick(random, values as readonly unknown[])
        for (let change = random.integer(0, 2); change > 0; change -= 1) {
          const name = pick(random, names)
          const way = random.integer(1, 12)
          if (way <= 7) input[name] = pick(random, nearlyValid)
          else if (way <= 9) input[name] = pick(random, wrongTypes)
          else if (way <= 11) delete input[name]
          else input[name] = pick(random, hugeValues)
        }
        const key = random.integer(0, 3) === 0 ? `a-key-of-some-length-${random.integer(1, 300)}` : undefined
        const by = pick(random, people)
        try {
          const outcome = await perform(services, declared, input, by, key)
          const status = outcome.ok ? 200 : outcome.status
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
          if (![200, 400, 401, 403, 404, 409, 413, 429].includes(status))
            faults.push(`${declared.name} answered ${status}: ${JSON.stringify(input).slice(0, 500)}`)
        } catch (error) {
          faults.push(
            `${declared.name} by ${by.staff.name} ${JSON.stringify(input).slice(0, 500)}: ${error instanceof Error ? error.stack?.slice(0, 900) : error}`,
          )
        }
        for (const error of services.reported.splice(0)) faults.push(`${declared.name} reported ${error}`)
      }
      expect(faults).toEqual([])
      expect(statuses.get(400) ?? 0).toBeGreaterThan(calls / 20)
      expect(statuses.get(200) ?? 0).toBeGreaterThan(calls / 100)
      await expectBooksHold()
    },
    600_000 + calls * 50,
  )
})
