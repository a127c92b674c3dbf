import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { apiRoutes } from '../../api/routes.ts'
import * as confirmAppointment from '../../app/appointment/confirm-appointment.tsx'
import { Browser } from '../../app/testing.ts'
import {
  type PropertyManagementBench,
  propertyManagementContract,
} from '../../ports/appointment-host/appointment-host.contract.ts'
import { PropertyManagementUnavailable } from '../../ports/appointment-host/appointment-host.ts'
import { httpPropertyManagement } from '../../ports/appointment-host/http.ts'
import { runDueMessageJobs } from '../../tests/actors/run-due-message-jobs.ts'
import { openerForTests } from '../../tests/support/databases.ts'
import { noon, openTestServices, type TestServices, visitor } from '../../tests/support/small-operator.ts'
import { embeddedPropertyManagement } from './answer-proposed-appointment-in-own-database.ts'
import { createAppointment } from './create-appointment.ts'
import { readAppointmentLink } from './rules/appointment-link-parameters.ts'

const open = openerForTests()
const minute = 60_000
const hour = 60 * minute
/** Monday, November 23, 2026, 10:00 in Atlanta. */
const monday = Date.parse('2026-11-23T15:00:00Z')
const rae = { locationCode: 'GA1', name: "Rae O'Neill", email: 'rae@example.com' }

async function openServices(): Promise<TestServices> {
  const services = await openTestServices(await open())
  services.propertyManagement = embeddedPropertyManagement(services)
  return services
}

async function create(services: TestServices, startsAt: number) {
  const appointment = await createAppointment(services, { ...rae, startsAt })
  if (!appointment.ok) throw new Error(appointment.why)
  const link = readAppointmentLink(new URL(appointment.link).searchParams)
  if (!link) throw new Error('The link is none')
  return {
    path: appointment.link.replace('https://rent.example', ''),
    answer: {
      appointmentId: appointment.appointmentId,
      confirmationToken: link.confirmation_token,
      option: link.option,
      confirmationSource: link.confirmation_source,
    },
  }
}

async function bench(services: TestServices): Promise<Omit<PropertyManagementBench, 'management'>> {
  const over = await create(services, noon + hour)
  const justBegun = await create(services, noon + 2 * hour)
  const cancelled = await create(services, noon + 5 * hour)
  const ahead = await create(services, monday)
  await services.db.write
    .updateTable('appointments')
    .set({ state: 'cancelled' })
    .where('appointment_id', '=', cancelled.answer.appointmentId)
    .execute()
  services.clock.set(noon + 2 * hour + 15 * minute)
  return {
    open: { ...ahead.answer, when: 'Monday, November 23, 2026 at 10:00 AM' },
    over: over.answer,
    justBegun: justBegun.answer,
    cancelled: cancelled.answer,
    async standing(appointmentId) {
      const row = await services.db.read
        .selectFrom('appointments')
        .select('state')
        .where('appointment_id', '=', appointmentId)
        .executeTakeFirst()
      return row?.state ?? ''
    },
  }
}

propertyManagementContract('embedded', async () => {
  const services = await openServices()
  return { ...(await bench(services)), management: services.propertyManagement }
})

const servers: { close(): void }[] = []
afterAll(() => {
  for (const server of servers) server.close()
})

async function startServer(
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => void,
): Promise<string> {
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => answer(request, response, body))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  servers.push({
    close() {
      server.closeAllConnections()
      server.close()
    },
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

propertyManagementContract('HTTP', async () => {
  const services = await openServices()
  const far = apiRoutes({ services, callers: async () => visitor(), grant: async () => {} })
  const url = await startServer((request, response, body) => {
    void (async () => {
      const answer = await far.request((request.url ?? '').replace('/api', ''), {
        method: request.method ?? 'POST',
        headers: { 'Content-Type': 'application/json' },
        body,
      })
      response.writeHead(answer.status, { 'Content-Type': 'application/json' })
      response.end(await answer.text())
    })()
  })
  const management = httpPropertyManagement({ url, pause: async () => {} })
  return { ...(await bench(services)), management }
})

describe('the HTTP client of the appointment host', () => {
  const answer = { appointmentId: 7, confirmationToken: 't', option: 'confirm', confirmationSource: 'email' }

  /** Starts a host that gives these responses in turn and repeats the last one. */
  async function host(...responses: ((response: ServerResponse) => void)[]) {
    const requests: { url: string | undefined; authorization: string | undefined; body: unknown }[] = []
    const pauses: number[] = []
    const url = await startServer((request, response, body) => {
      requests.push({ url: request.url, authorization: request.headers.authorization, body: JSON.parse(body) })
      responses[Math.min(requests.length, responses.length) - 1]?.(response)
    })
    const management = httpPropertyManagement({
      url,
      key: 'pm-key',
      // Only the silent host has a short timeout, since a busy machine may need longer than that for other responses.
      timeoutMs: responses.includes(silence) ? 400 : undefined,
      pause: async (milliseconds) => {
        pauses.push(milliseconds)
      },
    })
    return { management, requests, pauses }
  }
  const respond = (status: number, text: string) => (response: ServerResponse) => {
    response.writeHead(status).end(text)
  }
  const confirmed = respond(200, '{"appointment_datetime":"Monday at ten","error":null}')
  const silence = () => {}

  it('sends the specified requests', async () => {
    const { management, requests, pauses } = await host(confirmed)
    expect(await management.confirm(answer)).toEqual({ appointmentDatetime: 'Monday at ten', error: '' })
    expect(requests).toEqual([
      {
        url: '/api/appointments/7/confirm',
        authorization: 'Bearer pm-key',
        body: { confirmation_token: 't', option: 'confirm', confirmation_source: 'email' },
      },
    ])
    expect(pauses).toEqual([])
  })

  it.each([
    ['slow', silence],
    ['down', respond(503, '')],
    ['busy', respond(429, '{"error":"later"}')],
    ['talking nonsense', respond(200, '<html>')],
    ['of another shape', respond(200, '[1]')],
    ['endless', respond(200, `"${'x'.repeat(70_000)}"`)],
    ['cut off', (response: ServerResponse) => void response.destroy()],
  ])('retries twice, three seconds apart, after a response that is %s', async (_, trouble) => {
    const twice = await host(trouble, trouble, confirmed)
    expect(await twice.management.confirm(answer)).toMatchObject({ appointmentDatetime: 'Monday at ten' })
    expect(twice.pauses).toEqual([3000, 3000])
    const always = await host(trouble)
    await expect(always.management.confirm(answer)).rejects.toBeInstanceOf(PropertyManagementUnavailable)
    expect(always.requests).toHaveLength(3)
  })

  it('reports a response that is too long as such, and not as an unreachable host', async () => {
    const { management } = await host(respond(200, `"${'x'.repeat(70_000)}"`))
    await expect(management.confirm(answer)).rejects.toThrow("The property-management host's answer is too long")
  })

  it('does not retry a refusal', async () => {
    const { management, requests } = await host(respond(410, '{"error":"Appointment expired"}'))
    expect(await management.confirm(answer)).toEqual({ appointmentDatetime: '', error: 'Appointment expired' })
    expect(requests).toHaveLength(1)
    const nested = await host(respond(400, '{"error":{"code":"invalid_input","message":"Some fields are not valid."}}'))
    expect(await nested.management.confirm(answer)).toMatchObject({ error: 'Some fields are not valid.' })
  })

  it('does not retry a wrong key, and mentions it in no message', async () => {
    const { management, requests } = await host(respond(401, '{"error":"no"}'))
    const failure = await management.confirm(answer).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(PropertyManagementUnavailable)
    expect(String(failure)).not.toContain('pm-key')
    expect(requests).toHaveLength(1)
  })
})

describe('an appointment', () => {
  let services: TestServices
  beforeEach(async () => {
    services = await openServices()
  })

  const mails = () => runDueMessageJobs(services)

  it('mails its link, and stores the token only hashed or encrypted', async () => {
    const { path, answer } = await create(services, monday)
    const [mail, ...more] = await mails()
    expect(more).toEqual([])
    expect(mail).toMatchObject({ to: 'rae@example.com', subject: 'Please confirm your appointment at Storage GA1' })
    expect(mail?.text).toContain(`https://rent.example${path}`)
    expect(mail?.text).toContain('Monday, 11/23/2026, 10:00 AM')
    const stored = JSON.stringify([
      await services.db.read.selectFrom('appointments').selectAll().execute(),
      await services.db.read.selectFrom('jobs').selectAll().execute(),
    ])
    expect(stored).not.toContain(answer.confirmationToken)
  })

  it('sends one reminder 24 hours before, but not when it was cancelled or another time was requested', async () => {
    const open = await create(services, monday)
    const confirmed = await create(services, monday)
    const other = await create(services, monday)
    const cancelled = await create(services, monday)
    await mails()
    await services.propertyManagement.confirm(confirmed.answer)
    await services.propertyManagement.confirm({ ...other.answer, option: 'other' })
    await services.db.write
      .updateTable('appointments')
      .set({ state: 'cancelled' })
      .where('appointment_id', '=', cancelled.answer.appointmentId)
      .execute()
    services.clock.set(monday - 24 * hour - 1)
    expect(await mails()).toEqual([])
    services.clock.advance(1)
    const reminders = await mails()
    expect(reminders.map((reminder) => reminder.subject)).toEqual(
      Array(2).fill('Reminder: your appointment at Storage GA1'),
    )
    expect(reminders.filter((reminder) => reminder.text.includes(`https://rent.example${open.path}`))).toHaveLength(1)
    expect(reminders.filter((reminder) => reminder.text.includes('You have confirmed it.'))).toHaveLength(1)
    expect(await mails()).toEqual([])
  })

  it('sends no reminder once it has begun, or when it was made less than a day ahead', async () => {
    await create(services, monday)
    await mails()
    services.clock.set(monday)
    expect(await mails()).toEqual([])
    await create(services, monday + 23 * hour)
    expect((await mails()).map((mail) => mail.subject)).toEqual(['Please confirm your appointment at Storage GA1'])
    services.clock.advance(2 * hour)
    expect(await mails()).toEqual([])
  })

  it('is refused without a name or address, for a past time and at an unknown facility', async () => {
    const tries = [
      { name: ' ' },
      { email: 'rae' },
      { startsAt: noon },
      { locationCode: 'XX' },
      { startsAt: Number.NaN },
    ]
    for (const fault of tries) {
      expect(await createAppointment(services, { ...rae, startsAt: monday, ...fault })).toMatchObject({ ok: false })
    }
    expect(await services.db.read.selectFrom('appointments').selectAll().execute()).toEqual([])
  })

  describe('/confirm_appointment', () => {
    const visit = (path: string) => new Browser(services).ask(confirmAppointment.loader, { path })
    const press = (path: string) => new Browser(services).ask(confirmAppointment.action, { path, form: {} })
    const state = async () =>
      (await services.db.read.selectFrom('appointments').select('state').executeTakeFirstOrThrow()).state

    it('requires all four values of the link, and a number as the appointment’s id', async () => {
      const { path } = await create(services, monday)
      for (const name of ['appointment_id', 'confirmation_source', 'confirmation_token', 'option']) {
        for (const damaged of [
          path.replace(new RegExp(`${name}=[^&]*&?`), ''),
          path.replace(new RegExp(`${name}=[^&]*`), `${name}=`),
        ]) {
          expect([(await visit(damaged)).to, (await press(damaged)).to]).toEqual(['/', '/'])
        }
      }
      expect((await visit(path.replace(/appointment_id=\d+/, 'appointment_id=7a'))).to).toBe('/')
      expect(await state()).toBe('proposed')
    })

    it('confirms nothing when the link is opened; the button confirms and shows date and time', async () => {
      const { path } = await create(services, monday)
      expect((await visit(path)).data).toMatchObject({ other: false })
      expect(await state()).toBe('proposed')
      expect((await press(path)).data).toEqual({ state: 'success', when: 'Monday, November 23, 2026 at 10:00 AM' })
      expect(await state()).toBe('confirmed')
    })

    it('asks for another time by the link with that option', async () => {
      const { path } = await create(services, monday)
      const other = path.replace('option=confirm', 'option=other')
      expect((await visit(other)).data).toMatchObject({ other: true })
      expect((await press(other)).data).toEqual({ state: 'other' })
      expect(await state()).toBe('other')
    })

    it('confirms nothing for an option that no mailed link has', async () => {
      const { path } = await create(services, monday)
      const before = await state()
      const changed = path.replace('option=confirm', 'option=zzz')
      expect((await press(changed)).data).toEqual({ state: 'failed', error: 'The link is not valid.' })
      expect(await state()).toBe(before)
    })

    it('shows the host’s error, or that the host cannot be reached', async () => {
      const { path } = await create(services, monday)
      expect(await press(path.replace(/confirmation_token=\w+/, 'confirmation_token=x'))).toMatchObject({
        status: 409,
        data: { state: 'failed', error: 'The link is not valid.' },
      })
      const reported: unknown[] = []
      services.errors = { report: (error) => reported.push(error) }
      services.propertyManagement = {
        confirm: async () => {
          throw new PropertyManagementUnavailable('gone')
        },
      }
      expect(await press(path)).toMatchObject({ status: 503, data: { state: 'failed', error: expect.any(String) } })
      expect(reported).toHaveLength(1)
    })

    it('limits attempts to guess a token from one address', async () => {
      const { path } = await create(services, monday)
      const guess = path.replace(/confirmation_token=\w+/, 'confirmation_token=x')
      for (let turn = 0; turn < 30; turn += 1) expect((await press(guess)).status).toBe(409)
      expect((await press(guess)).status).toBe(429)
    })
  })
})
