import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { JobRunner } from '../database/jobs.ts'
import { describeOnBothEngines } from '../database/testing.ts'
import { UPLOAD_MAX_BYTES } from '../domain/upload.ts'
import { folderFiles } from '../ports/files/folder.ts'
import { doors } from '../storage-system/http.ts'
import type { Callers } from '../storage-system/operation.ts'
import { openTestHouse, visitor } from '../storage-system/testing.ts'
import { proofFile, proofsOf } from './insurance-proofs.ts'
import { noticeHandlers } from './notices.ts'

const folder = mkdtempSync(join(tmpdir(), 'proofs-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const pdf = new TextEncoder().encode('%PDF-1.7\na policy')
const ada = { accountId: 'ada', tenants: [{ locationCode: 'GA1', tenantId: 1001 }] }
const cy = { accountId: 'cy', tenants: [{ locationCode: 'GA1', tenantId: 1002 }] }

describeOnBothEngines('proof of insurance', (open) => {
  async function desk(callers: Partial<Callers> = { tenant: ada }) {
    const house = await openTestHouse(await open())
    house.files = folderFiles(join(folder, house.random.hex(6)))
    const api = doors({ house, callers: async () => ({ ...visitor(), ...callers }), grant: async () => {} })
    const send = async (change: Record<string, string | string[] | Blob> = {}, file: Blob | null = new Blob([pdf])) => {
      const form = new FormData()
      const fields = {
        ...{ location_code: 'GA1', tenant_id: '1001', unit_numbers: '301', policy_number: 'HO-1' },
        ...{ insurance_carrier: 'Old Harbor', expiration_date: '06/30/2027', ...change },
      }
      for (const [name, value] of Object.entries(fields))
        for (const one of [value].flat()) form.append(name, one as string)
      if (file) form.append('file', file, '../../evil.html')
      const packed = new Response(form)
      const answer = await api.request('/insurance/upload', {
        method: 'POST',
        headers: { 'content-type': packed.headers.get('content-type') ?? '' },
        body: await packed.arrayBuffer(),
      })
      return {
        status: answer.status,
        body: (await answer.json()) as Record<string, never> & { error?: { fields?: object } },
      }
    }
    return { house, api, send }
  }

  it('sent twice, also at the same moment, is one proof, one note and one mail of each kind; another file is another', async () => {
    const { house, send } = await desk()
    const answers = await Promise.all([send(), send(), send()])
    expect(new Set(answers.map((one) => one.body.proof_id)).size).toBe(1)
    const kept = async () => [
      (await proofsOf(house, { locationCode: 'GA1', tenantId: 1001 })).length,
      (await house.db.read.selectFrom('tenant_notes').select('note').execute()).length,
      (await house.db.read.selectFrom('jobs').select('kind').execute()).length,
    ]
    expect(await kept()).toEqual([1, 1, 2])
    expect(await send({}, new Blob([pdf, ' renewed']))).toMatchObject({ status: 200 })
    expect(await send({ policy_number: 'HO-2' })).toMatchObject({ status: 200 })
    expect(await kept()).toEqual([3, 3, 6])
    // The next day it is sent anew, and confirmed again.
    house.clock.advance(86_400_000)
    await send()
    expect(await kept()).toEqual([4, 4, 8])
  })

  it('is kept under a name of ours, confirmed to the tenant and sent to the office', async () => {
    const { house, send } = await desk()
    const answer = await send()
    expect(answer).toMatchObject({ status: 200, body: { result: 'success' } })
    const [proof] = await proofsOf(house, { locationCode: 'GA1', tenantId: 1001 })
    expect(proof).toMatchObject({
      ...{
        unit_numbers: '["301"]',
        policy_number: 'HO-1',
        expiration_date: '2027-06-30',
        content_type: 'application/pdf',
      },
      ...{ file_name: 'proof-of-insurance-301.pdf', tenant_name: 'Ada Byrne', bytes: pdf.byteLength },
    })
    expect(proof?.file_key).toMatch(/^insurance\/ga1\/[0-9a-f-]{36}\.pdf$/)
    expect(await proofFile(house, ada, proof!.proof_id)).toMatchObject({ name: 'proof-of-insurance-301.pdf' })
    expect(new Uint8Array((await proofFile(house, ada, proof!.proof_id))!.content)).toEqual(pdf)
    expect(await proofFile(house, cy, proof!.proof_id)).toBeNull()
    expect(await proofFile(house, ada, '../../etc/passwd')).toBeNull()

    const sent: { to: string; subject: string; attachments: { filename: string; contentType: string }[] }[] = []
    const runner = new JobRunner({
      ...{ db: house.db, clock: house.clock, onDead: () => {} },
      log: { info() {}, warn() {}, error() {}, debug() {} } as never,
      handlers: noticeHandlers(house, {
        from: 'desk@storage.example',
        mail: { send: async (mail) => void sent.push(mail) },
      }),
    })
    await runner.runDue()
    expect(sent.map(({ to, attachments }) => [to, attachments.map((one) => one.filename)]).sort()).toEqual([
      ['ada@example.com', []],
      ['desk@storage.example', ['proof-of-insurance-301.pdf']],
    ])
    // Whatever reads the mail must not open the file by itself.
    expect(sent.flatMap((mail) => mail.attachments)[0]?.contentType).toBe('application/octet-stream')
  })

  it.each([
    ['no file', {}, null, 'file'],
    ['an empty file', {}, new Blob([]), 'file'],
    ['a page called a PDF', {}, new Blob(['<html>%PDF-']), 'file'],
    ['no policy', { policy_number: ' ' }, new Blob([pdf]), 'policy_number'],
    ['no day', { expiration_date: '13/45/2027' }, new Blob([pdf]), 'expiration_date'],
    ['a unit of somebody else', { unit_numbers: ['301', '302'] }, new Blob([pdf]), 'unit_numbers'],
    ['a unit that is not there', { unit_numbers: "301' or 1=1" }, new Blob([pdf]), 'unit_numbers'],
  ] as const)('case 29: %s is refused at its field, and nothing is kept', async (_, change, file, field) => {
    const { house, send } = await desk()
    const answer = await send(change as never, file)
    expect(answer.status).toBe(400)
    expect(Object.keys(answer.body.error?.fields ?? {})).toEqual([field])
    expect(await proofsOf(house, { locationCode: 'GA1', tenantId: 1001 })).toEqual([])
  })

  it('case 25: is taken from the tenant alone', async () => {
    expect((await (await desk({ tenant: cy })).send()).status).toBe(403)
    expect((await (await desk({})).send()).status).toBe(401)
    expect((await (await desk({ guest: ada })).send()).status).toBe(403)
  })

  it('case 29: what is too large or breaks off is refused before it is taken apart', async () => {
    const { api, send } = await desk()
    expect((await send({}, new Blob([new Uint8Array(UPLOAD_MAX_BYTES + 100_000)]))).status).toBe(413)
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    const half = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.7 half of'
    const cut = await api.request('/insurance/upload', { method: 'POST', headers, body: half })
    expect(cut.status).toBe(400)
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(1024 * 1024)),
    })
    const flood = await api.request('/insurance/upload', {
      ...{ method: 'POST', headers, body: endless },
      duplex: 'half',
    } as RequestInit)
    expect(flood.status).toBe(413)
  })
})
