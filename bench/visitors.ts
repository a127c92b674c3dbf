/** Visitors over HTTP: each with an address and a cookie of their own, doing what a kiosk or a browser does. */
import { Agent, request } from 'node:http'
import { type Ask, payAtHostedPage } from '../sandbox/pay.ts'
import type { Place } from './business.ts'

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

/** The browser at the card page: a client as light as the visitor's own, since it runs on the cores that are measured. */
export const atCardPage: Ask = (url, { method = 'GET', body }) =>
  new Promise((resolve, reject) => {
    const text = body?.toString() ?? ''
    const headers = body
      ? { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(Buffer.byteLength(text)) }
      : {}
    const sent = request(url, { method: method.toUpperCase(), headers, agent }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: { get: (name) => String(response.headers[name] ?? '') || null },
          text: async () => Buffer.concat(chunks).toString('utf8'),
        }),
      )
    })
    sent.on('error', reject)
    sent.end(text)
  })

export class Visitor {
  readonly #origin: string
  readonly #address: string
  readonly #serial: number
  cookie = ''
  /** Of a tenant who has signed in. */
  token = ''
  /** What this visitor's browser unpacks. */
  encoding = 'identity'

  /** @param serial tells this visitor from all others: makes address, name and mail address */
  constructor(origin: string, serial: number) {
    this.#origin = origin
    this.#serial = serial
    this.#address = `127.${(serial >> 16) & 255}.${(serial >> 8) & 255}.${serial & 255}`
  }

  send(method: 'GET' | 'POST', path: string, body?: { type: string; text: string }): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const headers: Record<string, string> = { 'x-forwarded-for': this.#address, 'accept-encoding': this.encoding }
      if (this.cookie) headers.cookie = this.cookie
      if (this.token) headers.authorization = `Bearer ${this.token}`
      if (body) {
        headers['content-type'] = body.type
        headers['content-length'] = String(Buffer.byteLength(body.text))
      }
      const sent = request(new URL(path, this.#origin), { method, headers, agent }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          for (const line of response.headers['set-cookie'] ?? []) {
            const pair = line.split(';', 1)[0] as string
            const name = pair.slice(0, pair.indexOf('=') + 1)
            const kept = this.cookie.split('; ').filter((one) => one !== '' && !one.startsWith(name))
            this.cookie = [...kept, pair].join('; ')
          }
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString('utf8'),
          })
        })
      })
      sent.on('error', (error: NodeJS.ErrnoException) => {
        // The server had just closed a connection that stood idle: the request never reached it.
        if (sent.reusedSocket && error.code === 'ECONNRESET') resolve(this.send(method, path, body))
        else reject(error)
      })
      sent.end(body?.text)
    })
  }

  /** A call of the JSON door. @throws Error where it is not answered with 200 */
  async call<T = Record<string, unknown>>(path: string, input: unknown): Promise<T> {
    const answer = await this.send('POST', path, { type: 'application/json', text: JSON.stringify(input) })
    if (answer.status !== 200) throw new Error(`POST ${path}: ${answer.status} ${answer.text.slice(0, 600)}`)
    return JSON.parse(answer.text) as T
  }

  contact() {
    return {
      first: 'Bea',
      last: `Bench${String.fromCharCode(97 + (this.#serial % 26))}`,
      email: `bea.${this.#serial}@example.com`,
      cell_phone: `307555${String(this.#serial % 10_000).padStart(4, '0')}`,
      address: '12 Bench Road',
      city: 'Cheyenne',
      state: 'WY',
      zip: '82001',
      company: '',
      active_military: '0',
      designated_agent: '0',
    }
  }
}

interface Saved {
  ErrorMessage: string
  reservationCode: string
  unitNumber: string
  tenantId: number
}

/** Unit types → cost → save → prospect. @throws Error where any of it is refused */
export async function reserve(visitor: Visitor, place: Place, turn: number, rentNow = false): Promise<Saved> {
  const { locationCode: location_code } = place
  const at = turn % place.unitTypeIds.length
  const listed = await visitor.call<{ UnitType: { UnitTypeId: number; IsAvailable: string; DiscountId: number }[] }>(
    '/api/ssm/GetLocationUnitTypes',
    { location_code },
  )
  const type = listed.UnitType.find((one) => one.UnitTypeId === place.unitTypeIds[at])
  if (type?.IsAvailable !== 'True')
    throw new Error(`${location_code} has no free unit of type ${place.unitTypeIds[at]}`)
  const today = new Intl.DateTimeFormat('en-US', {
    timeZone: 'America/Denver',
    month: '2-digit',
    day: '2-digit',
    year: 'numeric',
  }).format(Date.now())
  await visitor.call('/api/ssm/GetMoveInCostAll', {
    location_code,
    UnitId: place.unitIds[at],
    MoveInDate: today,
    DiscountId: type.DiscountId,
    InsuranceId: 1,
  })
  const saved = await visitor.call<Saved>('/api/ssm/SaveReservationDetails_WEB', {
    location_code,
    unit_type_id: type.UnitTypeId,
    ...(rentNow ? { rent_now: 1 } : { move_in_date: today }),
    ...visitor.contact(),
  })
  if (saved.ErrorMessage !== '') throw new Error(`A reservation was refused: ${saved.ErrorMessage}`)
  await visitor.call('/api/prospects', { location_code, res_code: saved.reservationCode })
  return saved
}

/** A whole move-in by card: reserve, sign the lease, pay at the sandbox's card page, convert. @throws Error on any refusal */
export async function rent(visitor: Visitor, place: Place, turn: number): Promise<void> {
  const { locationCode: location_code } = place
  const { first, last } = visitor.contact()
  const saved = await reserve(visitor, place, turn, true)
  const lease = await visitor.send('POST', '/api/ssm/lease-pdf', {
    type: 'application/json',
    text: JSON.stringify({
      location_code,
      format: 'file',
      tenant_signature_name: `${first} ${last}`,
      accepted_timestamp: new Date().toISOString(),
    }),
  })
  if (lease.status !== 200 || !lease.text.startsWith('%PDF'))
    throw new Error(`The lease was not signed: ${lease.status} ${lease.text.slice(0, 300)}`)
  const opened = await visitor.call<{ paypageurl: string; order_id: string }>('/api/paygateway/hostpay/transactions', {
    location_code,
  })
  await payAtHostedPage(opened.paypageurl, 'visa', atCardPage)
  const { order_id } = opened
  const paid = await visitor.call<{ STATE: string; MESSAGE: string }>('/api/paygateway/directpay/express', { order_id })
  if (paid.STATE !== 'APPROVED') throw new Error(`The payment is ${paid.STATE}: ${paid.MESSAGE}`)
  const { Rental } = await visitor.call<{ Rental: { RentalMessage: string; ErrorMessage: string } }>(
    '/api/ssm/ConvertReservationtoRentalAndSendLeaseAgreement',
    { location_code, order_id, res_code: saved.reservationCode },
  )
  if (Rental.RentalMessage !== 'Successful') throw new Error(`Not converted: ${Rental.ErrorMessage}`)
}
