import { expect, it } from 'vitest'
import { auditSentences } from '../../../domain/office/audit-events.ts'
import { type AuditGroup, auditGroups, kindsOf } from './audit-groups.ts'

it('every kind of audit event is found by a group', () => {
  const all = Object.keys(auditSentences)
  const found = new Set(Object.keys(auditGroups).flatMap((group) => kindsOf(group as AuditGroup, all)))
  expect(all.filter((kind) => !found.has(kind))).toEqual([])
})
