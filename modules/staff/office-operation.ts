/** An operation of the office: limit, change and audit event in one transaction; above the limit, a request instead. */
import type { Kysely } from 'kysely'
import type * as v from 'valibot'
import type { Cents } from '../../domain/money.ts'
import type { AuditKind } from '../../domain/office/audit-events.ts'
import type { EntryReason } from '../../domain/office/reasons.ts'
import {
  type LimitedPermission,
  limitedPermissions,
  type Permission,
  twoPeoplePermissions,
} from '../../domain/office/roles.ts'
import { type AuditEvent, audit, staffActor } from '../../platform/audit/audit.ts'
import { type Callers, grantAt, may, type StaffCaller } from '../../platform/operations/callers.ts'
import { type FileButton, type InternalOperation, internalOperation } from '../../platform/operations/operation.ts'
import { type Outcome, type Refusal, Refused, succeed } from '../../platform/operations/outcome.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { type ActCalled, approveInAct, askForApproval } from './approvals.ts'
import { type Allowance, withinLimits } from './limits.ts'

/** What every operation of the office answers: done, waiting for a second person, or what it would do. */
export type OfficeAnswer<Done> =
  | { result: 'done'; approval_id: ''; done: Done }
  | { result: 'asked'; approval_id: string; done: null }
  | ({ result: 'preview'; approval_id: ''; done: Done } & Looked)

/** What a preview says beside what it would do. */
interface Looked {
  alone: boolean
  allowance: Allowance | null
  /** The records that it was made from, a line each: an approval brings them back. */
  seen: string
  /** Whether one of them has changed since the form. */
  moved: boolean
  cents: Cents
  summary: string
}

/** Rolls the transaction back: the act waits for a second person. */
class Asked extends Error {
  readonly approval: { cents: Cents; summary: string }

  constructor(approval: { cents: Cents; summary: string }) {
    super('asked')
    this.approval = approval
  }
}

/** Rolls a preview back and carries what it would have done. */
class Previewed<Done> extends Error {
  readonly done: Done

  constructor(done: Done) {
    super('preview')
    this.done = done
  }
}

/** What the work of an operation is given: its transaction, who calls, and the steps that each of them takes. */
export interface OfficeAct {
  tx: Kysely<Tables>
  services: Services
  callers: Callers
  staff: StaffCaller
  /**
   * Goes on where the person may do this alone or a second one has approved it; else the act becomes a request.
   * Called after the state was read and locked, before anything is written.
   */
  authorise(cents: Cents, summary: string): Promise<void>
  /** Whether a record, in one line, stands as it did for the form, or for the page of who approves; a preview takes it as it is. */
  stands(now: string, asMade: string): boolean
  /** Writes the event; facility, permission, authorised amount and reason are added. */
  audit(event: AuditEvent): Promise<void>
}

const isLimited = (permission: Permission): permission is LimitedPermission =>
  (limitedPermissions as readonly Permission[]).includes(permission)

/** Acts without limits, of who holds them with 'yes', go on without asking. */
const needsNoWord = (staff: StaffCaller, permission: Permission, locationCode: string): boolean =>
  !isLimited(permission) &&
  !twoPeoplePermissions.includes(permission) &&
  grantAt(staff, permission, locationCode) === 'yes'

async function mayAlone(
  tx: Kysely<Tables>,
  services: Services,
  staff: StaffCaller,
  { permission, locationCode, cents }: { permission: Permission; locationCode: string; cents: Cents },
): Promise<{ alone: boolean; allowance: Allowance | null }> {
  if (isLimited(permission)) return withinLimits(tx, services, staff, { permission, locationCode, cents })
  return { alone: !twoPeoplePermissions.includes(permission), allowance: null }
}

const nothingLooked = (): Looked => ({ alone: true, allowance: null, seen: '', moved: false, cents: 0, summary: '' })

/** The steps of one act, and what they have found so far. */
function beginAct(tx: Kysely<Tables>, services: Services, callers: Callers, called: ActCalled) {
  const { permission, input } = called
  const { staff, approval, seen = '' } = callers
  if (!staff) throw new Error('No person of the office calls')
  const looked = nothingLooked()
  let authorised: Cents | null = needsNoWord(staff, permission, input.location_code) ? 0 : null
  let audited = false
  const act: OfficeAct = {
    tx,
    services,
    callers,
    staff,
    async authorise(cents, summary) {
      Object.assign(looked, { cents, summary })
      if (approval) {
        const shown = input.preview === true || seen !== ''
        const refused = await approveInAct(tx, services, callers, {
          ...called,
          approvalId: approval,
          cents,
          summary,
          shown,
        })
        if (refused) throw new Refused(refused)
      } else {
        const { location_code: locationCode } = input
        Object.assign(looked, await mayAlone(tx, services, staff, { permission, locationCode, cents }))
        if (!looked.alone && !input.preview) throw new Asked({ cents, summary })
      }
      authorised = cents
    },
    stands(now, asMade) {
      looked.seen = [...looked.seen.split('\n').filter(Boolean), now].join('\n')
      looked.moved ||= now !== asMade
      if (approval && input.preview) return true
      return approval && seen !== '' ? seen.split('\n').includes(now) : now === asMade
    },
    async audit(event) {
      audited = true
      await audit(tx, services, staffActor(callers), {
        ...event,
        ...aboutAct(called),
        // The day's limit is summed from it.
        ...(isLimited(permission) && { cents: authorised ?? 0 }),
        outcome: approval ? 'approved' : 'done',
      })
    },
  }
  /** A missing call is a bug that must not move money. */
  const checkSteps = () => {
    if (authorised === null) throw new Error(`${called.operation} did not ask whether it may`)
    if (!audited) throw new Error(`${called.operation} wrote no audit event`)
  }
  return { act, looked, checkSteps }
}

/**
 * Runs the work of an operation in a transaction; with `preview` in its input it is rolled back and answers what it would
 * have done. @returns the answer; what `work` throws as `Refused`
 */
export async function runOfficeAct<Done>(
  services: Services,
  callers: Callers,
  called: ActCalled,
  work: (act: OfficeAct) => Promise<Done>,
): Promise<Outcome<OfficeAnswer<Done>>> {
  let looked = nothingLooked()
  try {
    return await services.db.transaction(async (tx) => {
      const begun = beginAct(tx, services, callers, called)
      looked = begun.looked
      const done = await work(begun.act)
      begun.checkSteps()
      if (called.input.preview) throw new Previewed(done)
      return succeed<OfficeAnswer<Done>>({ result: 'done', approval_id: '', done })
    })
  } catch (error) {
    if (error instanceof Refused) return error.refusal
    if (error instanceof Previewed)
      return succeed<OfficeAnswer<Done>>({ result: 'preview', approval_id: '', done: error.done as Done, ...looked })
    if (error instanceof Asked) return ask(services, callers, called, error.approval)
    throw error
  }
}

const aboutAct = ({ permission, input, why, tenantId, leaseNumber }: ActCalled) => ({
  permission,
  locationCode: input.location_code,
  reason: why,
  ...(tenantId !== undefined && { tenantId }),
  ...(leaseNumber !== undefined && { leaseNumber }),
})

/** The act was rolled back; its request is written in a transaction of its own. */
async function ask<Done>(
  services: Services,
  callers: Callers,
  called: ActCalled,
  { cents, summary }: { cents: Cents; summary: string },
): Promise<Outcome<OfficeAnswer<Done>>> {
  const approvalId = await services.db.transaction((tx) =>
    askForApproval(tx, services, callers, { ...called, cents, summary }),
  )
  return succeed<OfficeAnswer<Done>>({ result: 'asked', approval_id: approvalId, done: null })
}

/** Whom and what an act is about, for its audit event and its request. */
export interface About {
  tenantId?: number
  leaseNumber?: number
  /** The reason in words. */
  why?: string
}

/** Fields that inputs of the office share; those that an operation does not take are missing. */
type AnyInput = {
  location_code: string
  tenant_id?: number
  lease_number?: number
  reason?: string
  preview?: boolean
}

const aboutInput = ({ tenant_id, lease_number, reason = '' }: AnyInput): About => ({
  ...(tenant_id !== undefined && { tenantId: tenant_id }),
  ...(lease_number !== undefined && { leaseNumber: lease_number }),
  why: reason,
})

export interface OfficeDeclaration<IS extends v.GenericSchema<unknown, AnyInput>, Known, Done> {
  name: string
  permission: Permission | ((input: v.InferOutput<IS>) => Permission)
  /** Where it is not simply who holds the permission. */
  access?: InternalOperation<v.InferOutput<IS>>['access']
  input: IS
  example: Record<string, unknown>
  freshFactor?: true | ((input: v.InferOutput<IS>) => boolean)
  /** The audit event of an act that can be asked for: an approved one counts as this one does. */
  event?: AuditKind
  reasons?: readonly EntryReason[]
  done?: string
  button?: Omit<FileButton, 'permission'>
  /** Read before the transaction. @throws Refused */
  before?(services: Services, input: v.InferOutput<IS>, callers: Callers): Promise<Known>
  /** Beside `tenant_id`, `lease_number` and `reason` of the input. */
  about?(input: v.InferOutput<IS>, known: Known): About
  /** Locks, judges, authorises, writes, audits. May run again after a deadlock. @throws Refused */
  work(act: OfficeAct, input: v.InferOutput<IS>, known: Known): Promise<Done>
  /** What is kept of a refusal, after its rollback. */
  refused?(
    services: Services,
    callers: Callers,
    input: v.InferOutput<IS>,
    refusal: Refusal,
    known: Known,
  ): Promise<void>
}

const takesPreview = (input: unknown): boolean => 'preview' in ((input as { entries?: object }).entries ?? {})

/** Declares an operation of the office: who may, up to what, what is audited, and what its pages show of it. */
export function officeOperation<const IS extends v.GenericSchema<unknown, AnyInput>, Done, Known = undefined>(
  declaration: OfficeDeclaration<IS, Known, Done>,
): InternalOperation<v.InferOutput<IS>, OfficeAnswer<Done>> {
  const {
    permission,
    access,
    input: schema,
    example,
    event,
    button,
    before,
    about,
    work,
    refused,
    ...shown
  } = declaration
  const { name } = shown
  if (access === undefined && typeof permission === 'function') throw new Error(`${name} does not say who may call it`)
  const held = permission as Permission
  return internalOperation({
    ...shown,
    access: access ?? { staff: may(held) },
    input: schema,
    example: { input: example },
    ...(button && { button: { ...button, permission: held } }),
    previews: takesPreview(schema),
    async run(services, input, callers) {
      const known = (await before?.(services, input, callers)) as Known
      const called: ActCalled = {
        operation: name,
        permission: typeof permission === 'function' ? permission(input) : permission,
        input,
        event: event ?? null,
        why: '',
        ...aboutInput(input),
        ...about?.(input, known),
      }
      const outcome = await runOfficeAct(services, callers, called, (act) => work(act, input, known))
      if (!outcome.ok) await refused?.(services, callers, input, outcome, known)
      return outcome
    },
  })
}
