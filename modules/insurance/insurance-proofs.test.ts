import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { apiRoutes } from '../../api/routes.ts'
import { UPLOAD_MAX_BYTES } from '../../domain/upload-size-and-file-types.ts'
import type { Database } from '../../platform/database/open.ts'
import type { Callers } from '../../platform/operations/callers.ts'
import { perform } from '../../platform/operations/operation.ts'
import { folderFiles } from '../../ports/files/folder.ts'
import { runDueMessageJobs } from '../../tests/actors/run-due-message-jobs.ts'
import { describeOnBothEngines, openerForTests } from '../../tests/support/databases.ts'
import { recordsOf, rowsOf } from '../../tests/support/rows.ts'
import { openTestServices, visitor } from '../../tests/support/small-operator.ts'
import { addStaffCaller } from '../../tests/support/staff.ts'
import { runBilling } from '../billing/run-billing.ts'
import { DecideProof } from './operations/decide-proof.ts'
import { postInsuranceUpload } from './operations/post-insurance-upload.ts'
import { loadProofFile, loadProofs } from './views/tenant-insurance-proofs.ts'

const folder = mkdtempSync(join(tmpdir(), 'proofs-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const pdf = new TextEncoder().encode('%PDF-1.7\na policy')
const ada = { accountId: 'ada', tenants: [{ locationCode: 'GA1', tenantId: 1001 }] }
const adaAtGA1 = { locationCode: 'GA1', tenantId: 1001 }
const cy = { accountId: 'cy', tenants: [{ locationCode: 'GA1', tenantId: 1002 }] }

const deskOn =
  (open: () => Promise<Database>) =>
  async (callers: Partial<Callers> = { tenant: ada }) => {
    const services = await openTestServices(await open())
    services.files = folderFiles(join(folder, services.random.hex(6)))
    const api = apiRoutes({ services, callers: async () => ({ ...visitor(), ...callers }), grant: async () => {} })
    const send = async (change: Record<string, string | string[] | Blob> = {}, file: Blob | null = new Blob([pdf])) => {
      const form = new FormData()
      const fields = {
        location_code: 'GA1',
        tenant_id: '1001',
        unit_numbers: '301',
        policy_number: 'HO-1',
        insurance_carrier: 'Old Harbor',
        expiration_date: '06/30/2027',
        ...change,
      }
      for (const [name, value] of Object.entries(fields))
        for (const entry of [value].flat()) form.append(name, entry as string)
      if (file) form.append('file', file, '../../evil.html')
      const packed = new Response(form)
      const response = await api.request('/insurance/upload', {
        method: 'POST',
        headers: { 'content-type': packed.headers.get('content-type') ?? '' },
        body: await packed.arrayBuffer(),
      })
      return {
        status: response.status,
        body: (await response.json()) as Record<string, never> & { error?: { fields?: object } },
      }
    }
    return { services, api, send }
  }

describeOnBothEngines('proof of insurance', (open) => {
  const desk = deskOn(open)

  it('is stored once a day with one note and one mail of each kind; another file or policy is another proof', async () => {
    const { services, send } = await desk()
    const responses = await Promise.all([send(), send(), send()])
    expect(new Set(responses.map((response) => response.body.proof_id)).size).toBe(1)
    const countRecords = async () => [
      (await loadProofs(services, adaAtGA1)).length,
      (await services.db.read.selectFrom('tenant_notes').select('note').execute()).length,
      (await services.db.read.selectFrom('jobs').select('kind').execute()).length,
    ]
    expect(await countRecords()).toEqual([1, 1, 2])
    expect(await send({}, new Blob([pdf, ' renewed']))).toMatchObject({ status: 200 })
    expect(await send({ policy_number: 'HO-2' })).toMatchObject({ status: 200 })
    expect(await countRecords()).toEqual([3, 3, 6])
    services.clock.advance(86_400_000)
    await send()
    expect(await countRecords()).toEqual([4, 4, 8])
  })

  it('is accepted with exactly the specified fields, and refused for another name, e-mail address or unit', async () => {
    const { services, api } = await desk()
    const upload = async (change: Record<string, string> = {}) => {
      const form = new FormData()
      const fields = {
        location_code: 'GA1',
        unit_numbers: '301',
        tenant_name: 'Ada Byrne',
        tenant_email: 'ADA@example.com',
        policy_number: 'HO-9',
        insurance_carrier: 'Old Harbor',
        expiration_date: '06/30/2027',
        ...change,
      }
      for (const [name, value] of Object.entries(fields)) form.append(name, value)
      form.append('file', new Blob([pdf]), 'proof.pdf')
      return (await api.request('/insurance/upload', { method: 'POST', body: form })).status
    }
    expect(await upload({ tenant_name: 'Cy Dorn' })).toBe(409)
    expect(await upload({ tenant_email: 'cy@example.com' })).toBe(409)
    expect(await upload({ unit_numbers: '302' })).toBe(400)
    expect(await upload()).toBe(200)
    expect(await recordsOf(services, 'insurance_proofs')).toMatchObject([{ policy_number: 'HO-9' }])
  })

  it('is stored under a generated name, confirmed to the tenant and sent to the office', async () => {
    const { services, send } = await desk()
    const response = await send()
    expect(response).toMatchObject({ status: 200, body: { result: 'success' } })
    const [proof] = await recordsOf(services, 'insurance_proofs')
    expect(proof).toMatchObject({
      unit_numbers: '["301"]',
      policy_number: 'HO-1',
      expiration_date: '2027-06-30',
      content_type: 'application/pdf',
      file_name: 'proof-of-insurance-301.pdf',
      tenant_name: 'Ada Byrne',
      bytes: pdf.byteLength,
    })
    expect(proof?.file_key).toMatch(/^insurance\/ga1\/[0-9a-f-]{36}\.pdf$/)
    expect(await loadProofFile(services, ada, proof!.proof_id)).toMatchObject({ name: 'proof-of-insurance-301.pdf' })
    expect(new Uint8Array((await loadProofFile(services, ada, proof!.proof_id))!.content)).toEqual(pdf)
    expect(await loadProofFile(services, cy, proof!.proof_id)).toBeNull()
    expect(await loadProofFile(services, ada, '../../etc/passwd')).toBeNull()

    const sent = await runDueMessageJobs(services)
    expect(
      sent.map(({ to, attachments }) => [to, attachments.map((attachment) => attachment.filename)]).sort(),
    ).toEqual([
      ['ada@example.com', []],
      ['desk@storage.example', ['proof-of-insurance-301.pdf']],
    ])
    // A mail program must not open the file by itself.
    expect(sent.flatMap((mail) => mail.attachments)[0]?.contentType).toBe('application/octet-stream')
  })

  describe('the operator', () => {
    const insured = { insurance_status: 1 as const, insurance_scheme_id: 1, insurance_premium: 12_00 }
    async function sendProof(change: Record<string, string> = {}) {
      const { services, send } = await desk()
      await services.db.write.updateTable('leases').set(insured).where('lease_number', '=', 10001).execute()
      const proofId = String((await send(change)).body.proof_id)
      const loadLease = () =>
        services.db.read.selectFrom('leases').selectAll().where('lease_number', '=', 10001).executeTakeFirstOrThrow()
      const premiums = async () => {
        const entries = services.db.read.selectFrom('ledger_entries').select(['period_start', 'cents'])
        return entries.where('lease_number', '=', 10001).where('kind', '=', 'insurance').execute()
      }
      const mails = async (pattern = /accepted|another look/) =>
        (await runDueMessageJobs(services)).flatMap(({ to, subject, text }) =>
          pattern.test(subject) ? [{ to, subject, text }] : [],
        )
      const finance = await addStaffCaller(services, 'finance')
      const decide = (decision: 'accept' | 'refuse', because = '', proof_id = proofId) =>
        perform(services, DecideProof, { location_code: 'GA1', proof_id, decision, because }, finance)
      return { services, send, proofId, loadLease, premiums, mails, decide }
    }

    it('accepts a proof: earlier charges stay, the next period has no insurance, and the tenant is mailed once', async () => {
      const { services, proofId, loadLease, premiums, mails, decide } = await sendProof()
      await runBilling(services, { date: '2026-12-01' })
      expect(await premiums()).toEqual([{ period_start: '2026-12-01', cents: 12_00 }])
      const leases = [
        { lease_number: 10001, unit_number: '301', premium_ended: 12_00, charged_until: '2026-12-30' },
      ] as const

      const both = await Promise.all([1, 2].map(() => decide('accept')))
      expect(both.map(({ ok }) => ok).sort()).toEqual([false, true])
      expect(both.find(({ ok }) => ok)).toMatchObject({ value: { leases: 1 } })
      const jobs = await rowsOf(services.db, 'jobs', ['payload'], { kind: 'insurance_proof_decided' })
      expect(jobs.map(({ payload }) => JSON.parse(payload))).toEqual([{ proofId, leases }])
      expect(await decide('refuse', 'Too late.')).toMatchObject({ ok: false })
      expect(await loadLease()).toMatchObject({ insurance_status: 2, insurance_scheme_id: 0, insurance_premium: 0 })
      expect(JSON.parse((await loadLease()).insurance_notes)).toEqual({
        carrier: 'Old Harbor',
        policy_number: 'HO-1',
        expiration_date: '2027-06-30',
      })
      expect(await loadProofs(services, adaAtGA1)).toMatchObject([{ proof_id: proofId, decision: 'accepted' }])

      await runBilling(services, { date: '2026-12-31' })
      expect(await premiums()).toHaveLength(1)
      const rents = services.db.read
        .selectFrom('ledger_entries')
        .select('period_start')
        .where('lease_number', '=', 10001)
      expect(await rents.where('kind', '=', 'rent').execute()).toHaveLength(2)
      expect(await mails()).toEqual([
        {
          to: 'ada@example.com',
          subject: 'Your own insurance is accepted for unit 301',
          text: expect.stringContaining('charged through Wednesday, 12/30/2026'),
        },
      ])
      expect(await mails()).toEqual([])
    })

    it('mails the tenant before and at the policy’s end, and the office at its end, once each, and charges no premium', async () => {
      const { services, loadLease, premiums, mails, decide } = await sendProof({ expiration_date: '01/31/2027' })
      await decide('accept')
      expect((await mails()).map(({ subject }) => subject)).toEqual(['Your own insurance is accepted for unit 301'])
      const days: [date: string, subjects: string[]][] = [
        ['2026-12-31', []],
        ['2027-01-01', ['ada@example.com Your insurance for unit 301 ends on Sunday, 01/31/2027']],
        ['2027-01-31', []],
        [
          '2027-02-01',
          [
            'ada@example.com Your insurance for unit 301 has ended',
            'desk@storage.example A tenant’s own insurance has ended: unit 301 at Storage GA1',
          ],
        ],
        ['2027-02-02', []],
      ]
      await runBilling(services, { date: '2026-12-30' })
      for (const [date, subjects] of days) {
        await runBilling(services, { date })
        await runBilling(services, { date, again: true })
        services.clock.set(Date.parse(`${date}T17:00:00Z`))
        expect((await mails(/nsurance .*end/)).map(({ to, subject }) => `${to} ${subject}`).sort(), date).toEqual(
          [...subjects].sort(),
        )
      }
      expect(await premiums()).toEqual([])
      expect(await loadLease()).toMatchObject({ insurance_status: 2, insurance_premium: 0 })
    })

    it('sends no mail about a replaced policy, or while a later proof is pending', async () => {
      const { services, mails, send, decide } = await sendProof({ expiration_date: '01/31/2027' })
      await decide('accept')
      await runBilling(services, { date: '2026-12-31' })
      await send({ policy_number: 'HO-2', expiration_date: '01/31/2028' })
      await runBilling(services, { date: '2027-01-01' })
      services.clock.set(Date.parse('2027-01-01T17:00:00Z'))
      expect(await mails(/nsurance .*end/)).toEqual([])
      const next = (await loadProofs(services, adaAtGA1)).find(({ decision }) => decision === null)
      await decide('accept', '', next?.proof_id ?? '')
      await runBilling(services, { date: '2027-02-01' })
      services.clock.set(Date.parse('2027-02-01T17:00:00Z'))
      expect(await mails(/nsurance .*end/)).toEqual([])
    })

    it('refuses a proof: the lease is unchanged, and the tenant sees the reason', async () => {
      const { services, loadLease, mails, decide } = await sendProof()
      const before = await loadLease()
      const because = 'The name of the insured is missing.'
      expect(await decide('refuse', because)).toMatchObject({ ok: true, value: { leases: 0 } })
      expect(await loadLease()).toEqual(before)
      expect(await mails()).toMatchObject([{ to: 'ada@example.com', text: expect.stringContaining(because) }])
      expect(await loadProofs(services, adaAtGA1)).toMatchObject([{ decision: 'refused', decided_because: because }])
    })

    it('cannot accept a proof for a unit with a vehicle’s policy, which stays', async () => {
      const { services, loadLease, decide } = await sendProof()
      const vehicle = { insurance_status: 3, insurance_scheme_id: 0, insurance_premium: 0 } as const
      await services.db.write.updateTable('leases').set(vehicle).where('lease_number', '=', 10001).execute()
      const message = 'Unit 301 is insured by the policy of its vehicle, which stays. Refuse this proof.'
      expect(await decide('accept')).toMatchObject({ status: 409, code: 'vehicle_policy', message })
      expect(await loadLease()).toMatchObject(vehicle)
      expect(await decide('refuse', 'The vehicle’s policy covers it.')).toMatchObject({ ok: true })
    })

    it('cannot accept an unknown or expired proof, or one for a unit that the tenant has left', async () => {
      const { services, decide } = await sendProof({ expiration_date: '11/20/2026' })
      expect(await decide('accept', '', services.random.uuid())).toMatchObject({ status: 404 })
      await services.db.write
        .updateTable('leases')
        .set({ status: 'Closed' })
        .where('lease_number', '=', 10001)
        .execute()
      expect(await decide('accept')).toMatchObject({ code: 'unit_left', message: 'The tenant has left unit 301.' })
      services.clock.advance(86_400_000)
      expect(await decide('accept')).toMatchObject({ code: 'policy_ended', message: 'The policy ended on 11/20/2026.' })
      expect(await loadProofs(services, adaAtGA1)).toMatchObject([{ decision: null }])
    })
  })
})

describe('the form of a proof', () => {
  const desk = deskOn(openerForTests())

  it.each([
    ['no file', {}, null, 'file'],
    ['an empty file', {}, new Blob([]), 'file'],
    ['a page called a PDF', {}, new Blob(['<html>%PDF-']), 'file'],
    ['no policy', { policy_number: ' ' }, new Blob([pdf]), 'policy_number'],
    ['no day', { expiration_date: '13/45/2027' }, new Blob([pdf]), 'expiration_date'],
    ['another tenant’s unit', { unit_numbers: ['301', '302'] }, new Blob([pdf]), 'unit_numbers'],
    ['a unit that is not there', { unit_numbers: "301' or 1=1" }, new Blob([pdf]), 'unit_numbers'],
  ] as const)('refuses %s at its field and stores nothing', async (_, change, file, field) => {
    const { services, send } = await desk()
    const response = await send(change as never, file)
    expect(response.status).toBe(400)
    expect(Object.keys(response.body.error?.fields ?? {})).toEqual([field])
    expect(await loadProofs(services, adaAtGA1)).toEqual([])
  })

  it('is accepted only from the tenant', async () => {
    expect((await (await desk({ tenant: cy })).send()).status).toBe(403)
    expect((await (await desk({})).send()).status).toBe(401)
    expect((await (await desk({ guest: { ...ada, signIn: 'of a guest' } })).send()).status).toBe(403)
  })

  it('refuses a list of too many entries before reading them, and any form of a stranger', async () => {
    const { services, api } = await desk()
    const input = { ...postInsuranceUpload.example.input, location_code: 'GA1', unit_numbers: Array(2_000).fill({}) }
    const headers = { 'content-type': 'application/json' }
    const response = await api.request('/insurance/upload', { method: 'POST', headers, body: JSON.stringify(input) })
    expect([response.status, (await response.json()).error.code]).toEqual([400, 'invalid_body'])
    const unread = new Proxy({}, { get: () => expect.unreachable('read') })
    expect(await perform(services, postInsuranceUpload, unread, visitor())).toMatchObject({ status: 401 })
  })

  it('refuses a large, truncated or endless upload', async () => {
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
      method: 'POST',
      headers,
      body: endless,
      duplex: 'half',
    } as RequestInit)
    expect(flood.status).toBe(413)
  })

  it('refuses too many or too long parts, a second file, and a form cut off anywhere', async () => {
    const { api, send } = await desk()
    const part = (name: string, value: string, more = '') =>
      `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`
    const status = async (body: string) => {
      const headers = { 'content-type': 'multipart/form-data; boundary=b' }
      return (await api.request('/insurance/upload', { method: 'POST', headers, body: `${body}--b--\r\n` })).status
    }
    expect(await status(Array.from({ length: 40_000 }, (_, at) => part(`f${at}`, '1')).join(''))).toBe(400)
    expect(await status(Array.from({ length: 260 }, () => part('f', '1')).join(''))).toBe(400)
    expect(await status(part('file', 'a', '; filename="a"') + part('file', 'b', '; filename="b"'))).toBe(400)
    expect(await status(part('policy_number', 'x'.repeat(70_000)))).toBe(413)
    expect(await status(part('n'.repeat(200), 'x'))).toBe(400)
    expect(await status(`--b\r\n${'X: y\r\n'.repeat(50_000)}\r\nx\r\n`)).toBe(400)
    expect((await send()).status).toBe(200)
    const whole = `${part('policy_number', 'HO-1')}${part('file', '%PDF-1.7', '; filename="a.pdf"\r\nContent-Type: a/b')}--b--`
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    for (let length = 0; length < whole.length; length += 1) {
      const response = await api.request('/insurance/upload', { method: 'POST', headers, body: whole.slice(0, length) })
      expect([length, response.status]).toEqual([length, 400])
    }
    for (const type of [
      'multipart/form-data',
      'multipart/form-data; boundary=',
      `multipart/form-data; boundary=${'b'.repeat(5000)}`,
    ])
      expect(
        (await api.request('/insurance/upload', { method: 'POST', headers: { 'content-type': type }, body: whole }))
          .status,
      ).toBe(400)
  })

  it('reads no form of a sender who has sent too many', async () => {
    const { api, services, send } = await desk()
    for (let at = 0; at < 30; at += 1) await send()
    let pulled = 0
    const body = new ReadableStream(
      {
        pull: (to) => {
          pulled += 1
          to.enqueue(new Uint8Array(1024))
        },
      },
      { highWaterMark: 0 },
    )
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
    expect([(await api.request('/insurance/upload', init)).status, pulled]).toEqual([429, 0])
    expect(services.security.recorded.at(-1)?.[0]).toBe('limit.reached')
  })
})
