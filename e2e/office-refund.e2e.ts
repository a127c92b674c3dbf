/** A refund by two staff members while the provider fails, then a payment review and a proof of insurance decided by key. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../platform/database/open.ts'
import { startSandbox } from '../sandbox/server.ts'
import {
  leaseOf,
  loadDemoTenants,
  openCardPage,
  payByCard,
  queryOrderUntilFinal,
  signIn,
} from '../tests/actors/payer.ts'
import { openSite } from '../tests/actors/run-site-process.ts'
import { payAtCardPage, Visitor } from '../tests/actors/visitor-http-client.ts'
import { expect, expectPageSound, siteTime, test, waitForPageShown } from './fixtures.ts'
import { Presses, pressKey, signInToOffice } from './office.ts'
import { change } from './read-and-change-site-database.ts'
import { button, heading, main } from './renter-actions-and-locators.ts'

const FAULT_KEY = 'only for this journey'

test('a refund is requested, approved by key and sent once the provider is up; a review and a proof are decided by key', async ({
  browser,
}) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'latchkey-refund-'))
  const sandbox = await startSandbox({ port: 0, dataDir, slowMs: 300, faultKey: FAULT_KEY })
  const site = await openSite({ dataDir, sandboxUrl: sandbox.url })
  try {
    await site.start(siteTime())
    const db = await openDatabase({ dataDir, readOnly: true })
    const [tenant] = await loadDemoTenants(db)
    if (!tenant) throw new Error('The demo has no tenant')
    const visitor = new Visitor(site, '127.9.9.9')
    await signIn(visitor, tenant.username)
    expect(await payByCard(visitor, leaseOf(tenant), 'visa')).toBe('APPROVED')
    // The stored amount of a second payment is lowered below what the provider charges, which leads to a manual review.
    const mismatch = await openCardPage(visitor, leaseOf(tenant))
    await change({ dataDir }, (tx) =>
      tx.updateTable('payments').set({ amount: 1_00 }).where('order_id', '=', mismatch.orderId).execute(),
    )
    await payAtCardPage(mismatch.url, 'visa')
    await expect(queryOrderUntilFinal(visitor, mismatch.orderId)).rejects.toThrow('"STATE":"ERROR"')
    const file = `/office/tenants/${tenant.location_code}/${tenant.tenant_id}?lease=${tenant.lease_number}`

    const newPage = async () => (await browser.newContext({ baseURL: site.url })).newPage()
    const agent = await newPage()
    const finance = await newPage()
    await signInToOffice(agent, 'agent')
    await agent.goto(file)
    await waitForPageShown(agent)
    await pressKey(agent, 'r')
    await expect(heading(agent)).toHaveText('Refund')
    await agent.getByLabel('Why').selectOption('charged-twice')
    await expect(main(agent).getByRole('row', { name: /Refund to VI/ })).toBeVisible()
    await expectPageSound(agent)
    await button(agent, 'Ask for it').click()
    await expect(main(agent).getByRole('status')).toHaveText('Asked for. A second person decides.')

    await fetch(`${sandbox.url}/sandbox/faults`, {
      method: 'POST',
      headers: { authorization: `Bearer ${FAULT_KEY}` },
      body: JSON.stringify({ orderId: '*', kind: 'down', on: 'query', times: 1 }),
    })
    await signInToOffice(finance, 'finance')
    await finance.goto('/office/queue?kind=approval')
    await waitForPageShown(finance)
    await expectPageSound(finance)
    const requestedRefund = main(finance).getByRole('link', { name: /^Refund .* to Visa ending 1111/ })
    // Without a selected row no letter acts, and the list of keys says that each letter acts on the row.
    await pressKey(finance, 'a')
    await finance.keyboard.press('?')
    await expect(finance.getByRole('dialog')).toContainText('Approve, of the row')
    await finance.keyboard.press('Escape')
    await requestedRefund.focus()
    const presses = new Presses(finance)
    await presses.key('a')
    await expect(main(finance).getByRole('status')).toHaveText('Approved.')
    presses.done('decide what waits')
    const refund = () => db.read.selectFrom('refunds').select(['state', 'attempts']).executeTakeFirst()
    await expect.poll(refund, { timeout: 30_000 }).toEqual({ state: 'open', attempts: 1 })
    await finance.goto('/office')
    await expect(main(finance)).toContainText('Refunds being tried again')

    // A minute later the provider responds.
    await site.end('SIGTERM')
    await site.start(siteTime() + 60_000)
    await expect.poll(refund, { timeout: 30_000 }).toEqual({ state: 'done', attempts: 2 })
    const { orders } = (await (await fetch(`${sandbox.url}/sandbox/ledger`)).json()) as {
      orders: { returns: unknown[] }[]
    }
    expect(orders.flatMap(({ returns }) => returns)).toHaveLength(1)
    await finance.goto(file)
    await expect(main(finance)).toContainText('Charged twice')

    // A payment review and a proof of insurance, each decided by selecting the row and pressing one key.
    for (const [kind, confirmation] of [
      ['review', 'Counted.'],
      ['proof', 'Accepted. The tenant gets a mail.'],
    ]) {
      await finance.goto(`/office/queue?kind=${kind}`)
      await pressKey(finance, 'j')
      await expect(main(finance).locator('[data-row] a[data-open]').first()).toBeFocused()
      await presses.key('a')
      await expect(main(finance).getByRole('status')).toHaveText(confirmation ?? '')
      presses.done('decide what waits')
    }
    await db.close()
  } finally {
    await site.end('SIGKILL')
    await sandbox.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
})
