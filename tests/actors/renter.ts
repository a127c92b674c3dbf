/** A kiosk that rents a unit over the API, as a browser would: one cookie, one step after the other, patient or not. */
import { facilities } from '../../demo/facilities.ts'
import type { Random } from '../../ports/clock.ts'
import type { TestCardName } from '../../sandbox/cards.ts'
import { payAtHostedPage } from '../../sandbox/pay.ts'

/** The demo's kinds of unit of which some are free. */
export const lettable = facilities.flatMap(({ code, comingSoon, units }) =>
  comingSoon ? [] : units.flatMap(([, , free], index) => (free > 0 ? [{ code, type: index + 1 }] : [])),
)

export interface Renting {
  locationCode: string
  unitTypeId: number
  card: TestCardName
  /** Tries again after an outage; else it walks away where it is cut off. */
  patient: boolean
  email: string
  address: string
}

/** What a kiosk was told, and may rely on from then on. */
export interface Told {
  email: string
  locationCode: string
  reservationCode?: string
  orderId?: string
  leaseNumber?: string
  gateCode?: string
  /** How it ended. */
  end: 'moved in' | 'no unit' | 'refused' | 'walked away'
}

/** The site could not be reached, or asked to come back. */
class Outage extends Error {}

export interface Reach {
  url: string
  /** Resolves once the site answers (again). */
  up(): Promise<void>
  /** Called as each request leaves. */
  sent(): void
  /** Called where a request got no answer at all. @param left when it had been sent, in milliseconds of `performance` */
  cut?(left: number): void
}

type Answer = Record<string, unknown> & { Rental?: Record<string, string>; error?: { code: string; message: string } }

/** Rents one unit. @throws Error where the site answers what it never should */
export async function rentAtKiosk(reach: Reach, wish: Renting, random: Random): Promise<Told> {
  const told: Told = { email: wish.email, locationCode: wish.locationCode, end: 'walked away' }
  let cookie = ''

  async function call(path: string, body: Record<string, unknown>): Promise<{ status: number; answer: Answer }> {
    reach.sent()
    const left = performance.now()
    let response: Response
    try {
      response = await fetch(`${reach.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': wish.address, ...(cookie && { cookie }) },
        body: JSON.stringify(body),
      })
      const set = response.headers.getSetCookie().find((line) => line.startsWith('latchkey='))
      if (set) cookie = set.split(';')[0] ?? ''
      if (response.status === 503) throw new Outage('503')
      const text = await response.text()
      const answer = response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : {}
      if (response.status >= 500) throw new Error(`${path} answered ${response.status}: ${JSON.stringify(answer)}`)
      return { status: response.status, answer: answer as Answer }
    } catch (error) {
      if (error instanceof TypeError) {
        reach.cut?.(left)
        throw new Outage(String(error))
      }
      throw error
    }
  }

  /** Does a step; where the site is away, waits for it and does it again, or walks away. */
  async function step<T>(work: () => Promise<T>): Promise<T> {
    for (let turn = 0; ; turn += 1) {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof Outage) || !wish.patient || turn === 200) throw error
        await reach.up()
        // A database that is away answers 503 for a while.
        await new Promise((done) => setTimeout(done, 20 + random.integer(0, 60)))
      }
    }
  }

  const here = { location_code: wish.locationCode }
  try {
    const reserved = await step(() =>
      call('/api/ssm/SaveReservationDetails_WEB', {
        ...here,
        unit_type_id: wish.unitTypeId,
        rent_now: 1,
        first: 'Kim',
        last: 'Kiosk',
        email: wish.email,
        cell_phone: '4045550188',
        address: '1 Kiosk Way',
        city: 'Atlanta',
        state: 'GA',
        zip: '30308',
        company: '',
        active_military: '0',
        designated_agent: '0',
      }),
    )
    if (reserved.answer.ErrorMessage === 'Units Not Available') return { ...told, end: 'no unit' }
    if (reserved.answer.ErrorMessage !== '') throw new Error(`reserving answered ${JSON.stringify(reserved.answer)}`)
    told.reservationCode = String(reserved.answer.reservationCode)

    const sign = async () => {
      for (;;) {
        const signed = await step(() =>
          call('/api/ssm/lease-pdf', {
            ...here,
            format: 'file',
            tenant_name: 'Kim Kiosk',
            tenant_signature_name: 'Kim Kiosk',
            accepted_timestamp: 'now',
          }),
        )
        if (signed.status === 200) return
        if (signed.answer.error?.code !== 'changed_elsewhere')
          throw new Error(`signing answered ${signed.status} ${JSON.stringify(signed.answer)}`)
      }
    }
    const open = () => step(() => call('/api/paygateway/hostpay/transactions', here))
    await sign()
    let opened = await open()
    // A lease of yesterday is signed anew: midnight has passed at the facility, and it begins today.
    if (opened.answer.error?.code === 'not_signed') {
      await sign()
      opened = await open()
    }
    if (opened.status !== 200) throw new Error(`opening answered ${opened.status} ${JSON.stringify(opened.answer)}`)
    const orderId = String(opened.answer.order_id)
    told.orderId = orderId

    try {
      await payAtHostedPage(String(opened.answer.paypageurl), wish.card)
    } catch (error) {
      // Cards that cut the connection: only the provider's own books tell what became of it.
      if (!(error instanceof TypeError)) throw error
    }

    for (let turn = 0; turn < 8; turn += 1) {
      const { answer } = await step(() => call('/api/paygateway/directpay/express', { order_id: orderId }))
      if (answer.STATE === 'DECLINED') return { ...told, end: 'refused' }
      if (answer.STATE === 'APPROVED') break
      if (answer.STATE !== 'PENDING') throw new Error(`the payment is ${JSON.stringify(answer)}`)
    }
    const converted = await step(() =>
      call('/api/ssm/ConvertReservationtoRentalAndSendLeaseAgreement', { ...here, order_id: orderId }),
    )
    const rental = converted.answer.Rental
    if (rental?.RentalMessage !== 'Successful') return told
    return { ...told, leaseNumber: rental.RentalLeaseNumber ?? '', gateCode: rental.GateCode ?? '', end: 'moved in' }
  } catch (error) {
    if (error instanceof Outage) return told
    throw error
  }
}
