import type { Kysely } from 'kysely'
import { enqueue } from '../../platform/jobs/job-queue.ts'
import type { Tables } from '../../platform/schema/tables.ts'

type OrderNotice = 'receipt' | 'payment_review' | 'refund'

export const enqueueOrderMail = (tx: Kysely<Tables>, kind: OrderNotice, orderId: string, now: number) =>
  enqueue(tx, { kind, once: orderId, payload: { orderId }, runAt: now })
