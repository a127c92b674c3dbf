/** Refused commands and servers: with wrong or missing keys, another mode or address, or an unreachable file store. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Database } from '../platform/database/open.ts'
import type { SealingKey } from '../platform/encryption/sealer.ts'
import { checkKeys, keyCheck, shortFingerprint, WrongKeys } from '../platform/server-registry/key-checks.ts'
import { registerServer } from '../platform/server-registry/running-servers-and-heartbeats.ts'
import { fixedClock } from '../ports/testing-clock-and-random.ts'
import { configFrom } from '../server/config/config.ts'
import { loadEncryptionKeys } from '../server/services.ts'
import { describeOnBothEngines, placeOf, temporaryFolder } from '../tests/support/databases.ts'
import { rowsOf } from '../tests/support/rows.ts'
import { noon, openTestServices } from '../tests/support/small-operator.ts'
import { run } from './commands.ts'

const [oldKey, newKey, otherKey] = ['1f', '2e', '3d'].map((pair, at) =>
  Array.from({ length: 32 }, (_, index) => (index % 2 ? pair : (at * 64 + index).toString(16).padStart(2, '0'))).join(
    '',
  ),
) as [string, string, string]

const keysIn = (text: string): SealingKey[] => {
  const parsed = configFrom({ KEYS: text })
  if (!parsed.ok) throw new Error(parsed.problems.join())
  return loadEncryptionKeys(parsed.config).sealing
}
const printOf = (key: string) => shortFingerprint(keyCheck(keysIn(key)[0]!))

describeOnBothEngines('A database with keys', (open) => {
  let db: Database
  let said: string[]
  let stop = async () => {}
  beforeEach(async () => {
    db = await open()
    said = []
    for (const out of ['log', 'error'] as const)
      vi.spyOn(console, out).mockImplementation((line: string) => void said.push(line))
  })
  afterEach(async () => {
    await stop()
    vi.restoreAllMocks()
  })

  async function operator(environment: Record<string, string>, ...words: string[]) {
    said = []
    const { dataDir, url } = placeOf(db)
    const place = { DATA_DIR: dataDir, ...(url && { DATABASE_URL: url }) }
    return { code: await run(words, { ...place, ...environment }), said: said.join('\n') }
  }

  async function serverWith(KEYS: string, more: { mode?: string; publicUrl?: string } = {}) {
    await checkKeys(db, keysIn(KEYS), noon)
    const registration = await registerServer(db, {
      instance: 'one',
      version: '1',
      mode: 'demo',
      publicUrl: 'http://localhost:3000',
      ...more,
      keyCheck: keyCheck(keysIn(KEYS)[0]!),
      clock: fixedClock(noon),
      onError: () => {},
    })
    stop = registration.leave
  }

  it('lets no command charge while the file store does not answer', async () => {
    const silentStore = {
      S3_URL: 'http://127.0.0.1:1',
      S3_BUCKET: 'files',
      S3_ACCESS_KEY_ID: 'nobody',
      S3_SECRET_ACCESS_KEY: 'nothing',
    }
    expect(await operator({ KEYS: oldKey, ...silentStore }, 'billing')).toEqual({
      code: 1,
      said: expect.stringContaining('The files do not answer'),
    })
    expect((await operator({ KEYS: oldKey }, 'billing')).code).toBe(0)
  })

  it('refuses a process with other or fewer keys, and shows only fingerprints', async () => {
    await checkKeys(db, keysIn(oldKey), noon)
    await checkKeys(db, keysIn(oldKey), noon)
    const check = checkKeys(db, keysIn(otherKey), noon)
    await expect(check).rejects.toThrow(WrongKeys)
    await expect(check).rejects.toThrow(`also needs ${printOf(oldKey)}`)
    await expect(check).rejects.not.toThrow(otherKey)
    await expect(checkKeys(db, keysIn(`${newKey},${oldKey}`), noon)).rejects.toThrow(/newest key.*keys add/)
    await checkKeys(db, keysIn(`${oldKey},${newKey}`), noon)

    expect((await operator({ KEYS: otherKey }, 'keys', 'add')).code).toBe(1)
    expect(await operator({ KEYS: `${newKey},${oldKey}` }, 'keys', 'add')).toEqual({
      code: 0,
      said: `Added: ${printOf(newKey)}`,
    })
    await checkKeys(db, keysIn(`${newKey},${oldKey}`), noon)
    await expect(checkKeys(db, keysIn(oldKey), noon)).rejects.toThrow(`also needs ${printOf(newKey)}`)
    expect((await operator({}, 'keys')).said.split('\n').sort()).toEqual([printOf(oldKey), printOf(newKey)].sort())
  })

  it('is written only by commands with the servers’ settings', async () => {
    await openTestServices(db)
    const serverEnvironment = { PUBLIC_URL: 'https://rent.example', KEYS: oldKey }
    await serverWith(oldKey, { publicUrl: serverEnvironment.PUBLIC_URL, mode: 'production' })
    const link = ['link', 'settlement', 'GA1', '301', '100.00']
    const { code, said: output } = await operator(serverEnvironment, ...link)
    expect(code).toBe(1)
    expect(output).toContain('MODE is demo here, and production on the server.')
    expect(output).not.toContain('KEYS is')
    const defaults = await operator({ KEYS: oldKey }, ...link)
    expect(defaults.said).toContain('PUBLIC_URL is http://localhost:3000 here, and https://rent.example on the server.')
    expect((await operator({ ...serverEnvironment, KEYS: otherKey }, ...link)).said).toContain(printOf(oldKey))
  })

  it.each([
    ['banner', 'Closed'],
    ['maintenance', 'on'],
    ['import', 'docs/sample-operator'],
    ['terms', 'require', '--all'],
    ['jobs', 'revive', 'j-1'],
  ])('refuses %s by a command with another mode or other keys', async (...words) => {
    await openTestServices(db)
    const serverEnvironment = { PUBLIC_URL: 'https://rent.example', KEYS: oldKey }
    await serverWith(oldKey, { publicUrl: serverEnvironment.PUBLIC_URL, mode: 'production' })
    const rows = async () => [
      await rowsOf(db, 'settings', ['name', 'value']),
      await rowsOf(db, 'locations', ['location_code']),
    ]
    const before = await rows()
    expect(await operator(serverEnvironment, ...words)).toEqual({
      code: 1,
      said: expect.stringContaining('MODE is demo here, and production on the server.'),
    })
    expect(await operator({ ...serverEnvironment, KEYS: otherKey }, ...words)).toEqual({
      code: 1,
      said: expect.stringContaining(printOf(oldKey)),
    })
    expect(await rows()).toEqual(before)
  })

  it('gets no generated keys from a command with PostgreSQL', async () => {
    await openTestServices(db)
    await serverWith(oldKey)
    const { url } = placeOf(db)
    if (!url) return
    const folder = temporaryFolder()
    const result = await operator({ DATA_DIR: folder }, 'billing')
    expect(result).toEqual({ code: 1, said: expect.stringContaining('KEYS is missing') })
    expect(existsSync(join(folder, 'keys.json'))).toBe(false)
  })
})
