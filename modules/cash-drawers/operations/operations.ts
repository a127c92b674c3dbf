/** Operations of money by hand. */
import * as v from 'valibot'
import { format } from '../../../domain/money.ts'
import {
  counterMethods,
  differenceReasons,
  formatDifference,
  LEASES_OF_RECEIPT,
  paidByHand,
  RECEIPT_MOST,
  returnReasons,
} from '../../../domain/office/counter.ts'
import { reasonText } from '../../../domain/office/reasons.ts'
import { amountNeeded, amountTooLarge, nothingEntered, numberNeeded } from '../../../domain/texts/counter.ts'
import { audit, staffActor } from '../../../platform/audit/audit.ts'
import { may, type StaffCaller } from '../../../platform/operations/callers.ts'
import { date, integer, locationCode, optional, plainLine } from '../../../platform/operations/input-fields.ts'
import { internalOperation, notOnFile } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { facilityFacts } from '../../facilities/facts.ts'
import { officeAct } from '../../staff/run-office-operation.ts'
import { reasonField, signedCents, unexplained } from '../../standing/adjustments.ts'
import { closeDrawer, matchDeposit, openDrawer } from '../close-drawer.ts'
import { receive } from '../receive.ts'
import { drawerFor, receiptsIn } from '../views/receipt-lists.ts'
import { returnCheck, voidReceipt } from '../void-receipt.ts'

/** An amount as it was typed, in cents. */
const cents = v.pipe(
  v.number(amountNeeded),
  v.safeInteger(amountNeeded),
  v.minValue(0, amountNeeded),
  v.maxValue(RECEIPT_MOST, amountTooLarge(RECEIPT_MOST)),
)
const batchId = v.pipe(v.string(), v.regex(/^[A-Z0-9]{4,24}$/, 'Choose a drawer.'))
const receiptId = v.pipe(v.string(), v.regex(/^RC[A-Z0-9]{4,24}$/, 'must be a receipt'))
const preview = v.optional(v.boolean(), false)
const invalid = (fields: Record<string, string>) => refuse(400, 'invalid_input', 'Please check the form.', { fields })
const drawer = { location_code: 'ATL01', batch_id: 'DR5A1F1A68' }
const receipt = { location_code: 'ATL01', receipt_id: 'RC5A1F1A6801' }

export const OpenDrawer = internalOperation({
  name: 'OpenDrawer',
  access: { staff: may('drawer.count') },
  input: v.object({ location_code: locationCode(), float: cents }),
  example: { input: { location_code: 'ATL01', float: 10_000 } },
  run: (services, input, callers) =>
    officeAct(
      services,
      callers,
      { operation: 'OpenDrawer', input: { ...input, reason: '' }, permission: 'drawer.count' },
      async (tx, tools) => {
        const of = { locationCode: input.location_code, float: input.float }
        const batch_id = await openDrawer(tx, services, callers.staff as StaffCaller, tools, of)
        const event = { kind: 'drawer.opened', details: { float: format(input.float) }, subject: batch_id } as const
        return { done: { batch_id }, event }
      },
    ),
})

export const ReceivePayment = internalOperation({
  name: 'ReceivePayment',
  access: { staff: may('payment.receive') },
  input: v.object({
    location_code: locationCode(),
    tenant_id: integer(),
    batch_id: batchId,
    method: v.picklist(counterMethods, 'must be check, cash or money_order'),
    check_number: v.pipe(optional(30), v.regex(/^[A-Za-z0-9 -]*$/, 'must be letters and digits')),
    leases: v.pipe(
      v.array(
        v.object({
          lease_number: integer(),
          cents,
          balance: signedCents,
          newest_entry: v.pipe(plainLine, v.maxLength(80)),
        }),
      ),
      v.minLength(1, nothingEntered),
      v.maxLength(LEASES_OF_RECEIPT),
    ),
    preview,
  }),
  example: {
    input: {
      location_code: 'ATL01',
      tenant_id: 1001,
      batch_id: drawer.batch_id,
      method: 'check',
      check_number: '1042',
      leases: [{ lease_number: 10001, cents: 10_069, balance: 10_069, newest_entry: '' }],
    },
  },
  async run(services, input, callers) {
    const { method, check_number } = input
    const leases = input.leases.filter((one) => one.cents > 0)
    if (leases.length === 0) return invalid({ leases: nothingEntered })
    if (method !== 'cash' && check_number === '' && !input.preview) return invalid({ check_number: numberNeeded })
    if (new Set(leases.map((one) => one.lease_number)).size < leases.length) return invalid({ leases: nothingEntered })
    if (leases.reduce((sum, one) => sum + one.cents, 0) > RECEIPT_MOST)
      return invalid({ leases: amountTooLarge(RECEIPT_MOST) })
    const handed = { ...input, leases, check_number: method === 'cash' ? '' : check_number }
    const [first] = leases
    return officeAct(
      services,
      callers,
      {
        operation: 'ReceivePayment',
        input: { ...handed, reason: '' },
        permission: 'payment.receive',
        tenantId: input.tenant_id,
        ...(first && { leaseNumber: first.lease_number }),
      },
      async (tx, tools) => {
        const done = await receive(tx, services, callers, tools, handed)
        const units = done.leases.map((one) => one.unitNumber).join(', ')
        return {
          done,
          event: {
            kind: 'payment.received',
            details: { how: paidByHand(method, handed.check_number), units, drawer: input.batch_id },
            subject: done.receiptId,
            cents: done.cents,
          },
        }
      },
    )
  },
})

export const VoidReceipt = internalOperation({
  name: 'VoidReceipt',
  access: { staff: may('receipt.void') },
  input: v.object({
    location_code: locationCode(),
    receipt_id: receiptId,
    reason: reasonField('void'),
    note: optional(300),
    preview,
  }),
  example: { input: { ...receipt, reason: 'wrong-amount', note: '' } },
  async run(services, input, callers) {
    const missing = unexplained(input)
    if (missing) return missing
    const why = input.reason === '' ? '' : reasonText(input.reason, input.note)
    return officeAct(
      services,
      callers,
      { operation: 'VoidReceipt', input, permission: 'receipt.void', why },
      async (tx, tools) => {
        const done = await voidReceipt(tx, services, callers, tools, input)
        return {
          done,
          event: {
            kind: 'receipt.voided',
            details: { how: paidByHand(done.method, done.checkNumber) },
            subject: done.receiptId,
            cents: done.cents,
            tenantId: done.tenantId,
          },
        }
      },
    )
  },
})

export const ReturnCheck = internalOperation({
  name: 'ReturnCheck',
  access: { staff: may('check.return') },
  input: v.object({
    location_code: locationCode(),
    receipt_id: receiptId,
    bank_reason: v.picklist(Object.keys(returnReasons) as (keyof typeof returnReasons)[], 'must be a reason'),
    fee: v.boolean(),
    note: optional(300),
    preview,
  }),
  example: { input: { ...receipt, bank_reason: 'nsf', fee: true, note: '' } },
  async run(services, input, callers) {
    const facts = (await facilityFacts(services, [input.location_code])).get(input.location_code)
    const reason = `${returnReasons[input.bank_reason]}${input.note === '' ? '' : `: ${input.note}`}`
    return officeAct(
      services,
      callers,
      { operation: 'ReturnCheck', input: { ...input, reason }, permission: 'check.return' },
      async (tx, tools) => {
        const done = await returnCheck(tx, services, callers, tools, input, input.fee ? facts : undefined)
        return {
          done,
          event: {
            kind: 'check.returned',
            details: { how: paidByHand(done.method, done.checkNumber), fee: input.fee },
            subject: done.receiptId,
            cents: done.cents,
            tenantId: done.tenantId,
          },
        }
      },
    )
  },
})

export const CloseDrawer = internalOperation({
  name: 'CloseDrawer',
  access: { staff: may('drawer.count') },
  input: v.object({
    location_code: locationCode(),
    batch_id: batchId,
    cash: cents,
    checks: cents,
    money_orders: cents,
    system: signedCents,
    receipts: integer(),
    difference_reason: v.union(
      [v.literal(''), v.picklist(Object.keys(differenceReasons) as (keyof typeof differenceReasons)[])],
      'must be a reason',
    ),
    note: optional(300),
    bag_number: optional(40),
  }),
  example: {
    input: {
      ...drawer,
      cash: 31_000,
      checks: 110_400,
      money_orders: 12_900,
      system: 154_500,
      receipts: 12,
      difference_reason: 'short_change',
      note: '',
      bag_number: '70031',
    },
  },
  run: (services, input, callers) =>
    officeAct(
      services,
      callers,
      { operation: 'CloseDrawer', input: { ...input, reason: input.note }, permission: 'drawer.count' },
      async (tx, tools) => {
        const counted = { cash: input.cash, check: input.checks, money_order: input.money_orders }
        const done = await closeDrawer(tx, services, callers.staff as StaffCaller, tools, { ...input, counted })
        const { deposit, difference } = done
        const why = input.difference_reason === '' ? '' : differenceReasons[input.difference_reason]
        return {
          done: { deposit, difference },
          event: {
            kind: 'drawer.closed',
            details: { deposit: format(deposit), difference: formatDifference(difference), why },
            subject: input.batch_id,
            cents: difference,
          },
        }
      },
    ),
})

export const MatchDeposit = internalOperation({
  name: 'MatchDeposit',
  access: { staff: may('deposit.match') },
  input: v.object({
    location_code: locationCode(),
    batch_id: batchId,
    bank_cents: cents,
    bank_day: date(),
    note: optional(300),
  }),
  example: { input: { ...drawer, bank_cents: 154_300, bank_day: '2026-11-23', note: '' } },
  run: (services, input, callers) =>
    officeAct(
      services,
      callers,
      { operation: 'MatchDeposit', input: { ...input, reason: input.note }, permission: 'deposit.match' },
      async (tx, tools) => {
        const { difference } = await matchDeposit(tx, services, callers.staff as StaffCaller, tools, input)
        const bank = format(input.bank_cents)
        return {
          done: { difference },
          event: {
            kind: 'deposit.matched',
            details: { bank, difference: formatDifference(difference) },
            subject: input.batch_id,
            cents: input.bank_cents,
          },
        }
      },
    ),
})

/** A drawer's receipts as a file. The event stands before its first byte leaves. */
export const ExportDrawer = internalOperation({
  name: 'ExportDrawer',
  access: { staff: () => true },
  input: v.object({ batch_id: batchId }),
  example: { input: { batch_id: drawer.batch_id } },
  async run(services, { batch_id }, callers) {
    const found = await drawerFor(services.db.read, callers.staff as StaffCaller, batch_id)
    if (!found) return notOnFile
    const receipts = await receiptsIn(services.db.read, batch_id)
    await audit(services.db.write, services, staffActor(callers), {
      kind: 'drawer.exported',
      details: { receipts: `${receipts.length} ${receipts.length === 1 ? 'receipt' : 'receipts'}` },
      subject: batch_id,
      locationCode: found.drawer.location_code,
    })
    return succeed({ receipts })
  },
})

export const counterOperations = [
  OpenDrawer,
  ReceivePayment,
  VoidReceipt,
  ReturnCheck,
  CloseDrawer,
  MatchDeposit,
  ExportDrawer,
]
