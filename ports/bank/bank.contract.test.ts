/** The contract of bank adapters, tested on the production adapter against the sandbox over loopback HTTP. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { RETURNED_AFTER_MS } from '../../sandbox/bank.ts'
import { SANDBOX_CREDENTIALS, type Sandbox, startSandbox } from '../../sandbox/server.ts'
import { serverForTests } from '../testing-server.ts'
import { type Bank, type BankAccount, BankUnavailable } from './bank.ts'
import { httpBank } from './http.ts'

const FAULT_KEY = 'only for this test'
const dataDir = mkdtempSync(join(tmpdir(), 'bank-'))
let now = Date.UTC(2026, 10, 20, 17)
let sandbox: Sandbox
let bank: Bank
let impatient: Bank

const open = () =>
  startSandbox({ port: 0, dataDir, slowMs: 60_000, faultKey: FAULT_KEY, clock: { now: () => now } }).then((started) => {
    sandbox = started
    const url = `${sandbox.url}/bank`
    bank = httpBank({ url, key: SANDBOX_CREDENTIALS.authKey })
    impatient = httpBank({ url, key: SANDBOX_CREDENTIALS.authKey, timeoutMs: 500 })
  })

beforeAll(open)

afterAll(async () => {
  await sandbox.close()
  rmSync(dataDir, { recursive: true })
})

const account = (ending: string): BankAccount => ({
  name: "Renée O'Hara",
  routing: '061000104',
  account: `00012345${ending}`,
  type: 'Checking',
})

const debitRequest = (ending: string, orderId: string = randomUUID()) => ({
  orderId,
  account: account(ending),
  amount: 13_908,
  descriptor: 'Unit 214',
})

async function failureReason(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(BankUnavailable)
  // No report may hold the account number.
  expect(String(error)).not.toContain('00012345')
  return (error as BankUnavailable).reason
}

const entries = async (orderId: string) => {
  const { debits } = (await (await fetch(`${sandbox.url}/sandbox/bank/ledger`)).json()) as {
    debits: { order_id: string; account: string; credited_at: number | null }[]
  }
  return debits.filter((debit) => debit.order_id === orderId)
}

describe('the bank', () => {
  it('checks accounts', async () => {
    expect(await bank.validateAccount(account('0000'))).toMatchObject({ valid: true })
    expect(await bank.validateAccount(account('1111'))).toMatchObject({ valid: false, description: 'No such account' })
  })

  it('debits once for an order, and returns the debit’s state afterwards', async () => {
    const request = debitRequest('0000')
    expect(await bank.queryDebit(request.orderId)).toMatchObject({ state: 'UNKNOWN', traceNumber: '' })
    const first = await bank.debit(request)
    expect(first).toMatchObject({ state: 'ACCEPTED', orderId: request.orderId, amount: 13_908, code: '' })
    expect(first.traceNumber).not.toBe('')
    expect(await bank.debit({ ...request, amount: 1 })).toEqual(first)
    expect(await bank.queryDebit(request.orderId)).toEqual(first)
    expect(await entries(request.orderId)).toMatchObject([{ account: '****0000' }])
  })

  it('refuses a debit, also when it is repeated', async () => {
    const request = debitRequest('2222')
    for (const _ of [1, 2]) expect(await bank.debit(request)).toMatchObject({ state: 'REFUSED', code: 'R29' })
    expect(await bank.refund(request)).toMatchObject({ done: false, code: 'X01' })
  })

  it.each([
    ['4444', 'timeout'],
    ['5555', 'garbage'],
  ])('a debit without a readable response (account %s: %s) is made once and can be queried', async (ending, why) => {
    const request = debitRequest(ending)
    expect(await failureReason((why === 'timeout' ? impatient : bank).debit(request))).toBe(why)
    expect(await bank.queryDebit(request.orderId)).toMatchObject({ state: 'ACCEPTED', amount: 13_908 })
    expect(await bank.debit(request)).toMatchObject({ state: 'ACCEPTED' })
    expect(await entries(request.orderId)).toHaveLength(1)
  })

  it('refunds a debit once, and only in full', async () => {
    const request = debitRequest('0000')
    await bank.debit(request)
    expect(await bank.refund({ ...request, amount: 1 })).toMatchObject({ done: false, code: 'X03' })
    for (const _ of [1, 2]) expect(await bank.refund(request)).toMatchObject({ done: true })
    expect(await entries(request.orderId)).toMatchObject([{ credited_at: now }])
  })

  it('lists returns once they are due, after a cursor, also after a restart', async () => {
    const late = debitRequest('3333')
    await bank.debit(late)
    const before = await bank.returnsSince('')
    expect(before.filter((debit) => debit.orderId === late.orderId)).toEqual([])
    now += RETURNED_AFTER_MS
    const [first] = (await bank.returnsSince('')).filter((debit) => debit.orderId === late.orderId)
    expect(first).toMatchObject({ code: 'R01', description: 'Insufficient funds', amount: 13_908, at: now })
    const ordered = debitRequest('0000')
    await bank.debit(ordered)
    const send = (orderId: string, key = FAULT_KEY) =>
      fetch(`${sandbox.url}/sandbox/bank/returns`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify({ orderId, code: 'R10' }),
      }).then((answer) => answer.status)
    expect(await send(ordered.orderId, 'another')).toBe(401)
    expect(await send('no-such-order')).toBe(409)
    expect(await send(ordered.orderId)).toBe(201)
    expect(await bank.refund(ordered)).toMatchObject({ done: false, code: 'X02' })
    await sandbox.close()
    await open()
    expect(await bank.returnsSince(first?.cursor ?? '')).toMatchObject([{ orderId: ordered.orderId, code: 'R10' }])
    expect(await bank.queryDebit(ordered.orderId)).toMatchObject({ state: 'RETURNED', code: 'R10' })
  })

  it('reports the bank as unavailable after a wrong key, HTTP 500, no connection, and a garbled or too long response', async () => {
    const { url } = sandbox
    expect(await failureReason(httpBank({ url: `${url}/bank`, key: 'wrong' }).queryDebit('order-0001'))).toBe('status')
    for (const [kind, why] of [
      ['500', 'status'],
      ['down', 'refused'],
      ['garbage', 'garbage'],
    ] as const) {
      await fetch(`${url}/sandbox/faults`, {
        method: 'POST',
        headers: { authorization: `Bearer ${FAULT_KEY}` },
        body: JSON.stringify({ orderId: '*', kind, on: 'bank' }),
      })
      expect(await failureReason(bank.returnsSince(''))).toBe(why)
    }
    const flooding = await serverForTests(
      (_, response) => void response.end(JSON.stringify({ returns: [], more: 'x'.repeat(600_000) })),
      onTestFinished,
    )
    expect(await failureReason(httpBank({ url: flooding, key: 'any' }).returnsSince(''))).toBe('garbage')
    const other = { order_id: 'order-0002', state: 'ACCEPTED', amount: 100 }
    const confused = await serverForTests((_, response) => void response.end(JSON.stringify(other)), onTestFinished)
    expect(await failureReason(httpBank({ url: confused, key: 'any' }).queryDebit('order-0001'))).toBe('garbage')
    const unreachable = httpBank({ url: 'http://127.0.0.1:9/bank', key: 'any' })
    expect(await failureReason(unreachable.validateAccount(account('0000')))).toBe('refused')
  })
})
