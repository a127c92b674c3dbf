/** The owner visits the office pages of app/routes.ts, but for `exceptions`, by following links from `beginnings`. */
import type { Page } from '@playwright/test'
import type { RouteConfigEntry } from '@react-router/dev/routes'
import { matchRoutes } from 'react-router'
import routes from '../app/routes.ts'
import { reportNames } from '../modules/reports/every-report.ts'
import { expect, test } from './fixtures.ts'
import { expectFocusShown, expectNothingCutOff, inspectAt } from './inspect.ts'
import { signInToOffice } from './office.ts'
import { waitForMail } from './read-and-change-site-database.ts'
import { button } from './renter-actions-and-locators.ts'

/** Route patterns whose addresses the walk does not open, with the reason. */
const exceptions: Record<string, string> = {
  'office/passkey-options': 'answers scripts, by POST alone',
  'office/setup/:location/gate/list.csv': 'answers with a file, by POST alone',
  'office/audit/file': 'an act: by POST alone',
  'office/tenants/:location/:tenant/export/archive': 'an act: by POST alone',
  'office/photographs/:location/:photo/:file': 'the demo has no photographs taken at a verified move-out',
  'office/sign-out': 'ends the sign-in and shows nothing',
}

/** Pages where the walk begins: the start page, and pages to which the other pages may have no link. */
const beginnings = [
  '/office',
  '/office/find?q=yates',
  '/office/second-factor',
  // The lease has a balance due and no open lien case.
  '/office/tenants/ATL02/1006/leases/10005/lien',
  ...['write-off', 'move-balance'].map((act) => `/office/tenants/ATL02/1002/leases/10002/${act}`),
]

const flatten = (entries: RouteConfigEntry[]): RouteConfigEntry[] =>
  entries.flatMap((entry) => [entry, ...flatten(entry.children ?? [])])
const patterns = flatten(routes).flatMap(({ path = '', file }) =>
  /^office(\/|$)/.test(path) ? [{ id: path, path: `/${path}`, isPage: file.endsWith('.tsx') }] : [],
)
const patternOf = (address: string) => {
  const id = matchRoutes(patterns, address.split(/[?#]/)[0] ?? '')?.at(-1)?.route.id
  return patterns.find((pattern) => pattern.id === id)
}

const officeLinks = (html: string): string[] =>
  [...html.matchAll(/href="(\/office[^"#]*)/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'))

/**
 * Follows links until each route pattern has an address or no link is left. Opens at most eight addresses of a pattern.
 * @param missing ids of patterns; a pattern that has an address is removed
 * @returns one address for each removed pattern
 */
async function findAddresses(page: Page, missing: Set<string>): Promise<string[]> {
  const found: string[] = []
  const opened = new Map<string, number>()
  const queue = [...beginnings]
  const queued = new Set(queue)
  while (missing.size > 0) {
    const address = queue.shift()
    if (address === undefined) return found
    const pattern = patternOf(address)
    expect(pattern, `a route for ${address}`).toBeDefined()
    if (!pattern || pattern.id in exceptions) continue
    const times = opened.get(pattern.id) ?? 0
    if (times >= 8) continue
    opened.set(pattern.id, times + 1)
    const response = await page.request.get(address)
    expect(response.status(), address).toBe(200)
    // An address that redirects does not count, such as that for opening a lien case when one is open.
    if (pattern.isPage && patternOf(new URL(response.url()).pathname) !== pattern) continue
    if (missing.delete(pattern.id)) found.push(address)
    if (!pattern.isPage) continue
    for (const link of officeLinks(await response.text())) if (!queued.has(link)) queue.push(link)
    for (const link of queue) queued.add(link)
  }
  return found
}

async function look(page: Page): Promise<void> {
  await inspectAt(
    page,
    [1440, 360, 320],
    async () => {},
    () => expectNothingCutOff(page),
  )
  await expectFocusShown(page)
}

test('every page of the office passes the page checks', async ({ page, site }) => {
  // More than fifty pages, each checked twice by axe, take minutes, and longer on a busy machine.
  test.setTimeout(600_000)
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(`${page.url()}: ${message.text()}`))
  const missing = new Set(patterns.map(({ id }) => id).filter((id) => !(id in exceptions)))
  await page.goto('/office/sign-in')
  await look(page)
  missing.delete('office/sign-in')
  await signInToOffice(page, 'owner')

  await page.goto('/office/staff')
  await page.getByLabel('Name').fill('Nora Quist')
  await page.getByLabel('E-mail').fill('nora@office.example')
  await page.getByLabel('Role 1', { exact: true }).selectOption('auditor')
  await button(page, 'Send the invitation').click()
  await expect(page.getByRole('status')).toHaveText('The invitation is on its way by mail.')
  await expect(page.getByLabel('Name')).toHaveValue('')
  const invitation = /\/office\/join\/\S+/.exec(await waitForMail(site, 'nora@office.example', /./))?.[0] ?? ''
  missing.delete('office/join/:token')

  const addresses = [...(await findAddresses(page, missing)), invitation]
  expect([...missing], 'patterns of app/routes.ts without an address, and no exceptions').toEqual([])
  for (const address of addresses) {
    if (!patternOf(address)?.isPage) continue
    await test.step(address, async () => {
      expect((await page.goto(address))?.status(), address).toBe(200)
      expect(patternOf(new URL(page.url()).pathname)?.id, address).toBe(patternOf(address)?.id)
      await look(page)
    })
  }
  expect(errors, 'errors in the console').toEqual([])
})

test('every report of a facility and the staff member’s own page fit a phone', async ({ page }) => {
  await signInToOffice(page, 'owner')
  await page.setViewportSize({ width: 360, height: 800 })
  for (const path of [...reportNames.map((name) => `/office/reports/${name}?at=ATL02`), '/office/me']) {
    expect((await page.goto(path))?.status(), path).toBe(200)
    const cut = await page
      .locator('.overflow-x-auto:not(nav)')
      .evaluateAll((all) => all.filter((list) => list.scrollWidth > list.clientWidth).map((list) => list.textContent))
    expect(cut, `tables cut on ${path}`).toEqual([])
  }
})
