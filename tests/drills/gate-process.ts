/** One process of the drill `gate`: answers gates over HTTP and refreshes them each second, as the server does. */
import { createServer } from 'node:http'
import { gateAnswer } from '../../modules/gate/gate-answer.ts'
import { handleGateContact } from '../../modules/gate/gate-contact.ts'
import { syncGates } from '../../modules/gate/refresh-gates.ts'
import { findMachineByToken } from '../../modules/staff/machine-keys.ts'
import { DatabaseUnavailable } from '../../platform/database/engine.ts'
import { openDatabase } from '../../platform/database/open.ts'
import type { Services } from '../../platform/operations/services.ts'
import { systemRandom } from '../../server/system-clock.ts'
import { testServicesOn } from '../support/small-operator.ts'

const [url = '', dataDir = '', port = '0'] = process.argv.slice(2)
const db = await openDatabase({ url, dataDir })
const services: Services = { ...testServicesOn(db), clock: Date, random: systemRandom }

async function answer(
  facility: string,
  bearer: string,
  etag: string,
): Promise<{ status: number; body: string; etag: string }> {
  const machine = await findMachineByToken(services, bearer, '127.0.0.1')
  if (typeof machine === 'string') return { status: 401, body: machine, etag: '' }
  const contact = await handleGateContact(services, facility, etag, machine.keyId)
  if (!contact) return { status: 404, body: '', etag: '' }
  const body = contact.news ? JSON.stringify(gateAnswer(facility, contact.news, Date.now())) : ''
  return { status: contact.news ? 200 : 304, body, etag: `"${contact.etag}"` }
}

/** A busy database is asked again, as the server's schedule does. */
function unlessBusy<T>(busy: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof DatabaseUnavailable) return busy
    throw error
  }
}

/** Refreshes the gates a second after the last time, as the schedule of the server does. */
const refresh = async () => {
  await syncGates(services, () => false).catch(unlessBusy(0))
  setTimeout(refresh, 1000)
}
setTimeout(refresh, 1000)
createServer(async (request, response) => {
  const [, facility = ''] = /^\/api\/gate\/(\w+)\/state$/.exec(request.url ?? '') ?? []
  const bearer = (request.headers.authorization ?? '').replace('Bearer ', '')
  const { status, body, etag } = await answer(facility, bearer, request.headers['if-none-match'] ?? '').catch(
    unlessBusy({ status: 503, body: '', etag: '' }),
  )
  response.writeHead(status, { etag }).end(body)
}).listen(Number(port), '127.0.0.1', () => process.stdout.write('ready\n'))
