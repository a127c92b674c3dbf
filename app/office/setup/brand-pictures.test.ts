import sharp from 'sharp'
import { beforeEach, expect, it } from 'vitest'
import { hashPicture } from '../../../modules/facilities/hash-brand-picture-for-stale-forms.ts'
import { brandPicture, parseBrand } from '../../../modules/facilities/rules/brand.ts'
import { describeOnBothEngines } from '../../../tests/support/databases.ts'
import { openTestServices, type TestServices } from '../../../tests/support/small-operator.ts'
import { change, row, rows } from '../../testing.ts'
import { type StaffBrowser, signedInStaff } from '../testing.ts'

const at = '/office/setup/brand/pictures'

const drawn = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#8a3b2a' } })

describeOnBothEngines('Pictures of the brand', (open) => {
  let services: TestServices
  let owner: StaffBrowser

  beforeEach(async () => {
    services = { ...(await openTestServices(await open())), allowsAnyFactor: true }
    owner = await signedInStaff(services, 'owner')
  })

  const send = (fields: Record<string, string>, file?: Uint8Array, who = owner) => {
    const form = new FormData()
    for (const [name, value] of Object.entries({ intent: 'save', before: '', ...fields })) form.set(name, value)
    if (file) form.append('file', new Blob([file as Uint8Array<ArrayBuffer>]), '../../etc/icon.svg')
    return who.post(at, form)
  }
  const brand = async () => parseBrand((await row(services, 'settings', { name: 'brand' })).value)
  const markNow = async (name: 'icon') => hashPicture((await brand())[name])

  it('are uploaded once, scaled to their size and removed', async () => {
    await change(services, 'settings', { name: 'brand' }, { value: JSON.stringify({ name: 'Acme', tagline: 'Kept.' }) })
    const photo = await drawn(2000, 1500).jpeg().toBuffer()
    const key = services.random.uuid()
    expect((await send({ picture: 'shareImage', key }, photo)).to).toBe(`${at}?done=saved`)
    expect((await send({ picture: 'shareImage', key }, photo)).to).toBe(`${at}?done=saved`)
    const png = await drawn(900, 900).png().toBuffer()
    expect((await send({ picture: 'icon' }, png)).status).toBe(302)
    expect(await rows(services, 'audit_events', { kind: 'setting.saved' })).toHaveLength(2)
    expect(await brand()).toMatchObject({ name: 'Acme', tagline: 'Kept.' })

    const kept = async (name: 'icon' | 'shareImage') =>
      sharp(Buffer.from(brandPicture((await brand())[name])?.base64 ?? '', 'base64')).metadata()
    expect(await kept('shareImage')).toMatchObject({ format: 'jpeg', width: 1200, height: 630 })
    expect(await kept('icon')).toMatchObject({ format: 'png', width: 512, height: 512 })

    // This form was opened before the icon was uploaded.
    expect((await send({ picture: 'icon', intent: 'remove' })).status).toBe(409)
    const before = await markNow('icon')
    expect((await send({ picture: 'icon', before }, png)).status).toBe(409)
    expect((await send({ picture: 'icon', before, intent: 'remove' })).status).toBe(302)
    expect(await brand()).toMatchObject({ icon: '', name: 'Acme' })
    expect((await brand()).shareImage).toMatch(/^data:image\/jpeg;base64,/)
  })

  it('are refused when invalid, too small or not square, and to staff without access', async () => {
    const png = await drawn(600, 600).png().toBuffer()
    for (const [picture, file, says] of [
      ['icon', undefined, /Choose a picture/],
      ['icon', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), /no picture that can be read/],
      ['icon', png.subarray(0, 60), /no picture that can be read/],
      ['icon', await drawn(100, 100).png().toBuffer(), /192 × 192/],
      ['icon', await drawn(600, 300).png().toBuffer(), /as wide as it is high/],
      ['shareImage', png, /1200 × 630/],
    ] as const) {
      const refused = await send({ picture }, file)
      expect([refused.status, refused.data.fields[`${picture}-file`]]).toEqual([400, expect.stringMatching(says)])
    }
    expect((await send({ picture: 'favicon' }, png)).status).toBe(400)
    const manager = await signedInStaff(services, 'manager')
    expect((await send({ picture: 'icon' }, png, manager)).status).toBe(404)
    const some = await signedInStaff(services, 'district', { scope: { facility: 'HI1' }, name: 'some' })
    expect((await some.get(at)).status).toBe(404)
    expect(await rows(services, 'audit_events', { kind: 'setting.saved' })).toHaveLength(0)
  })
})
