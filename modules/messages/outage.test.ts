/**
 * Tests failures of the whole mail server and of single addresses: which jobs die, how often the others are tried, and
 * how dead jobs are sent again.
 */
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { expect, it, onTestFinished } from 'vitest'
import { HOUR, MINUTE } from '../../domain/durations.ts'
import { enqueueAll, listDeadJobs, requeueDeadJobs } from '../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import { JobRunner } from '../../platform/jobs/job-runner.ts'
import { type Mail, MailNotDelivered } from '../../ports/mail/mail.ts'
import { smtpMail } from '../../ports/mail/smtp.ts'
import { fixedClock } from '../../ports/testing-clock-and-random.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { rowsOf } from '../../tests/support/rows.ts'
import { channels, staleAfter } from './message-handlers.ts'

const mails = Number(process.env.OUTAGE_MAILS ?? 60)
/** Minutes between two runs of the workers in the outage; with more than 1000 mails they run each minute. */
const step = mails > 1000 ? 1 : 10

type Trouble = 'silent' | 'greeting' | 'recipients' | null

/** Starts a mail server that can fail in each way of `Trouble`, and refuses addresses that begin with gone or full. */
async function openSink() {
  let trouble: Trouble = null
  let connections = 0
  let server = null as SMTPServer | null
  const received = new Map<string, number>()
  const refusal = (responseCode: number) => Object.assign(new Error('Not now'), { responseCode })
  const options: SMTPServerOptions = {
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    maxClients: 1000,
    onConnect(_session, done) {
      connections += 1
      done(trouble === 'greeting' ? refusal(421) : null)
    },
    onRcptTo({ address }, _session, done) {
      if (address.startsWith('gone')) return done(refusal(550))
      done(trouble === 'recipients' || address.startsWith('full') ? refusal(452) : null)
    },
    onData(stream, session, done) {
      const to = session.envelope.rcptTo[0]!.address
      stream.resume().on('end', () => {
        received.set(to, (received.get(to) ?? 0) + 1)
        done()
      })
    },
  }
  const listen = (port: number) =>
    new Promise<number>((resolve) => {
      server = new SMTPServer(options)
      server.on('error', () => {})
      server.listen(port, '127.0.0.1', () => resolve((server!.server.address() as AddressInfo).port))
    })
  const close = () => new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()))
  const port = await listen(0)
  return {
    port,
    received,
    close,
    connections: () => connections,
    async setTrouble(next: Trouble) {
      if (next === 'silent') await close()
      else if (trouble === 'silent') await listen(port)
      trouble = next
    },
  }
}

describeOnBothEngines('Mail', (open) => {
  const silent = { warn() {}, error() {} }

  async function stage(mail: Mail) {
    const db = await open()
    const clock = fixedClock(Date.parse('2027-03-01T12:00:00Z'))
    const add = (addresses: readonly string[], kind: 'receipt' | 'reset_code' = 'receipt') =>
      enqueueAll(
        db.write,
        addresses.map(
          (once) => ({ kind, once, payload: { orderId: once, resetId: once }, runAt: clock.now() }) as never,
        ),
      )
    const send = async ({ jobId, once }: { jobId: string; once: string }) =>
      mail.send({
        messageId: `${jobId}@latchkey.example`,
        to: once,
        from: 'desk@latchkey.example',
        subject: 'Receipt',
        text: 'Paid',
        html: '<p>Paid</p>',
        attachments: [],
      })
    const worker = () =>
      new JobRunner({
        db,
        clock,
        log: silent,
        onDead: () => {},
        channels,
        staleAfter,
        handlers: { receipt: send, reset_code: send },
      })
    const states = async () => {
      const byState = Map.groupBy(await rowsOf(db, 'jobs', ['state', 'once']), ({ state }) => state)
      return Object.fromEntries([...byState].map(([state, rows]) => [state, rows.length]))
    }
    return { db, clock, add, workers: [worker(), worker()], states }
  }

  it(`survives six hours without its server: of ${mails} jobs none dies, and each mail is sent once afterwards`, async () => {
    const sink = await openSink()
    const mail = smtpMail({ url: `smtp://127.0.0.1:${sink.port}` })
    onTestFinished(async () => {
      mail.close()
      await sink.close()
    })
    const { db, clock, add, workers, states } = await stage(mail)
    await add(Array.from({ length: mails }, (_, at) => `tenant${at}@mail.example`))
    let probes = 0
    for (const trouble of ['silent', 'greeting', 'recipients'] as const) {
      await sink.setTrouble(trouble)
      for (let minute = 0; minute < 120; minute += step) {
        for (const worker of workers) probes += await worker.runDue()
        clock.advance(step * MINUTE)
      }
    }
    // Both workers together make one attempt each time they run.
    expect(probes).toBe(360 / step)
    expect(await states()).toEqual({ waiting: mails })
    expect(await rowsOf(db, 'circuits', ['channel'])).toEqual([{ channel: 'mail' }])

    await sink.setTrouble(null)
    for (let minute = 0; minute < 3; minute += 1) {
      await Promise.all(workers.map((worker) => worker.runDue()))
      clock.advance(MINUTE)
    }
    expect(await states()).toEqual({ done: mails })
    expect(sink.received.size).toBe(mails)
    expect([...sink.received.values()].every((times) => times === 1)).toBe(true)
    expect(await rowsOf(db, 'circuits', ['channel'])).toEqual([])
  }, 600_000)

  it('fails at once for an unknown address, and after three days for a full mailbox, which does not delay others', async () => {
    const sink = await openSink()
    const mail = smtpMail({ url: `smtp://127.0.0.1:${sink.port}` })
    onTestFinished(async () => {
      mail.close()
      await sink.close()
    })
    const { db, clock, add, workers } = await stage(mail)
    await add(['gone@mail.example', 'full@mail.example', 'dana@mail.example'])
    await workers[0]!.runDue()
    expect([...sink.received.keys()]).toEqual(['dana@mail.example'])
    expect(await rowsOf(db, 'circuits', ['channel'])).toEqual([])
    expect(await listDeadJobs(db)).toMatchObject([{ once: 'gone@mail.example', attempts: 1 }])
    // The mail to the full mailbox is tried again for three days, about once an hour.
    let tries = 1
    for (let hour = 0; hour < 71; hour += 1) {
      clock.advance(HOUR)
      tries += await workers[0]!.runDue()
    }
    expect(await listDeadJobs(db)).toHaveLength(1)
    expect(tries).toBeGreaterThan(60)
    clock.advance(HOUR)
    await workers[0]!.runDue()
    expect((await listDeadJobs(db)).map(({ once }) => once).toSorted()).toEqual([
      'full@mail.example',
      'gone@mail.example',
    ])
  })

  it('sends dead jobs again in bulk, slowly, but without expired codes', async () => {
    const sent: string[] = []
    let down = true
    const { db, clock, add, workers, states } = await stage({
      async send({ to }) {
        if (down) throw new MailNotDelivered(true, '550 No such mailbox')
        sent.push(to)
      },
    })
    await add(['a@mail.example', 'b@mail.example', 'c@mail.example'])
    await add(['code@mail.example'], 'reset_code')
    await workers[0]!.runDue()
    expect(await states()).toEqual({ dead: 4 })
    down = false
    clock.advance(96 * HOUR)
    const now = clock.now()
    expect(await requeueDeadJobs(db.write, { kinds: ['unlock'], everyMs: 200, now })).toBe(0)
    expect(await requeueDeadJobs(db.write, { since: now - HOUR, everyMs: 200, now })).toBe(0)
    expect(await requeueDeadJobs(db.write, { everyMs: 60_000, now })).toBe(4)
    for (let minute = 0; minute < 4; minute += 1) {
      await workers[0]!.runDue()
      clock.advance(MINUTE)
    }
    expect(sent).toHaveLength(3)
    expect(await states()).toEqual({ done: 3, ended: 1 })
  })
})
