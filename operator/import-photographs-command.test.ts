import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { photoPath } from '../modules/facilities/rules/photograph.ts'
import { loadPhotographFile } from '../modules/facilities/views/photograph-file.ts'
import { developmentKeys } from '../platform/encryption/encryption-key-file.ts'
import { folderFiles } from '../ports/files/folder.ts'
import { describeOnBothEngines, placeOf, temporaryFolder } from '../tests/support/databases.ts'
import { rowsOf } from '../tests/support/rows.ts'
import { openTestServices } from '../tests/support/small-operator.ts'
import { run } from './commands.ts'

const createJpeg = (red: number) =>
  sharp({ create: { width: 900, height: 600, channels: 3, background: { r: red, g: 120, b: 90 } } })
    .jpeg()
    .toBuffer()

describeOnBothEngines('Photographs from a folder', (open) => {
  const errors: string[] = []
  beforeEach(() => {
    errors.length = 0
    vi.spyOn(console, 'log').mockImplementation(() => {})
    vi.spyOn(console, 'error').mockImplementation((line: string) => void errors.push(line))
  })
  afterEach(() => {
    vi.restoreAllMocks()
    vi.unstubAllEnvs()
  })

  it('are imported once, described by file name, or not at all if one of them is unreadable', async () => {
    const db = await open()
    await openTestServices(db)
    const { dataDir, url } = placeOf(db)
    developmentKeys(dataDir)
    const folder = temporaryFolder()
    const scratch = temporaryFolder()
    vi.stubEnv('TMPDIR', scratch)
    const put = (name: string, content: Uint8Array | string) => writeFileSync(join(folder, 'GA1', name), content)
    mkdirSync(join(folder, 'GA1'))
    put('10-hall.jpg', await createJpeg(10))
    put('2-the-gate_at night.jpg', await createJpeg(20))
    put('3-the-same.jpg', await createJpeg(20))
    put('.DS_Store', 'of a desktop')
    const environment = {
      DATA_DIR: dataDir,
      CLOCK: '2026-11-20T20:00:00Z',
      PUBLIC_URL: 'https://rent.example',
      ...(url && { DATABASE_URL: url }),
    }
    const command = (...more: string[]) => run(['photographs', folder, ...more], environment)
    const rows = () => rowsOf(db, 'facility_photos', ['photo_id', 'alt', 'position', 'width', 'height'])

    mkdirSync(join(folder, 'NOWHERE'))
    put('4-broken.jpg', 'no picture')
    mkdirSync(join(folder, 'GA1', 'large'))
    writeFileSync(join(folder, 'lost.jpg'), await createJpeg(40))
    expect(await command()).toBe(1)
    expect(errors.join('\n')).toContain('NOWHERE: there is no such facility')
    expect(errors.join('\n')).toContain('GA1/4-broken.jpg: This is no photograph')
    expect(errors.join('\n')).toContain('lost.jpg: lies beside the folders')
    expect(errors.join('\n')).toContain('GA1/large: is a folder; put its photographs beside it')
    expect(await rows()).toEqual([])
    expect(existsSync(join(dataDir, 'files'))).toBe(false)

    for (const name of ['NOWHERE', 'lost.jpg', 'GA1/4-broken.jpg', 'GA1/large'])
      rmSync(join(folder, name), { recursive: true })
    expect(await command('--dry-run')).toBe(0)
    expect(await rows()).toEqual([])
    expect(await command()).toBe(0)
    const photographs = (await rows()).sort((a, b) => a.position - b.position)
    expect(photographs.map(({ alt, width, height }) => [alt, width, height])).toEqual([
      ['The gate at night', 900, 600],
      ['Hall', 900, 600],
    ])
    const files = folderFiles(join(dataDir, 'files'))
    for (const { photo_id: photoId } of photographs)
      expect(
        await loadPhotographFile({ files }, { kind: 'facilities', locationCode: 'GA1', photoId, width: 480 }),
      ).not.toBeNull()
    const [location] = await rowsOf(db, 'locations', ['photo'], { location_code: 'GA1' })
    expect(location?.photo).toBe(photoPath('GA1', photographs[0]?.photo_id ?? '', 960))

    expect(await command()).toBe(0)
    expect(await rows()).toHaveLength(2)
    for (let at = 0; at < 11; at += 1) put(`more-${at}.jpg`, await createJpeg(100 + 13 * at))
    expect(await command()).toBe(1)
    expect(errors.join('\n')).toContain('GA1: would have 13; a facility has at most 12.')
    expect(await rows()).toHaveLength(2)
    expect(readdirSync(scratch)).toEqual([])
  })
})
