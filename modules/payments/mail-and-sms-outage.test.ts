import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { expect, it } from 'vitest'
import { enqueue } from '../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import { JobRunner } from '../../platform/jobs/job-runner.ts'
import { smtpMail } from '../../ports/mail/smtp.ts'
import { httpSms } from '../../ports/sms/http.ts'
import { payAtHostedPage } from '../../sandbox/submit-card-page-in-tests.ts'
import { openerForTests } from '../../tests/support/databases.ts'
import { messageJobHandlers } from '../messages/message-handlers.ts'
import { gateCodeTextConsent } from '../messages/texts/sms-consent.ts'
import { recordTextConsent } from '../tenants/sms-consent.ts'
import { settlePayment } from './settle-payment.ts'
import { openPayingServices } from './testing.ts'
import { sandboxForTests } from './testing-card-provider.ts'
import { openTestCardPage, readyToPay } from './testing-rent-until-card-page.ts'

const open = openerForTests()
const { till, folder } = sandboxForTests('receivers')

/** A mail server and an SMS provider that record what they receive. */
function receivers() {
  const messages: string[] = []
  const mail = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, _session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const text = Buffer.concat(chunks).toString('latin1')
        messages.push(`mail ${/^Subject: (.*)/im.exec(text)?.[1]} ${/^Message-ID: (.*)/im.exec(text)?.[1]}`)
        done()
      })
    },
  })
  const sms = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk
    })
    request.on('end', () => {
      const { id, text } = JSON.parse(body) as { id: string; text: string }
      messages.push(`sms ${text} ${id}`)
      response.end('{}')
    })
  })
  const listen = (server: { listen(port: number, host: string, done: () => void): unknown }, port: number) =>
    new Promise<void>((done) => void server.listen(port, '127.0.0.1', done))
  return {
    messages,
    async open(ports = { mail: 0, sms: 0 }) {
      await Promise.all([listen(mail, ports.mail), listen(sms, ports.sms)])
      return { mail: (mail.server.address() as AddressInfo).port, sms: (sms.address() as AddressInfo).port }
    },
    close: () =>
      Promise.all([
        new Promise<void>((done) => mail.close(() => done())),
        new Promise<void>((done) => {
          sms.close(() => done())
          sms.closeAllConnections()
        }),
      ]),
  }
}

it('sends mail, receipt and gate code once, an hour later, when their receivers were down, and no job dies', async () => {
  const services = await openPayingServices(await open(), till, folder)
  const first = receivers()
  const ports = await first.open()
  await first.close()
  const mail = smtpMail({ url: `smtp://127.0.0.1:${ports.mail}` })
  services.sms = httpSms({ url: `http://127.0.0.1:${ports.sms}/`, key: 'k', from: '+14045550100', form: 'json' })
  const dead: string[] = []
  const runner = new JobRunner({
    db: services.db,
    clock: services.clock,
    handlers: messageJobHandlers(services, { mail, from: 'Storage <desk@storage.example>' }),
    log: { warn: () => {}, error: () => {} },
    onDead: (job) => void dead.push(job.kind),
  })
  const page = await openTestCardPage(services, await readyToPay(services))
  await payAtHostedPage(page.payPageUrl, 'visa')
  await settlePayment(services, page.orderId)
  const consent = { askedAt: 'gate_code', wording: gateCodeTextConsent } as const
  await services.db.transaction((tx) => recordTextConsent(tx, services, { phone: '4045550111', ...consent }))
  await services.db.transaction((tx) =>
    enqueue(tx, {
      kind: 'gate_code_sms',
      once: 'asked at the gate',
      runAt: services.clock.now(),
      payload: { locationCode: 'GA1', tenantId: 1001 },
    }),
  )
  let runs = await runner.runDue()
  for (let minute = 0; minute < 60; minute += 5) {
    services.later(5 * 60_000)
    runs += await runner.runDue()
  }
  expect(runs).toBeGreaterThan(10)
  const second = receivers()
  await second.open(ports)
  for (let minute = 0; minute < 120; minute += 10) {
    services.later(10 * 60_000)
    await runner.runDue()
  }
  mail.close()
  await second.close()
  // Each message ends with its own id.
  expect(second.messages.map((message) => message.split(' ').slice(0, -1).join(' ')).sort()).toEqual([
    'mail Receipt 1001 for unit 101',
    "mail You're moved in: unit 101 at Storage GA1",
    'sms Storage: your gate code at Storage GA1 is 482 917 (unit 301). Questions? (404) 555-0199',
  ])
  expect(dead).toEqual([])
})
