/**
 * Calls every operation and resource of the API, and every operation of site and portal pages, as a visitor and as each
 * `Kind` of caller but a registrant. Compares the access with `wire.txt` and with `callersOfPageOperations`.
 */
import type { Insertable } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { internalOperations } from '../api/catalogue.ts'
import { StartCheckout } from '../modules/payments/operations/start-checkout.ts'
import type { Callers } from '../platform/operations/callers.ts'
import { perform } from '../platform/operations/operation.ts'
import type { PaymentsTable } from '../platform/schema/tables.ts'
import { everyOperation, type Kind, type Specified, specified } from './parse-wire-specification.ts'
import {
  anonymous,
  type DemoServices,
  demoServices,
  inSession,
  noon,
  sessionOf,
  signedInAs,
} from './support/seeded-demo-operator.ts'

const callersOfPageOperations: Readonly<Record<string, Specified['callers']>> = {
  'end-sign-in': ['tenant'],
  'end-other-sign-ins': ['tenant'],
  'renew-sign-in': ['tenant'],
  'withdraw-email-change': ['tenant'],
  'choose-texts': ['tenant'],
  'confirm-email-change': ['tenant'],
  'keep-passkey': ['tenant'],
  'rename-passkey': ['tenant'],
  'remove-passkey': ['tenant'],
  'decline-passkeys': ['tenant'],
  'check-reset-code': 'anyone',
  'finish-reset': 'anyone',
  'undo-account-change': 'anyone',
  'accept-terms': ['tenant'],
  'leave-with-feedback': ['tenant'],
  'start-checkout': ['tenant'],
  'start-units-checkout': ['tenant'],
  JoinWaitlist: 'anyone',
  QuoteTransfer: ['tenant'],
  TransferUnit: ['tenant'],
  CancelTransfer: ['tenant'],
  'start-checkout of a guest': ['guest'],
}

/** `StartCheckout` with a guest as payer in its input, which only a guest payer may send. */
const guestCheckout = {
  ...StartCheckout,
  name: 'start-checkout of a guest',
  example: { input: { ...StartCheckout.example.input, payer: 'guest' } as Record<string, unknown> },
}

const declaredAll = [...everyOperation, ...internalOperations, guestCheckout]
type Declared = (typeof declaredAll)[number]

interface RecordIds {
  location_code: string
  tenant_id: number
  lease_number: number
  reservation: string
  order: string
}

const fieldNames: Readonly<Record<keyof RecordIds, readonly string[]>> = {
  location_code: ['location_code'],
  tenant_id: ['tenant_id', 'TenantId', 'tenantId'],
  lease_number: ['lease_number', 'lease_no', 'leaseNumber'],
  reservation: ['res_code', 'reservationCode', 'reservation_code'],
  order: ['order_id', 'orderId'],
}

/** Returns the example's input with the ids of `records` in all fields that name a record. */
function inputFor(declared: Declared, records: RecordIds): Record<string, unknown> {
  const input = { ...declared.example.input }
  for (const [record, names] of Object.entries(fieldNames)) {
    for (const name of names) if (name in input) input[name] = records[record as keyof RecordIds]
  }
  return input
}

const open = demoServices()

interface Caller {
  who: string
  kind: Kind | null
  callers: Callers
  /** Records that the caller's own calls name. The lease may be another's, since no access rule reads its number. */
  own: RecordIds
}

let services: DemoServices
let callers: Caller[]

const marcus: RecordIds = {
  location_code: 'ATL01',
  tenant_id: 1001,
  lease_number: 10001,
  reservation: 'NONEOFMARC',
  order: 'NOORDEROFMARCUS',
}

async function addSessionOrder({ rental }: Callers, orderId: string): Promise<void> {
  if (!rental) throw new Error('Not a rental session')
  await addFailedOrder(orderId, {
    location_code: rental.locationCode,
    payer: 'move_in',
    draft_id: rental.draftId,
    tenant_id: rental.tenantId,
  })
}

async function addFailedOrder(
  orderId: string,
  values: Pick<Insertable<PaymentsTable>, 'location_code' | 'payer' | 'tenant_id'> & Partial<Insertable<PaymentsTable>>,
): Promise<void> {
  const emptyColumns = {
    session_token: null,
    pay_page_url: null,
    transaction_id: null,
    response_code: null,
    response_text: null,
    approved_amount: null,
    card_brand: null,
    masked_card: null,
    exp_month: null,
    exp_year: null,
    card_name: null,
    card_address: null,
    card_zip: null,
    alias_sealed: null,
    receipt_id: null,
    trouble: null,
    captured_at: null,
    posted_at: null,
    quote_id: null,
    lease_number: null,
  }
  await services.db.write
    .insertInto('payments')
    .values({
      ...emptyColumns,
      order_id: orderId,
      draft_id: null,
      state: 'declined',
      amount: 100_00,
      autopay: 0,
      method: 'CC',
      plan: JSON.stringify({ sealed: services.sealer.seal('{}', `payment:${orderId}:plan`) }),
      created_at: noon,
      updated_at: noon,
      ...values,
    })
    .execute()
}

beforeAll(async () => {
  services = await open()
  const loadTenantId = async (location: string, first: string) => {
    const row = await services.db.read
      .selectFrom('tenants')
      .select('tenant_id')
      .where('location_code', '=', location)
      .where('first', '=', first)
      .orderBy('tenant_id')
      .executeTakeFirstOrThrow()
    return row.tenant_id
  }
  const [georgia, priya, owen, daphne] = await Promise.all([
    loadTenantId('ATL01', 'Georgia'),
    loadTenantId('ATL02', 'Priya'),
    loadTenantId('ATL01', 'Owen'),
    loadTenantId('ATL01', 'Daphne'),
  ])
  const sessions = {
    daphne: await sessionOf(services, 'K7M2XQ9TRD'),
    onFile: await inSession(services, {
      locationCode: 'ATL01',
      unitTypeId: 3,
      tenantId: 1001,
      reservationCode: 'G4XQ7WZ2PD',
      existingTenant: true,
    }),
    otherRenter: await sessionOf(services, 'T9RD3KVX7M'),
  }
  await addSessionOrder(sessions.daphne, 'ORDEROFDAPHNE')
  await addSessionOrder(sessions.onFile, 'ORDEROFONEONFILE')
  await addSessionOrder(sessions.otherRenter, 'ORDEROFSOMEBODYELSE')
  const uuid = '3d0a9d3c-52c5-4f9e-8a36-0d1c8a5b6f01'
  await addFailedOrder('ORDEROFMARCUS', { location_code: 'ATL01', payer: 'tenant', tenant_id: 1001 })
  await addFailedOrder('ORDEROFGEORGIA', { location_code: 'ATL01', payer: 'tenant', tenant_id: georgia })
  await addFailedOrder('ORDEROFPRIYA', { location_code: 'ATL02', payer: 'tenant', tenant_id: priya })
  await addFailedOrder('ORDEROFOWENASGUEST', {
    location_code: 'ATL01',
    payer: 'guest',
    tenant_id: owen,
    opened_by: 'of a guest',
  })
  const byLink = { location_code: 'ATL01', tenant_id: null, link_uuid: uuid }
  await addFailedOrder('ORDEROFAUCTION', { ...byLink, payer: 'auction' })
  await addFailedOrder('ORDEROFSETTLEMENT', { ...byLink, payer: 'settlement' })
  callers = [
    { who: 'a visitor', kind: null, callers: anonymous(), own: marcus },
    {
      who: 'a tenant',
      kind: 'tenant',
      callers: await signedInAs(services, 'ATL01', 1001),
      own: { ...marcus, order: 'ORDEROFMARCUS' },
    },
    {
      who: 'another tenant of the facility',
      kind: 'tenant',
      callers: await signedInAs(services, 'ATL01', georgia),
      own: { ...marcus, tenant_id: georgia, order: 'ORDEROFGEORGIA' },
    },
    {
      who: 'a tenant of another facility',
      kind: 'tenant',
      callers: await signedInAs(services, 'ATL02', priya),
      own: { ...marcus, location_code: 'ATL02', tenant_id: priya, order: 'ORDEROFPRIYA' },
    },
    {
      who: 'a guest payer',
      kind: 'guest',
      callers: {
        ...anonymous(),
        guest: { tenants: [{ locationCode: 'ATL01', tenantId: owen }], signIn: 'of a guest' },
      },
      own: { ...marcus, tenant_id: owen, order: 'ORDEROFOWENASGUEST' },
    },
    {
      who: 'the rental session of a new tenant',
      kind: 'new',
      callers: sessions.daphne,
      own: { ...marcus, tenant_id: daphne, reservation: 'K7M2XQ9TRD', order: 'ORDEROFDAPHNE' },
    },
    {
      who: 'the rental session of a tenant on file',
      kind: 'on file',
      callers: sessions.onFile,
      own: { ...marcus, reservation: 'G4XQ7WZ2PD', order: 'ORDEROFONEONFILE' },
    },
    {
      who: 'an auction winner',
      kind: 'auction',
      callers: { ...anonymous(), auction: { uuid } },
      own: { ...marcus, order: 'ORDEROFAUCTION' },
    },
    {
      who: 'a settlement payer',
      kind: 'settlement',
      callers: { ...anonymous(), settlement: { uuid } },
      own: { ...marcus, order: 'ORDEROFSETTLEMENT' },
    },
  ]
})

let callCount = 0
/** Calls an operation from a new network address each time, so that no rate limit hides the access check. */
async function call(declared: Declared, records: RecordIds, caller: Caller) {
  callCount += 1
  return perform(services, declared, inputFor(declared, records), {
    ...caller.callers,
    address: `203.0.${callCount >> 8}.${callCount & 255}`,
  })
}

const isRefused = (outcome: { ok: boolean; status?: number }) => outcome.status === 401 || outcome.status === 403

/** Existing tenants, reservation and order of no caller. The second tenant has a caller's id at another facility. */
const others: RecordIds[] = [
  { ...marcus, tenant_id: 1004, lease_number: 10004, reservation: 'H4WNC8ZP6J', order: 'ORDEROFSOMEBODYELSE' },
  { ...marcus, location_code: 'CHS01', reservation: 'H4WNC8ZP6J', order: 'ORDEROFSOMEBODYELSE' },
]
const nobody: RecordIds = {
  location_code: 'ATL01',
  tenant_id: 987_654,
  lease_number: 987_654,
  reservation: 'ZZZZZZZZZZ',
  order: 'ORDEROFNOBODYATALL',
}

describe('Who may call what', () => {
  it('covers every operation of site and portal pages, and no other', () => {
    expect([...internalOperations, guestCheckout].map((operation) => operation.name).sort()).toEqual(
      Object.keys(callersOfPageOperations).sort(),
    )
  })

  it('uses people and payments that exist', async () => {
    const { read } = services.db
    for (const { location_code, tenant_id } of others) {
      const tenant = read.selectFrom('tenants').where('location_code', '=', location_code).select('tenant_id')
      expect(await tenant.where('tenant_id', '=', tenant_id).executeTakeFirst()).toBeDefined()
    }
    const orders = (await read.selectFrom('payments').select('order_id').execute()).map((row) => row.order_id)
    expect(orders.sort()).toEqual(
      [
        ...callers.map((caller) => caller.own.order).filter((order) => order !== marcus.order),
        'ORDEROFSOMEBODYELSE',
      ].sort(),
    )
    expect(
      await read.selectFrom('reservations').select('status').where('reservation_code', '=', 'H4WNC8ZP6J').execute(),
    ).toHaveLength(1)
  })

  for (const declared of declaredAll) {
    const allowed = specified.get(declared.name)?.callers ?? callersOfPageOperations[declared.name] ?? []

    it(`${declared.name}: ${allowed === 'anyone' ? 'anyone' : allowed.join(', ')}`, async () => {
      for (const caller of callers) {
        const mayCallForAny = allowed === 'anyone' || (caller.kind !== null && allowed.includes(`${caller.kind}*`))
        const mayCallForOwn = mayCallForAny || (caller.kind !== null && allowed.includes(caller.kind))
        const toOwn = await call(declared, caller.own, caller)
        expect([caller.who, 'own', isRefused(toOwn)]).toEqual([caller.who, 'own', !mayCallForOwn])

        const own = JSON.stringify(inputFor(declared, caller.own))
        for (const records of others) {
          if (JSON.stringify(inputFor(declared, records)) === own) continue
          const toOther = await call(declared, records, caller)
          if (mayCallForAny) expect([caller.who, isRefused(toOther)]).toEqual([caller.who, false])
          else {
            expect(toOther, caller.who).toMatchObject({ ok: false, status: caller.kind === null ? 401 : 403 })
            // The response is identical, whether or not such a record exists.
            const absent = { ...nobody, location_code: records.location_code }
            expect(await call(declared, absent, caller), caller.who).toEqual(toOther)
          }
        }
      }
    })
  }
})
