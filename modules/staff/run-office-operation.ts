/** One act of a person of the office: limit, change and audit event in one transaction; above the limit, a request instead. */
import type { Kysely } from 'kysely'
import type { Cents } from '../../domain/money.ts'
import {
  type LimitedPermission,
  limitedPermissions,
  type Permission,
  twoPeoplePermissions,
} from '../../domain/office/roles.ts'

import { type AuditEvent, audit, staffActor } from '../../platform/audit/audit.ts'
import { type Callers, grantAt, type StaffCaller } from '../../platform/operations/callers.ts'
import { type Outcome, type Refusal, succeed } from '../../platform/operations/outcome.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { type ActCalled, approveInAct, askForApproval } from './approvals.ts'
import { type Allowance, withinLimits } from './limits.ts'

/** What every act answers: done, waiting for a second person, or what it would do. */
export type ActAnswer<Done> =
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

/** Rolls the transaction back and carries what it answers. */
class Refused extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.code)
    this.refusal = refusal
  }
}

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

export interface ActTools {
  /**
   * Goes on where the person may do this alone or a second one has approved it; else the act becomes a request.
   * Called after the state was read and locked, before anything is written.
   */
  authorise(cents: Cents, summary: string): Promise<void>
  /** Ends the act without a change. */
  refuse(refusal: Refusal): never
  /** Whether a record, in one line, stands as it did for the form, or for the page of who approves; a preview takes it as it is. */
  stands(now: string, asMade: string): boolean
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

/**
 * Runs an act; with `preview` in its input it is rolled back and answers what it would have done.
 * @param work answers what is done and the audit event that tells of it; facility, permission, amount and reason are added
 * @returns the answer; whatever `work` refuses with
 */
export async function officeAct<Done>(
  services: Services,
  callers: Callers,
  called: ActCalled,
  work: (tx: Kysely<Tables>, tools: ActTools) => Promise<{ done: Done; event: AuditEvent }>,
): Promise<Outcome<ActAnswer<Done>>> {
  const { permission, input } = called
  const { staff, approval, seen = '' } = callers
  if (!staff) throw new Error('No person of the office calls')
  const looked: Looked = { alone: true, allowance: null, seen: '', moved: false, cents: 0, summary: '' }
  try {
    return await services.db.transaction(async (tx) => {
      let authorised: Cents | null = needsNoWord(staff, permission, input.location_code) ? 0 : null
      const { done, event } = await work(tx, {
        async authorise(cents, summary) {
          Object.assign(looked, { cents, summary })
          if (approval) {
            const shown = input.preview === true || seen !== ''
            const act = { approvalId: approval, permission, cents, summary, shown }
            const refused = await approveInAct(tx, services, callers, act)
            if (refused) throw new Refused(refused)
          } else {
            const act = { permission, locationCode: input.location_code, cents }
            Object.assign(looked, await mayAlone(tx, services, staff, act))
            if (!looked.alone && !input.preview) throw new Asked({ cents, summary })
          }
          authorised = cents
        },
        refuse(refusal) {
          throw new Refused(refusal)
        },
        stands(now, asMade) {
          looked.seen = [...looked.seen.split('\n').filter(Boolean), now].join('\n')
          looked.moved ||= now !== asMade
          if (approval && input.preview) return true
          return approval && seen !== '' ? seen.split('\n').includes(now) : now === asMade
        },
      })
      // A missing call is a bug that must not move money.
      if (authorised === null) throw new Error(`${called.operation} did not ask whether it may`)
      if (input.preview) throw new Previewed(done)
      const outcome = approval ? 'approved' : 'done'
      await audit(tx, services, staffActor(callers), {
        ...event,
        ...aboutAct(called),
        // The day's limit is summed from it.
        ...(isLimited(permission) && { cents: authorised }),
        outcome,
      })
      return succeed<ActAnswer<Done>>({ result: 'done', approval_id: '', done })
    })
  } catch (error) {
    if (error instanceof Refused) return error.refusal
    if (error instanceof Previewed)
      return succeed<ActAnswer<Done>>({ result: 'preview', approval_id: '', done: error.done as Done, ...looked })
    if (error instanceof Asked) return ask(services, callers, called, error.approval)
    throw error
  }
}

const aboutAct = ({ permission, input, why, tenantId, leaseNumber }: ActCalled) => ({
  permission,
  locationCode: input.location_code,
  reason: why ?? input.reason,
  ...(tenantId !== undefined && { tenantId }),
  ...(leaseNumber !== undefined && { leaseNumber }),
})

/** The act was rolled back; its request is written in a transaction of its own. */
async function ask<Done>(
  services: Services,
  callers: Callers,
  called: ActCalled,
  { cents, summary }: { cents: Cents; summary: string },
): Promise<Outcome<ActAnswer<Done>>> {
  const approvalId = await services.db.transaction((tx) =>
    askForApproval(tx, services, callers, { ...called, cents, summary }),
  )
  return succeed<ActAnswer<Done>>({ result: 'asked', approval_id: approvalId, done: null })
}
