/** Filter groups of the audit page. An entry names a prefix of audit kinds (before the dot) or one whole kind. */
export const auditGroups = {
  'licences and bank accounts': { label: 'Looked at licenses, birth dates, bank accounts', kinds: ['sensitive.shown'] },
  files: { label: 'Opened files and documents', kinds: ['file', 'document', 'proof.opened'] },
  privacy: {
    label: 'Exports and erasures',
    kinds: [
      'tenant.exported',
      'tenant.erased',
      'tenant.kept_erased',
      'audit.exported',
      'report.exported',
      'rent.exported',
      'drawer.exported',
    ],
  },
  tenants: {
    label: 'Tenants: notes, flags, contact',
    kinds: ['note', 'flag', 'texts', 'tenant', 'link', 'call', 'promise'],
  },
  ledger: { label: 'Ledger by hand', kinds: ['charge', 'lease', 'balance', 'settlement'] },
  money: {
    label: 'Money in and out',
    kinds: ['drawer', 'payment', 'receipt', 'check', 'deposit', 'money', 'refund', 'review'],
  },
  units: {
    label: 'Gates, locks, units, moves',
    kinds: [
      'gate',
      'overlock',
      'lock',
      'unit',
      'move_in',
      'wait',
      'move_out',
      'transfer',
      'proof',
      'lien',
      'appointment',
    ],
  },
  prices: {
    label: 'Rents, prices, setup',
    kinds: ['rent', 'rates', 'setting', 'offer', 'photographs', 'facility', 'letting', 'terms'],
  },
  approvals: { label: 'Requests, refusals and tasks', kinds: ['approval', 'act.refused', 'task', 'job'] },
  staff: { label: 'Staff, sign-ins, keys, limits', kinds: ['staff', 'key', 'limits'] },
  commands: { label: 'Commands at the machine', kinds: ['command'] },
} as const satisfies Record<string, { label: string; kinds: readonly string[] }>

export type AuditGroup = keyof typeof auditGroups

export const isAuditGroup = (text: string | null): text is AuditGroup =>
  text !== null && Object.hasOwn(auditGroups, text)

/**
 * Returns the audit kinds of a group.
 * @param all every known kind
 */
export const kindsOf = (group: AuditGroup, all: readonly string[]): string[] => {
  const groupKinds: readonly string[] = auditGroups[group].kinds
  return all.filter((kind) => groupKinds.includes(kind) || groupKinds.includes(kind.split('.')[0] ?? ''))
}
