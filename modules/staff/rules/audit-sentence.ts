import { auditSentences } from '../../../domain/office/audit-events.ts'
import { isKeyOf } from '../../../domain/typed-keys.ts'

/**
 * Returns the description of an audit event, without the actor before it; the kind when this version does not know it.
 */
export const auditSentence = (kind: string, details: string): string =>
  isKeyOf(auditSentences, kind) ? (auditSentences[kind] as (details: unknown) => string)(JSON.parse(details)) : kind
