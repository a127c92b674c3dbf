import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { facilityPath } from '../../../modules/facilities/rules/facility-path.ts'
import { photoPath } from '../../../modules/facilities/rules/photograph.ts'
import { folderFiles } from '../../../ports/files/folder.ts'
import { describeOnBothEngines } from '../../../tests/support/databases.ts'
import { openTestServices, type TestServices } from '../../../tests/support/small-operator.ts'
import { Browser, change, row, rows } from '../../testing.ts'
import { type StaffBrowser, signedInStaff } from '../testing.ts'

/** Returns a landscape JPEG that a camera stored rotated, with its GPS position. */
const taken = (red: number) =>
  sharp({ create: { width: 600, height: 900, channels: 3, background: { r: red, g: 120, b: 90 } } })
    .jpeg()
    .withExif({ IFD0: { Model: 'Camera 7' }, IFD3: { GPSLatitude: '33/1 46/1 0/1', GPSLatitudeRef: 'N' } })
    .withMetadata({ orientation: 6 })
    .toBuffer()

const folder = mkdtempSync(join(tmpdir(), 'photographs-'))
afterAll(() => rmSync(folder, { recursive: true }))

describeOnBothEngines('Photographs', (open) => {
  let services: TestServices
  let district: StaffBrowser
  const at = '/office/setup/GA1/photographs'

  beforeEach(async () => {
    const files = folderFiles(mkdtempSync(join(folder, 'files-')))
    services = { ...(await openTestServices(await open())), allowsAnyFactor: true, files }
    district = await signedInStaff(services, 'district')
  })

  const send = (fields: Record<string, string>, files: Uint8Array[] = [], who = district) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    for (const bytes of files) form.append('files', new Blob([bytes as Uint8Array<ArrayBuffer>]), '../../etc/x.jpg')
    return who.post(at, form)
  }
  const add = (files: Uint8Array[], key = services.random.uuid()) => send({ intent: 'add', key }, files)
  const loadPhotos = async () => (await district.get(at)).data.photos as { id: string; src: string; alt: string }[]

  it('are added once, upright and without location data, sorted, described and removed', async () => {
    const place = await row(services, 'locations', { location_code: 'GA1' })
    const visited = async () => (await new Browser(services).get(facilityPath(place))).html()
    const two = [await taken(200), await taken(20)]
    const key = services.random.uuid()
    expect((await add(two, key)).to).toBe(`${at}?done=saved`)
    expect((await add(two, key)).to).toBe(`${at}?done=saved`)
    const [first, second] = await loadPhotos()
    if (!first || !second) throw new Error('two were added')
    expect(await loadPhotos()).toHaveLength(2)
    const visitor = new Browser(services)
    const file = await visitor.get(photoPath('GA1', first.id, 960)).catch((answer: unknown) => answer)
    const response = (file as { response: Response }).response
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    const metadata = await sharp(new Uint8Array(await response.arrayBuffer())).metadata()
    expect(metadata).toMatchObject({ format: 'webp', width: 900, height: 600 })
    expect([metadata.exif, metadata.orientation]).toEqual([undefined, undefined])

    expect(await visited()).toContain(`src="${photoPath('GA1', first.id, 480)}"`)
    const shownForm = async () => {
      const { before, photos } = (await district.get(at)).data as { before: string; photos: { id: string }[] }
      return { before, ids: photos.map(({ id }) => id).join() }
    }
    const save = async (more: Record<string, string>, form?: Record<string, string>) =>
      send({ intent: 'save', ...(form ?? (await shownForm())), key: services.random.uuid(), ...more })
    const earlierForm = await shownForm()
    const order = { [`place-${first.id}`]: '2', [`place-${second.id}`]: '1', [`alt-${first.id}`]: 'The <gate>' }
    expect((await save(order)).to).toBe(`${at}?done=saved`)
    expect((await loadPhotos()).map(({ id, alt }) => [id, alt])).toEqual([
      [second.id, ''],
      [first.id, 'The <gate>'],
    ])
    expect(await visited()).toMatch(new RegExp(`${second.id}/480.webp"[\\s\\S]*alt="The &lt;gate&gt;"`))
    // The facility's page begins with the front, and names what a photograph without description shows.
    const shows = (of: Record<string, string>) => save({ [`alt-${first.id}`]: 'The <gate>', ...of })
    expect(await shows({ [`slot-${first.id}`]: 'gate', [`slot-${second.id}`]: 'gate' })).toMatchObject({
      status: 400,
      data: { fields: { [`slot-${first.id}`]: expect.stringContaining('shows this already') } },
    })
    expect((await shows({ [`slot-${first.id}`]: 'front', [`slot-${second.id}`]: 'inside' })).status).toBe(302)
    expect(await visited()).toMatch(
      new RegExp(`${first.id}/480.webp"[\\s\\S]*alt="A unit from inside of[^"]*"[^>]*${second.id}/480`),
    )
    expect((await district.get(at)).html()).toContain('Not shown yet: the gate')
    expect((await shows({})).status).toBe(302)
    // A form made from the earlier order is refused, and so is one that changes nothing.
    expect((await save({ [`gone-${first.id}`]: '1' }, earlierForm)).status).toBe(409)
    expect((await save({ [`alt-${first.id}`]: 'The <gate>' })).status).toBe(409)
    expect((await save({ [`gone-${second.id}`]: '1', [`gone-${first.id}`]: '1' })).status).toBe(302)
    expect(await row(services, 'locations', { location_code: 'GA1' })).toMatchObject({ photo: '' })
    expect((await visitor.get(photoPath('GA1', first.id, 960))).status).toBe(404)
    expect((await rows(services, 'audit_events', { kind: 'photographs.saved' })).length).toBe(5)
  })

  it('stand in the typed places, and the others keep their order around them', async () => {
    await add([await taken(10), await taken(20), await taken(30), await taken(40)])
    const added = (await loadPhotos()).map(({ id }) => id)
    /** Types new places by current place, both from 1. Returns the photographs in their new order, numbered as added. */
    const order = async (places: Record<number, string>) => {
      const { before, photos } = (await district.get(at)).data as { before: string; photos: { id: string }[] }
      const shown = photos.map(({ id }) => id)
      const typed = shown.map((id, index) => [`place-${id}`, places[index + 1] ?? `${index + 1}`])
      const form = { intent: 'save', before, ids: shown.join(), key: services.random.uuid() }
      expect((await send({ ...form, ...Object.fromEntries(typed) })).status).toBe(302)
      return (await loadPhotos()).map(({ id }) => added.indexOf(id) + 1)
    }
    expect(await order({ 3: '1' })).toEqual([3, 1, 2, 4])
    expect(await order({ 1: '3' })).toEqual([1, 2, 3, 4])
    expect(await order({ 4: '0' })).toEqual([4, 1, 2, 3])
    expect(await order({ 1: '9' })).toEqual([1, 2, 3, 4])
    expect(await order({ 1: '2', 2: '3' })).toEqual([3, 1, 2, 4])
    expect(await order({ 2: '1', 3: '1' })).toEqual([1, 2, 3, 4])
    expect(await order({ 2: 'first', 1: '2' })).toEqual([2, 1, 3, 4])
  })

  it('keep the words and slots of the first of two forms, and the second is refused', async () => {
    await add([await taken(200)])
    const [photo] = await loadPhotos()
    if (!photo) throw new Error('one was added')
    const html = (await district.get(at)).html()
    const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ''
    const form = { before: hidden('before'), ids: hidden('ids') }
    const save = (fields: Record<string, string>) =>
      send({ intent: 'save', ...form, key: services.random.uuid(), ...fields })
    const slot = `slot-${photo.id}`
    const alt = `alt-${photo.id}`
    expect((await save({ [slot]: 'gate', [alt]: 'The gate' })).to).toBe(`${at}?done=saved`)
    expect(await save({ [slot]: '', [alt]: 'A fence' })).toMatchObject({ status: 409, data: { code: 'changed' } })
    expect(await row(services, 'facility_photos', { photo_id: photo.id })).toMatchObject({
      slot: 'gate',
      alt: 'The gate',
    })
  })

  it('are refused when invalid, too many or at another facility', async () => {
    const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#678' } })
      .png()
      .toBuffer()
    for (const files of [[], [new Uint8Array([1, 2, 3])], [picture.subarray(0, 40)], [Buffer.from('<svg/>')]])
      expect((await add(files)).status).toBe(400)
    for (const many of [7, 40]) expect((await add(Array.from({ length: many }, () => picture))).status).toBe(400)
    // A small file that decodes to 64 million pixels, and a file above the maximum size.
    const bomb = await sharp({ create: { width: 8000, height: 8000, channels: 3, background: '#000' } })
      .png()
      .toBuffer()
    expect((await add([bomb])).data.fields.files).toMatch(/no photograph/)
    expect((await add([new Uint8Array(10 * 1024 * 1024 + 100)])).status).toBe(413)
    expect((await add(Array.from({ length: 6 }, () => picture))).status).toBe(302)
    expect((await add(Array.from({ length: 6 }, () => picture))).status).toBe(302)
    expect((await add([picture])).data.fields.files).toMatch(/at most 12/)
    expect(await rows(services, 'facility_photos')).toHaveLength(12)
    const elsewhere = await signedInStaff(services, 'district', { scope: { facility: 'HI1' }, name: 'elsewhere' })
    expect((await send({ intent: 'add' }, [picture], elsewhere)).status).toBe(404)
    const manager = await signedInStaff(services, 'manager')
    expect((await send({ intent: 'add' }, [picture], manager)).status).toBe(404)
  })

  it('of an empty unit stay with its lease, for the office only', async () => {
    await change(services, 'leases', { lease_number: 10001 }, { status: 'Closed', closed_on: '2026-11-19' })
    await change(services, 'units', { location_code: 'GA1', unit_id: 6 }, { status: 'off', held_by: 'move-out' })
    const field = await signedInStaff(services, 'field')
    const job = '/office/field/GA1/10001'
    const verify = (photo: Uint8Array) => {
      const form = new FormData()
      for (const [name, value] of Object.entries({ intent: 'verify', found: 'clean', key: services.random.uuid() }))
        form.set(name, value)
      form.set('photo', new Blob([photo as Uint8Array<ArrayBuffer>]), 'image.jpg')
      return field.post(job, form)
    }
    expect((await field.get(job)).html()).toContain('capture="environment"')
    expect((await verify(Buffer.from('%PDF-1.7'))).data.fields.photo).toMatch(/no photograph/)
    expect(await rows(services, 'unit_photos')).toHaveLength(0)
    expect((await verify(await taken(40))).status).toBe(302)
    expect(await row(services, 'units', { location_code: 'GA1', unit_id: 6 })).toMatchObject({ status: 'free' })
    // The move-out is verified already, so no photograph is stored.
    expect((await verify(await taken(41))).status).toBe(409)
    const [photo] = await rows(services, 'unit_photos')
    expect(photo).toMatchObject({ unit_id: 6, lease_number: 10001, kind: 'move-out', width: 900, height: 600 })
    const src = `/office/photographs/GA1/${photo?.photo_id}/480.webp`
    const manager = await signedInStaff(services, 'manager')
    expect((await manager.get('/office/units/GA1/6')).html()).toContain(src)
    expect((await manager.get('/office/tenants/GA1/1001/leases/10001')).html()).toContain(src)
    expect((await manager.get(src)).response?.headers.get('cache-control')).toBe('private, no-store')
    expect((await new Browser(services).get(photoPath('GA1', photo?.photo_id ?? '', 480))).status).toBe(404)
    const elsewhere = await signedInStaff(services, 'manager', { scope: { facility: 'HI1' }, name: 'elsewhere' })
    expect((await elsewhere.get(src)).status).toBe(404)
  })
})
