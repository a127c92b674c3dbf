/** Test sandbox of card provider and bank over loopback, with faults that can be injected and a ledger of charges. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import type { Bank } from '../../ports/bank/bank.ts'
import { httpBank } from '../../ports/bank/http.ts'
import { SANDBOX_CREDENTIALS, type Sandbox, startSandbox } from '../../sandbox/server.ts'
import { noon } from '../../tests/support/small-operator.ts'

const FAULT_KEY = 'only for these tests'
const FIRST_PORT = 3990
const LAST_PORT = 3999
/** Ending of account numbers for whose first debit call the sandbox's bank takes the money and does not respond. */
const SILENT_ENDING = '4444'

export interface PaymentSandbox {
  sandbox: Sandbox
  /** The sandbox's bank, over HTTP as in production. Only debit calls for its silent account have a short timeout. */
  bank: Bank
  clock: { now: number }
  fault(fault: { kind: 'down' | 'slow' | 'garbage' | '500' | 'lost'; on: string; times?: number }): Promise<void>
  /** Returns how much, in cents, and how often the provider has charged and refunded an order. */
  moved(orderId: string): Promise<{ charged: number; charges: number; returned: number; returns: number }>
  close(): Promise<void>
}

async function openPaymentSandbox(): Promise<PaymentSandbox> {
  const dataDir = mkdtempSync(join(tmpdir(), 'paying-'))
  const clock = { now: noon }
  let sandbox: Sandbox | undefined
  for (let port = FIRST_PORT; !sandbox; port++) {
    try {
      sandbox = await startSandbox({
        port,
        dataDir: join(dataDir, String(port)),
        slowMs: 4000,
        faultKey: FAULT_KEY,
        clock: { now: () => clock.now },
      })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || port === LAST_PORT) throw error
    }
  }
  const { url } = sandbox
  const till = sandbox
  const bankAddress = { url: `${url}/bank`, key: SANDBOX_CREDENTIALS.authKey }
  const patientBank = httpBank(bankAddress)
  const impatientBank = httpBank({ ...bankAddress, timeoutMs: 400 })
  return {
    sandbox,
    // A call without a response lasts the whole timeout, so debits of the silent account have a short one.
    bank: {
      ...patientBank,
      debit: (request) =>
        (request.account.account.endsWith(SILENT_ENDING) ? impatientBank : patientBank).debit(request),
    },
    clock,
    async fault({ kind, on, times = 1 }) {
      const response = await fetch(`${url}/sandbox/faults`, {
        method: 'POST',
        headers: { authorization: `Bearer ${FAULT_KEY}` },
        body: JSON.stringify({ orderId: '*', kind, on, times }),
      })
      expect(response.status).toBe(201)
    },
    async moved(orderId) {
      const response = await fetch(`${url}/sandbox/ledger?orderId=${orderId}`)
      const { orders } = (await response.json()) as {
        orders: { charges: { cents: number }[]; returns: { cents: number }[] }[]
      }
      const charges = orders.flatMap((order) => order.charges)
      const returns = orders.flatMap((order) => order.returns)
      const sum = (rows: { cents: number }[]) => rows.reduce((total, row) => total + row.cents, 0)
      return { charged: sum(charges), charges: charges.length, returned: sum(returns), returns: returns.length }
    },
    async close() {
      await fetch(`${url}/sandbox/faults`, { method: 'DELETE', headers: { authorization: `Bearer ${FAULT_KEY}` } })
      await till.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/**
 * Opens a payment sandbox and a temporary folder for the tests of one file, and removes both after the tests. Call it
 * at the file's top level.
 * @param name prefix of the folder's name
 */
export function sandboxForTests(name: string): { till: PaymentSandbox; folder: string } {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`))
  const till = {} as PaymentSandbox
  beforeAll(async () => {
    Object.assign(till, await openPaymentSandbox())
  })
  afterAll(async () => {
    await till.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return { till, folder }
}

interface BankDebit {
  order_id: string
  state: string
  amount: number
  credited_at: number | null
}

export async function bankDebits(till: PaymentSandbox): Promise<BankDebit[]> {
  const response = await fetch(`${till.sandbox.url}/sandbox/bank/ledger`)
  return ((await response.json()) as { debits: BankDebit[] }).debits
}
