import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { IsoDate } from '../domain/plain-date.ts'
import { renderMail } from '../modules/messages/mail-layout.tsx'
import { auditHash } from '../modules/messages/mails/audit-hash.ts'
import { openerForTests, placeOf, temporaryFolder } from '../tests/support/databases.ts'
import { run } from './commands.ts'

/** Renders the mail of a day's hash as a mail server receives it. */
async function renderDayMail(day: { day: IsoDate; events: number; hash: string }): Promise<Buffer> {
  const brand = { name: 'Latchkey', phone: '', siteUrl: 'https://rent.example' }
  const { subject, text, html } = renderMail(brand, auditHash({ brand, ...day }))
  const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail({ subject, text, html })
  if (!Buffer.isBuffer(message)) throw new Error('no message')
  return message
}

describe('audit verify', () => {
  const open = openerForTests()
  beforeEach(() => {
    for (const way of ['log', 'error'] as const) vi.spyOn(console, way).mockImplementation(() => {})
  })
  afterEach(() => void vi.restoreAllMocks())

  it('compares the audit with the hashes in a folder, and refuses missing, unreadable or differing ones', async () => {
    const { dataDir } = placeOf(await open())
    const environment = { DATA_DIR: dataDir, CLOCK: '2026-11-24T20:00:00Z', PUBLIC_URL: 'https://rent.example' }
    const output = () =>
      [...vi.mocked(console.log).mock.calls, ...vi.mocked(console.error).mock.calls].flat().join('\n')
    const folder = temporaryFolder()
    const verify = () => run(['audit', 'verify', '--anchor', folder], environment)
    expect(await verify()).toBe(1)
    expect(output()).toContain(`There is no audit/<day>.json and no mail of the audit in ${folder}.`)
    writeFileSync(join(folder, '2026-11-20.json'), '{"day":"2026-11-20","hash":"ab"}')
    expect(await verify()).toBe(1)
    expect(output()).toContain(
      'The audit of Friday, November 20, 2026 does not agree: it has an anchor, and no events.',
    )
    writeFileSync(join(folder, '2026-11-21.json'), 'torn')
    expect(await verify()).toBe(1)
    expect(output()).toContain('2026-11-21.json cannot be read as the hash of a day.')
    expect(await run(['audit', 'verify'], environment)).toBe(0)
    expect(await run(['audit', 'seal'], environment)).toBe(0)
    expect(output()).toContain('No event holds contact data readable.')
    // The folder may also hold saved mails.
    rmSync(join(folder, '2026-11-21.json'))
    rmSync(join(folder, '2026-11-20.json'))
    writeFileSync(
      join(folder, 'saved.eml'),
      await renderDayMail({ day: '2026-11-19', events: 2, hash: 'ab'.repeat(32) }),
    )
    expect(await verify()).toBe(1)
    expect(output()).toContain(
      'The audit of Thursday, November 19, 2026 does not agree: it has an anchor, and no events.',
    )
    writeFileSync(join(folder, '2026-11-19.json'), '{"day":"2026-11-19","hash":"cd"}')
    expect(await verify()).toBe(1)
    expect(output()).toContain('saved.eml and another file differ on 2026-11-19.')
    expect(await run(['audit', '--since', '2026-11-20', '--anchor', folder], environment)).toBe(2)
  })
})
