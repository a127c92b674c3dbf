import { createServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { askOutsideTimes, findReferenceClockProblem } from './reference-clocks.ts'
import { serverForTests } from './testing-server.ts'

const HOUR = 3_600_000

async function mailServer(greeting: string): Promise<string> {
  const server = createServer((socket) => void socket.on('error', () => {}).write(`${greeting}\r\n`))
  onTestFinished(() => void server.close())
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const at = server.address()
  return `smtp://127.0.0.1:${typeof at === 'object' ? at?.port : ''}`
}

const webServer = (aheadMs: number) =>
  serverForTests(
    (_, answer) => void answer.setHeader('Date', new Date(Date.now() + aheadMs).toUTCString()).end(),
    onTestFinished,
  )

const greetingAt = (at: number) =>
  mailServer(`220 mail.example ESMTP ready; ${new Date(at).toUTCString().replace('GMT', '+0000')}`)

it('reads the time of the card provider and the mail server', async () => {
  const cardProviderUrl = await webServer(-HOUR)
  const times = await askOutsideTimes(
    { cardProviderUrl, smtpUrl: await greetingAt(Date.now() - 2 * HOUR) },
    { now: () => Date.now() },
  )
  expect(times.map(({ whose, ahead }) => [whose, Math.round(ahead / HOUR)])).toEqual([
    ['the card provider', 1],
    ['the mail server', 2],
  ])
  expect(findReferenceClockProblem(times)).toMatch(
    /^The clock here is 60 minutes ahead of the card provider and 120 minutes ahead of/,
  )
})

it('ignores servers that do not respond or send no time', async () => {
  const smtpUrl = await mailServer('220 mail.example ESMTP Postfix')
  const clock = { now: () => Date.now() }
  expect(await askOutsideTimes({ cardProviderUrl: 'http://127.0.0.1:1/', smtpUrl }, clock)).toEqual([])
  expect(findReferenceClockProblem([])).toBeNull()
  const times = await askOutsideTimes(
    { cardProviderUrl: await webServer(HOUR), smtpUrl: await greetingAt(Date.now()) },
    clock,
  )
  expect([times.length, findReferenceClockProblem(times)]).toEqual([2, null])
})
