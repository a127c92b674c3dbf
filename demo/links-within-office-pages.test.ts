import { expect, it } from 'vitest'
import { type StaffBrowser, signedInStaff } from '../app/office/testing.ts'
import { reportNames } from '../modules/reports/every-report.ts'
import { demoServices } from '../tests/support/seeded-demo-operator.ts'
import { people } from './tenants-with-leases-and-reservations.ts'

const open = demoServices()

const owner = async () =>
  signedInStaff(Object.assign(await open(), { allowsAnyFactor: true }), 'owner', { name: 'Nora Quist' })

async function linksOf(person: StaffBrowser, path: string): Promise<string[]> {
  const page = await person.get(path)
  expect(page.status, path).toBe(200)
  return [...page.html().matchAll(/href="(\/[^"#]+)/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'))
}

/** Requests each link of the pages once and expects status 200. @returns the links' addresses */
async function follow(person: StaffBrowser, paths: readonly string[]): Promise<string[]> {
  const links = new Map<string, string>()
  for (const path of paths) for (const link of await linksOf(person, path)) if (!links.has(link)) links.set(link, path)
  const dead: string[] = []
  for (const [link, from] of links) {
    const { status, to } = await person.get(link)
    if (status !== 200) dead.push(`${link} of ${from}: ${status} ${to}`)
  }
  expect(dead, 'links that lead nowhere').toEqual([])
  return [...links.keys()]
}

it('every link of Today, the queue and the office’s lists answers', { timeout: 60_000 }, async () => {
  const paths = ['', '/queue', '/past-due', '/receipts', '/liens', '/field', '/rent-changes', '/audit', '/staff']
  const links = await follow(
    await owner(),
    paths.map((path) => `/office${path}`),
  )
  expect(links.filter((link) => link.startsWith('/office/tenants/')).length).toBeGreaterThan(10)
})

it('every link of the reports answers, of one facility too', { timeout: 60_000 }, async () => {
  const reports = reportNames.map((name) => `/office/reports/${name}`)
  const links = await follow(await owner(), [
    '/office/reports',
    ...reports,
    ...reports.map((path) => `${path}?at=ATL02`),
  ])
  expect(links.filter((link) => /^\/office\/tenants\/ATL02\/\d+\/leases\/\d+$/.test(link)).length).toBeGreaterThan(10)
})

it('the search finds no tenant of the operator’s own office, and opens a single match at once', async () => {
  const person = await owner()
  expect(people.filter(({ last }) => last === 'Delacroix').map(({ at }) => at)).toEqual(['TPA01', 'HQ01'])
  const { status, to } = await person.get('/office/find?q=delacroix')
  expect([status, to]).toEqual([302, expect.stringMatching(/^\/office\/tenants\/TPA01\/\d+$/)])
  const links = await follow(person, ['/office/find?q=101'])
  expect(links.filter((link) => link.includes('/HQ01'))).toEqual([])
  expect(links.length).toBeGreaterThan(2)
})
