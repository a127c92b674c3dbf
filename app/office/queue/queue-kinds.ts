/** Kinds of queue items, with the operations that the office offers on each. */

import type { Permission } from '../../../domain/office/roles-and-permissions.ts'
import { keysOf } from '../../../domain/typed-keys.ts'
import { loadDepositsToMatch, loadDrawersToCount } from '../../../modules/cash-drawers/views/queue-items.ts'
import { DecideProof } from '../../../modules/insurance/operations/decide-proof.ts'
import { loadProofItems } from '../../../modules/insurance/views/queue-items.ts'
import { loadLienItems } from '../../../modules/liens/views/queue-items.ts'
import { EndJob } from '../../../modules/messages/operations/end-job.ts'
import { RetryJob } from '../../../modules/messages/operations/retry-job.ts'
import { loadFailedJobItems } from '../../../modules/messages/views/failed-job-queue-items.ts'
import { DecideReview } from '../../../modules/refunds/operations/decide-payment-review.ts'
import { RefundedByHand } from '../../../modules/refunds/operations/refunded-by-hand.ts'
import { RetryRefund } from '../../../modules/refunds/operations/retry-refund.ts'
import { loadRefundItems, loadReviewItems } from '../../../modules/refunds/views/queue-items.ts'
import { AssignTask } from '../../../modules/staff/operations/assign-task.ts'
import { CompleteTask } from '../../../modules/staff/operations/complete-task.ts'
import { DecideApproval } from '../../../modules/staff/operations/decide-approval.ts'
import type { QueueItem, QueueQuery } from '../../../modules/staff/rules/queue-item-and-query.ts'
import { loadApprovalItems, loadTaskItems } from '../../../modules/staff/views/approval-and-task-queue-items.ts'
import { CancelTransfer } from '../../../modules/transfers/operations/cancel-transfer.ts'
import { loadTransferItems } from '../../../modules/transfers/views/queue-items.ts'
import type { StaffCaller } from '../../../platform/operations/callers.ts'
import type { InternalOperation } from '../../../platform/operations/operation.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { DoneCode } from '../done-sentences.ts'

/** Data for an operation on a queue item: the record and the text that the form sent, and the staff member. */
export interface ActFields {
  id: string
  location: string
  tenant: string
  lease: string
  task: string
  /** Text of the operation's own field. */
  text: string
  /** Id of the staff member who pressed the button. */
  me: string
}

/** Operation that the work queue offers on an item. */
export interface QueueAct {
  intent: string
  label: string
  key: string
  // biome-ignore lint/suspicious/noExplicitAny: operations of every input
  operation: InternalOperation<any, any>
  input(fields: ActFields): object
  done: DoneCode
  /** Returns whether a row offers the operation to the staff member with the id `me`; every row does by default. */
  when?: (row: QueueItem, me: string) => boolean
  /** Required text field. An operation with a field is offered only on the item's own page, not in lists. */
  field?: { label: string; hint?: string; inputName: string }
  quiet?: true
}

export interface QueueKind {
  label: string
  /** Permission that shows a facility's items. A staff member's own requests and tasks are shown for any facility. */
  permission: Permission
  read(services: Services, staff: StaffCaller, query: QueueQuery): Promise<QueueItem[]>
  acts: readonly QueueAct[]
  /** Permission that shows a facility's items in place of `permission`, which then shows own items only. */
  at?: Permission
  /** True when items of this kind can have an owner. */
  owned?: true
  /** Address of an item's page, when it is not the queue's own. */
  href?(id: string): string
}

const take: QueueAct = {
  intent: 'take',
  label: 'Take',
  key: 't',
  done: 'taken',
  operation: AssignTask,
  quiet: true,
  input: ({ task, me }) => ({ task_id: task, staff_id: me }),
  when: ({ taskId, owner }) => taskId !== undefined && owner === null,
}

const release: QueueAct = {
  intent: 'release',
  label: 'Give back',
  key: 'u',
  done: 'released',
  operation: AssignTask,
  quiet: true,
  input: ({ task }) => ({ task_id: task, staff_id: '' }),
  when: ({ taskId, owner }, me) => taskId !== undefined && owner?.id === me,
}

const retryJob: QueueAct = {
  intent: 'retry',
  label: 'Retry',
  key: 'r',
  done: 'retried',
  operation: RetryJob,
  input: ({ id }) => ({ job_id: id }),
}

const endJob: QueueAct = {
  intent: 'end',
  label: 'End it',
  key: 'e',
  done: 'ended',
  operation: EndJob,
  quiet: true,
  field: { label: 'Why it is not needed any more', inputName: 'because' },
  input: ({ id, text }) => ({ job_id: id, because: text }),
}

const queueKinds = {
  approval: {
    label: 'Approvals',
    permission: 'approval.decide',
    read: loadApprovalItems,
    acts: [
      {
        intent: 'approve',
        label: 'Approve',
        key: 'a',
        done: 'approved',
        operation: DecideApproval,
        input: ({ id, location }) => ({
          approval_id: id,
          location_code: location,
          decision: 'approve',
          because: '',
        }),
        when: ({ own }) => own !== true,
      },
      {
        intent: 'refuse',
        label: 'Refuse',
        key: 'x',
        done: 'refused',
        operation: DecideApproval,
        quiet: true,
        input: ({ id, location }) => ({
          approval_id: id,
          location_code: location,
          decision: 'refuse',
          because: '',
        }),
        when: ({ own }) => own !== true,
      },
    ],
  },
  refund: {
    label: 'Refunds',
    permission: 'review.decide',
    read: (services, _, query) => loadRefundItems(services, query),
    owned: true,
    acts: [
      {
        intent: 'retry',
        label: 'Retry',
        key: 'r',
        done: 'retried',
        operation: RetryRefund,
        input: ({ id, location }) => ({ location_code: location, refund: id }),
        when: ({ hasFailed }) => hasFailed === true,
      },
      {
        intent: 'by-hand',
        label: 'Paid by hand',
        key: 'h',
        done: 'paid',
        operation: RefundedByHand,
        field: { label: 'How it was paid', hint: 'As the payer reads it: check 1042', inputName: 'how' },
        input: ({ id, location, text }) => ({ location_code: location, refund: id, how: text }),
      },
      take,
      release,
    ],
  },
  review: {
    label: 'Reviews',
    permission: 'review.decide',
    read: (services, _, query) => loadReviewItems(services, query),
    acts: [
      {
        intent: 'post',
        label: 'Count it',
        key: 'a',
        done: 'posted',
        operation: DecideReview,
        input: ({ id, location }) => ({ location_code: location, order_id: id, decision: 'post' }),
      },
      {
        intent: 'refund',
        label: 'Give it back',
        key: 'x',
        done: 'given-back',
        operation: DecideReview,
        quiet: true,
        input: ({ id, location }) => ({ location_code: location, order_id: id, decision: 'refund' }),
      },
    ],
  },
  proof: {
    label: 'Proofs',
    permission: 'proof.decide',
    read: (services, _, query) => loadProofItems(services, query),
    acts: [
      {
        intent: 'accept',
        label: 'Accept',
        key: 'a',
        done: 'accepted',
        operation: DecideProof,
        input: ({ id, location }) => ({ location_code: location, proof_id: id, decision: 'accept' }),
      },
      {
        intent: 'refuse',
        label: 'Refuse',
        key: 'x',
        done: 'refused',
        operation: DecideProof,
        quiet: true,
        field: { label: 'Why', hint: 'The tenant reads it.', inputName: 'because' },
        input: ({ id, location, text }) => ({
          location_code: location,
          proof_id: id,
          decision: 'refuse',
          because: text,
        }),
      },
    ],
  },
  drawer: {
    label: 'Drawers',
    permission: 'drawer.count',
    read: loadDrawersToCount,
    acts: [],
    href: (id) => `/office/day-close/${id}`,
  },
  deposit: {
    label: 'Deposits',
    permission: 'deposit.match',
    read: loadDepositsToMatch,
    acts: [],
    href: (id) => `/office/day-close/${id}`,
  },
  job: {
    label: 'Failed work',
    permission: 'job.revive',
    read: (services, _, query) => loadFailedJobItems(services, query, false),
    acts: [retryJob, endJob],
  },
  mail: {
    label: 'Mail not delivered',
    permission: 'job.revive',
    read: (services, _, query) => loadFailedJobItems(services, query, true),
    acts: [retryJob, endJob],
  },
  lien: {
    label: 'Lien cases',
    permission: 'lien.step',
    read: (services, _, query) => loadLienItems(services, query),
    href: (id) => `/office/liens/${id}`,
    acts: [],
  },
  transfer: {
    label: 'Transfers to sign',
    permission: 'unit.transfer',
    read: (services, _, query) => loadTransferItems(services, query),
    acts: [
      {
        intent: 'cancel',
        label: 'Cancel it',
        key: 'x',
        done: 'transfer-cancelled',
        operation: CancelTransfer,
        quiet: true,
        input: ({ id, location, tenant, lease }) => ({
          transfer_id: id,
          location_code: location,
          tenant_id: tenant,
          lease_number: lease,
        }),
      },
    ],
  },
  task: {
    label: 'Tasks',
    permission: 'note.write',
    at: 'task.assign',
    read: loadTaskItems,
    owned: true,
    acts: [
      {
        intent: 'done',
        label: 'Done',
        key: 'd',
        done: 'completed',
        operation: CompleteTask,
        input: ({ id }) => ({ task_id: id }),
      },
      take,
      release,
    ],
  },
} as const satisfies Record<string, QueueKind>

export type QueueKindName = keyof typeof queueKinds
export const queueKindNames = keysOf(queueKinds)
export const isQueueKind = (name: string): name is QueueKindName => Object.hasOwn(queueKinds, name)
export const queueKindByName = (name: QueueKindName): QueueKind => queueKinds[name]
