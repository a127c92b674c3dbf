import { describe, expect, it, onTestFinished } from 'vitest'
import { freePort } from '../tests/actors/free-port.ts'
import { end, environmentOf, fetchStatus, hasEnded, run } from '../tests/actors/run-site-process.ts'
import { openerForTests, placeOf } from '../tests/support/databases.ts'

const open = openerForTests()

describe('npm run dev', () => {
  it("serves pages and PDFs from the sources, and lets pages load Vite's style sheets", {
    timeout: 120_000,
  }, async () => {
    const { dataDir } = placeOf(await open())
    const port = await freePort()
    const url = `http://localhost:${port}`
    const server = run(['server/launch.mjs', '--dev'], {
      ...environmentOf({ dataDir }),
      PORT: String(port),
      SANDBOX_PORT: String(await freePort()),
      NODE_ENV: 'development',
    })
    onTestFinished(async () => void (await end(server, 'SIGTERM')))
    await expect
      .poll(async () => hasEnded(server.child) || (await fetchStatus(`${url}/readyz`)) === 200, { timeout: 100_000 })
      .toBe(true)
    expect(hasEnded(server.child), server.output()).toBe(false)
    const page = await fetch(`${url}/login`)
    expect(page.status).toBe(200)
    const policy = page.headers.get('Content-Security-Policy')
    expect(policy).toContain("style-src 'self' 'unsafe-inline';")
    expect(policy).toContain("connect-src ws: 'self';")
    const brochure = await fetch(`${url}/brochure/ATL01`)
    expect(brochure.headers.get('Content-Type')).toBe('application/pdf')
  })
})
