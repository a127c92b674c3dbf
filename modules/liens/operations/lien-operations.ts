/** Lien cases as the office works them. They stand here, since money on its way keeps a case from opening, and a unit from its sale. */
import * as v from 'valibot'
import { type CopyTo, lienSteps, type StepDetails, stepNames } from '../../../domain/office/liens.ts'
import { formatUs, parseUs } from '../../../domain/plain-date.ts'
import * as say from '../../../domain/texts/liens.ts'
import { audit, staffActor } from '../../../platform/audit/audit.ts'
import { type Callers, may, type StaffCaller } from '../../../platform/operations/callers.ts'
import {
  flag,
  lines,
  locationCode,
  optional,
  plainLine,
  required,
  uuid,
  webAddress,
} from '../../../platform/operations/input-fields.ts'
import { internalOperation, notOnFile } from '../../../platform/operations/operation.ts'
import { type Outcome, refuse, succeed } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { isMoneyOnItsWay } from '../../ledger/operations/write-off-operations.ts'
import { auctionLinkIn } from '../../links/links.ts'
import { type ActTools, officeAct } from '../../staff/run-office-operation.ts'
import { holdsForTenant } from '../../staff/tasks.ts'
import { lockForAct, ofLease, signedCents } from '../../standing/adjustments.ts'
import { setFlag } from '../../tenants/flags.ts'
import { caseById, type LienStepRow } from '../cases.ts'
import { endCase } from '../close-case.ts'
import { type KeptProof, keepProof, noProof, proofTypeOf, readProof } from '../proof-file.ts'
import {
  decideStep,
  insertStep,
  judgeStep,
  type LockedCase,
  lockCase,
  markSold,
  openCase,
  type StepGiven,
} from '../record.ts'

type Tx = Parameters<Parameters<typeof officeAct>[3]>[0]

const ofCase = {
  location_code: locationCode(),
  case_id: uuid(),
  /** `markOf` what the form showed. */
  made_from: required(200),
}
const example = {
  location_code: 'ATL01',
  case_id: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c16',
  made_from: 'open:',
}
const note = v.optional(lines(500), '')

const refuseMoneyOnItsWay = async (tx: Tx, { refuse: end }: Pick<ActTools, 'refuse'>, lease: LockedCase['lease']) => {
  if (await isMoneyOnItsWay(tx, lease)) end(refuse(409, 'money_on_its_way', say.paymentOnItsWay))
}

export const OpenLienCase = internalOperation({
  name: 'OpenLienCase',
  access: { staff: may('lien.step') },
  input: v.object({
    ...ofLease,
    balance: signedCents,
    newest_entry: v.pipe(plainLine, v.maxLength(80)),
    reason: optional(300),
  }),
  example: {
    input: {
      location_code: 'ATL01',
      tenant_id: 1001,
      lease_number: 10001,
      balance: 25000,
      newest_entry: '',
    },
  },
  run: (services, input, callers) => {
    const about = { input, tenantId: input.tenant_id, leaseNumber: input.lease_number }
    const called = { operation: 'OpenLienCase', permission: 'lien.step', ...about } as const
    return officeAct(services, callers, called, async (tx, tools) => {
      const lease = await lockForAct(tx, tools, input, input)
      await refuseMoneyOnItsWay(tx, tools, lease)
      const { staffId } = callers.staff as StaffCaller
      const { caseId, rules } = await openCase(tx, services, tools, lease, staffId)
      return {
        done: { case_id: caseId },
        event: { kind: 'lien.opened', details: { unit: lease.unit_number, rules }, subject: caseId },
      }
    })
  },
})

/** '' for today. */
const day = v.pipe(plainLine, v.trim(), v.maxLength(20))

export const RecordLienStep = internalOperation({
  name: 'RecordLienStep',
  access: {
    // Who looks at the door on the day before may be of the field.
    staff: (caller, input: { location_code: string; step: string }) =>
      may(input.step === 'check' ? 'lien.photograph' : 'lien.step')(caller, input),
  },
  input: v.object({
    ...ofCase,
    step: v.picklist(lienSteps.filter((step) => step !== 'sale' && step !== 'surplus')),
    done_on: v.optional(day, ''),
    way: v.optional(v.pipe(plainLine, v.maxLength(40)), ''),
    proof: webAddress(300),
    answered: v.optional(flag(), '0'),
    copies: v.optional(v.array(v.picklist(['agent', 'lien holder'])), []),
    ticks: v.optional(v.array(v.pipe(plainLine, v.maxLength(20))), []),
    note,
    file: v.optional(v.nullable(v.instance(Uint8Array)), null),
  }),
  example: { input: { ...example, step: 'notice', done_on: '', way: 'verified mail', proof: '9407 1000' } },
  run: (services, input, callers) => {
    const { proof, answered, copies, ...rest } = input
    const details: StepDetails = {
      ...(proof && { proof }),
      ...(input.step === 'notice' && { answered, copies: copies as CopyTo[] }),
    }
    return recordStep(services, callers, { ...rest, details })
  },
})

interface Recorded {
  location_code: string
  case_id: string
  made_from: string
  step: StepGiven['step']
  done_on: string
  way: string
  ticks: string[]
  note: string
  file: Uint8Array | null
  details: StepDetails
}

async function recordStep(services: Services, callers: Callers, input: Recorded): Promise<Outcome<unknown>> {
  const bytes = input.file !== null && input.file.byteLength > 0 ? input.file : null
  const type = bytes && proofTypeOf(bytes)
  if (bytes && !type)
    return refuse(400, 'invalid_input', 'Please check the form.', { fields: { file: say.proofNeeded } })
  const stepId = services.random.uuid()
  const name = `${input.step}-${input.case_id.slice(0, 8)}`
  // The file first: a row never names a file that is not there.
  const proof =
    bytes && type
      ? await keepProof(services, { stepId, locationCode: input.location_code, name, bytes, type })
      : noProof
  const done = await writeStep(services, callers, input, { stepId, proof })
  if (!done.ok && proof.file_key !== null) await services.files.delete(proof.file_key)
  return done
}

async function writeStep(
  services: Services,
  callers: Callers,
  input: Recorded,
  { stepId, proof }: { stepId: string; proof: KeptProof },
) {
  const permission = input.step === 'check' ? 'lien.photograph' : input.step === 'sale' ? 'lien.sale' : 'lien.step'
  const known = await caseById(services, input.case_id)
  if (known?.row.location_code !== input.location_code) return notOnFile
  const of = { tenantId: known.row.tenant_id, leaseNumber: known.row.lease_number }
  const called = { operation: 'RecordLienStep', permission, input: { ...input, reason: input.note }, ...of } as const
  return officeAct(services, callers, called, async (tx, tools) => {
    const locked = await lockCase(tx, services, tools, input)
    const { lien, lease } = locked
    const doneOn = input.done_on === '' ? lien.today : (parseUs(input.done_on) ?? '')
    if (doneOn === '')
      tools.refuse(refuse(400, 'invalid_input', 'Please check the form.', { fields: { done_on: 'Enter a date.' } }))
    const given: StepGiven = { ...input, doneOn, hasFile: proof.file_key !== null }
    judgeStep(tools, lien, given)
    if (given.step === 'check' || given.step === 'sale') await refuseMoneyOnItsWay(tx, tools, lease)
    const { staffId } = callers.staff as StaffCaller
    await insertStep(tx, services, lien, { ...given, stepId, staffId, proof })
    if (given.step === 'military' && given.way === 'serving') await stopForService(tx, services, callers, locked)
    const unit = lease.unit_number
    return {
      done: { step_id: stepId },
      event: {
        kind: 'lien.recorded',
        subject: lien.row.case_id,
        details: { what: stepNames[given.step], unit, on: formatUs(doneOn) },
      },
    }
  })
}

/** Only a court may order the sale: the tenant is marked, and the case stops. */
async function stopForService(tx: Tx, services: Services, callers: Callers, { lease }: LockedCase): Promise<void> {
  const by = staffActor(callers)
  const of = { locationCode: lease.location_code, tenantId: lease.tenant_id }
  const today = (await caseById(services, lease.lien_case as string, tx))?.today ?? ''
  await setFlag(tx, services, { ...of, flag: 'military', note: say.serviceMember, staffId: by.staff.staffId })
  await endCase(tx, services, lease, { state: 'stopped', by: by.staff.staffId, because: say.serviceMember, today })
  await audit(tx, services, by, {
    kind: 'flag.set',
    details: { flag: 'military' },
    reason: say.serviceMember,
    ...of,
  })
}

/** A second person looks at what the first has recorded: confirmed, it counts; a confirmed sale makes the winner's link. */
export const DecideLienStep = internalOperation({
  name: 'DecideLienStep',
  access: { staff: may('lien.step') },
  freshFactor: true,
  input: v.object({
    ...ofCase,
    step_id: uuid(),
    decision: v.picklist(['confirm', 'refuse']),
    reason: optional(300),
  }),
  example: {
    input: { ...example, step_id: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c17', decision: 'confirm' },
  },
  async run(services, input, callers) {
    const known = await caseById(services, input.case_id)
    if (known?.row.location_code !== input.location_code) return notOnFile
    const of = { tenantId: known.row.tenant_id, leaseNumber: known.row.lease_number }
    const called = { operation: 'DecideLienStep', permission: 'lien.step', input, ...of } as const
    return officeAct(services, callers, called, async (tx, tools) => {
      const locked = await lockCase(tx, services, tools, input)
      const { lien, lease } = locked
      const confirm = input.decision === 'confirm'
      const { staffId } = callers.staff as StaffCaller
      const step = await decideStep(tx, services, tools, lien, { staffId, stepId: input.step_id, confirm })
      const link = confirm ? await confirmed(tx, services, tools, locked, step) : null
      const details = { what: stepNames[step.step], unit: lease.unit_number }
      return {
        done: { link },
        event: { kind: confirm ? 'lien.confirmed' : 'lien.refused', details, subject: lien.row.case_id },
      }
    })
  },
})

/** What was true when the first looked has to be true still. @returns the winner's link, of a sale */
async function confirmed(
  tx: Tx,
  services: Services,
  tools: Pick<ActTools, 'refuse'>,
  { lien, lease }: LockedCase,
  step: LienStepRow,
): Promise<string | null> {
  if (lien.blocks.length > 0) tools.refuse(refuse(409, 'blocked', say.blockedBy(lien.blocks)))
  await refuseMoneyOnItsWay(tx, tools, lease)
  if (step.step === 'check') {
    if (step.done_on !== lien.today) tools.refuse(refuse(409, 'too_old', say.checkedTooLong))
    return null
  }
  const { winner } = JSON.parse(step.details) as StepDetails
  if (!winner) throw new Error(`The sale ${step.step_id} names no winner`)
  const of = { locationCode: lease.location_code, unitNumber: lease.unit_number }
  const made = await auctionLinkIn(tx, services, { ...of, ...winner })
  if (!made.ok) return tools.refuse(refuse(409, 'no_link', made.why))
  await markSold(tx, lien.row.case_id, made.uuid)
  return made.path
}

/** The sale as it was held: a second person confirms it, and the winner's link is made. */
export const CloseSale = internalOperation({
  name: 'CloseSale',
  access: { staff: may('lien.sale') },
  freshFactor: true,
  input: v.object({
    ...ofCase,
    name: required(100),
    email: optional(254),
    city: optional(60),
    zip: optional(10),
    cents: signedCents,
    note,
  }),
  example: {
    input: { ...example, name: 'Otis Brandt', email: 'otis@example.com', city: 'Atlanta', zip: '30318', cents: 42000 },
  },
  run(services, { name, email, city, zip, cents, ...input }, callers) {
    const details = { winner: { name, email, city, zip, cents } }
    const sale = { step: 'sale', done_on: '', way: '', ticks: [], file: null } as const
    return recordStep(services, callers, { ...input, ...sale, ticks: [], details })
  },
})

export const StopLienCase = internalOperation({
  name: 'StopLienCase',
  access: { staff: may('lien.step') },
  input: v.object({ ...ofCase, reason: required(300) }),
  example: { input: { ...example, reason: 'Agreed on payments' } },
  async run(services, input, callers) {
    const known = await caseById(services, input.case_id)
    if (known?.row.location_code !== input.location_code) return notOnFile
    const of = { tenantId: known.row.tenant_id, leaseNumber: known.row.lease_number }
    const called = { operation: 'StopLienCase', permission: 'lien.step', input, ...of } as const
    return officeAct(services, callers, called, async (tx, tools) => {
      const { lien, lease } = await lockCase(tx, services, tools, input, ['open', 'sold'])
      const { staffId } = callers.staff as StaffCaller
      const end = { state: 'stopped', by: staffId, because: input.reason, today: lien.today } as const
      await endCase(tx, services, lease, end)
      return {
        done: { stopped: true },
        event: {
          kind: 'lien.stopped',
          subject: lien.row.case_id,
          details: { unit: lease.unit_number, why: input.reason },
        },
      }
    })
  },
})

/** A proof of a step. Who has opened it stands in the audit before it is handed out. */
export const OpenLienProof = internalOperation({
  name: 'OpenLienProof',
  access: { staff: may('file.read') },
  input: v.object({ location_code: locationCode(), case_id: uuid(), step_id: uuid() }),
  example: {
    input: {
      location_code: 'ATL01',
      case_id: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c16',
      step_id: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c17',
    },
  },
  async run(services, input, callers) {
    const lien = await caseById(services, input.case_id)
    const step = lien?.steps.find((one) => one.step_id === input.step_id)
    if (!lien || !step || lien.row.location_code !== input.location_code) return notOnFile
    const of = { locationCode: input.location_code, tenantId: lien.row.tenant_id }
    // Who photographs the door sees the photographs; the other proofs stand in the tenant's file.
    const sees =
      step.step === 'check' || (await holdsForTenant(services.db.read, callers.staff as StaffCaller, 'file.read', of))
    if (!sees) return notOnFile
    const file = await readProof(services, step)
    if (!file) return notOnFile
    await services.db.transaction((tx) =>
      audit(tx, services, staffActor(callers), {
        kind: 'document.opened',
        details: { what: `proof of ${stepNames[step.step].toLowerCase()}` },
        permission: 'file.read',
        ...of,
        leaseNumber: lien.row.lease_number,
        subject: step.step_id,
      }),
    )
    return succeed(file)
  },
})

export const lienOperations = [OpenLienCase, RecordLienStep, DecideLienStep, CloseSale, StopLienCase, OpenLienProof]
