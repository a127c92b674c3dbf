import * as v from 'valibot'
import { type StepDetails, stepNames } from '../../../domain/office/liens.ts'
import { formatUs, parseUs } from '../../../domain/plain-date.ts'
import { audit, staffActor } from '../../../platform/audit/audit.ts'
import { type Callers, staffOf } from '../../../platform/operations/callers.ts'
import { lines, locationCode, required, uuid } from '../../../platform/operations/input-fields.ts'
import { notOnFile } from '../../../platform/operations/operation.ts'
import { type Outcome, refuse } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { isMoneyOnItsWay } from '../../payments/on-its-way.ts'
import { type ActTools, officeAct } from '../../staff/run-office-operation.ts'
import { setFlag } from '../../tenants/flags.ts'
import { caseById } from '../cases.ts'
import { endCase } from '../close-case.ts'
import { type KeptProof, keepProof, noProof, proofTypeOf } from '../proof-file.ts'
import { insertStep, judgeStep, type LockedCase, lockCase, type StepGiven } from '../record.ts'
import * as say from '../texts/liens.ts'

export type Tx = Parameters<Parameters<typeof officeAct>[3]>[0]

export const ofCase = {
  location_code: locationCode(),
  case_id: uuid(),
  /** `markOf` what the form showed. */
  made_from: required(200),
}

export const example = {
  location_code: 'ATL01',
  case_id: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c16',
  made_from: 'open:',
}

export const note = v.optional(lines(500), '')

export const refuseMoneyOnItsWay = async (
  tx: Tx,
  { refuse: end }: Pick<ActTools, 'refuse'>,
  lease: LockedCase['lease'],
) => {
  if (await isMoneyOnItsWay(tx, lease)) end(refuse(409, 'money_on_its_way', say.paymentOnItsWay))
}

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

export async function recordStep(services: Services, callers: Callers, input: Recorded): Promise<Outcome<unknown>> {
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
    const { staffId } = staffOf(callers)
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
