import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

/** The product's source files as the rules of `tests/import-rule.test.ts` see them. */

export const root = resolve(import.meta.dirname, '..')

/** Top-level folders, each importing only those before it. `sandbox` stands apart. */
export const folders = ['domain', 'ports', 'platform', 'modules', 'api', 'app', 'demo', 'server', 'operator'] as const

const records = ['facilities', 'staff', 'pricing', 'tenants', 'reservations', 'leases']
const business = [...records, 'agreements', 'accounts', 'payments']
const all = [...business, 'move-in', 'appointments', 'notices']

/** Modules, and which other modules each may import. */
export const modules: Record<string, readonly string[]> = {
  facilities: [],
  staff: ['facilities'],
  pricing: ['facilities'],
  tenants: ['facilities', 'staff'],
  reservations: ['facilities', 'pricing', 'tenants'],
  leases: ['facilities', 'staff', 'pricing', 'tenants', 'reservations'],
  agreements: ['facilities', 'pricing', 'tenants', 'leases'],
  accounts: ['facilities', 'tenants', 'reservations', 'leases'],
  payments: records,
  'move-in': business,
  appointments: ['facilities'],
  notices: [...business, 'move-in', 'appointments'],
  'tenant-file': all,
  privacy: [...all, 'tenant-file'],
  reports: ['facilities', 'staff', 'tenants', 'leases', 'payments', 'tenant-file'],
}

/** The one module that inserts into, updates and deletes from each table. */
export const owners: Record<string, string> = {
  locations: 'facilities',
  location_contents: 'facilities',
  states: 'facilities',
  unit_types: 'facilities',
  units: 'facilities',
  units_out_of_service: 'facilities',
  facility_photos: 'facilities',
  unit_photos: 'facilities',
  map_fixtures: 'facilities',
  discounts: 'facilities',
  insurance_schemes: 'facilities',
  fees: 'facilities',
  settings: 'facilities',
  quotes: 'pricing',
  tenants: 'tenants',
  tenant_notes: 'tenants',
  tenant_flags: 'tenants',
  reservations: 'reservations',
  prospects: 'reservations',
  rental_drafts: 'reservations',
  resumed_rentals: 'reservations',
  waitlist: 'reservations',
  leases: 'leases',
  lease_fees: 'leases',
  gate_codes: 'leases',
  gate_overrides: 'leases',
  locks_seen: 'leases',
  lease_documents: 'leases',
  ledger_entries: 'leases',
  entry_reasons: 'leases',
  move_outs: 'leases',
  insurance_proofs: 'leases',
  auction_winners: 'leases',
  auction_acknowledgements: 'leases',
  settlements: 'leases',
  rent_changes: 'leases',
  transfers: 'leases',
  call_attempts: 'leases',
  payment_promises: 'leases',
  lien_cases: 'leases',
  lien_steps: 'leases',
  billing_runs: 'leases',
  accounts: 'accounts',
  sign_ins: 'accounts',
  reset_codes: 'accounts',
  email_changes: 'accounts',
  account_undos: 'accounts',
  passkeys: 'accounts',
  passkey_challenges: 'platform',
  key_checks: 'platform',
  tenant_keys: 'platform',
  installations: 'platform',
  chores: 'platform',
  circuits: 'platform',
  database_readers: 'platform',
  restore_marks: 'platform',
  text_choices: 'tenants',
  payments: 'payments',
  payment_shares: 'payments',
  refund_tasks: 'payments',
  refunds: 'payments',
  bank_accounts: 'payments',
  cash_batches: 'payments',
  counter_receipts: 'payments',
  appointments: 'appointments',
  mailbox: 'notices',
  staff: 'staff',
  staff_roles: 'staff',
  staff_factors: 'staff',
  staff_sign_ins: 'staff',
  staff_unlocks: 'staff',
  kept_forms: 'staff',
  tasks: 'staff',
  approvals: 'staff',
  daily_figures: 'reports',
  daily_rolls: 'reports',
  daily_exceptions: 'reports',
  audit_events: 'platform',
  audit_days: 'platform',
  erasures: 'privacy',
  jobs: 'platform',
  limits: 'platform',
  counters: 'platform',
  content_version: 'platform',
  idempotency: 'platform',
}

export interface Source {
  path: string
  text: string
  /** Files of the project that it imports, type imports and imports at run time included. */
  imports: string[]
}

const isTest = (name: string) => /\.(test|contract)\.tsx?$/.test(name) || /testing/.test(name) || /^sample-/.test(name)

function filesOf(folder: string, kind: RegExp): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    // Fixtures are programs of the tests.
    if (statSync(path).isDirectory()) return name === 'fixtures' ? [] : filesOf(path, kind)
    return kind.test(name) && !isTest(name) ? [path] : []
  })
}

/** The product's files of such a name, from the root. */
export const sourceFiles = (folder: string, kind: RegExp): string[] =>
  filesOf(join(root, folder), kind).map((file) => relative(root, file))

export const sourcesOf = (folder: string): Source[] =>
  sourceFiles(folder, /\.tsx?$/).map((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    const imports = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^'?]+)[^']*'/g)].map((match) =>
      relative(root, resolve(root, dirname(path), match[1] as string)),
    )
    return { path, text, imports }
  })

/** `modules/gate/gate.ts` is part of `leases`; everything else of its top-level folder. */
export const partOf = (path: string): string => {
  const [folder, module] = path.split('/') as [string, string]
  return folder === 'modules' ? module : folder
}

const writers = '(?:insertInto|updateTable|deleteFrom|mergeInto|replaceInto)'
const written = new RegExp(
  [
    // A table by a variable is named by a cast: `table as 'fees'`.
    String.raw`${writers}\(\s*(?:[\w.()]+\s+as\s+)?'([a-z_]+)`,
    String.raw`\b(?:insert\s+(?:or\s+\w+\s+)?into|replace\s+into|delete\s+from)\s+"?([a-z_]+)\b`,
    String.raw`\bupdate\s+"?([a-z_]+)"?(?=\s+(?:as\s+)?(?:\w+\s+)?set\b)`,
  ].join('|'),
  'gi',
)
const unnamed = new RegExp(
  String.raw`${writers}\(\s*(?!'|[\w.()]+\s+as\s+')|\b(?:insert\s+into|delete\s+from|update)\s+["\x60]?\$\{`,
  'i',
)
const readFrom =
  /(?:selectFrom|[a-zA-Z]*[jJ]oin|using)\(\s*\[?\s*'([a-z_]+)|\b(?:from|join)\s+"?([a-z_]+)\b(?=["\s)]|$)/gim

const names = (text: string, pattern: RegExp): string[] => [
  ...new Set(
    [...text.matchAll(pattern)]
      .map((match) => (match[1] ?? match[2] ?? match[3]) as string)
      .filter((one) => one in owners),
  ),
]
export const tablesWritten = (text: string): string[] => names(text, written)
/** Writes a table that the text does not name. */
export const writesUnnamed = (text: string): boolean => unnamed.test(text)
export const tablesRead = (text: string): string[] => names(text, readFrom)

export function circles(sources: readonly Source[]): string[][] {
  const byPath = new Map(sources.map((one) => [one.path, one]))
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const found: string[][] = []
  const visit = (path: string): void => {
    index.set(path, index.size)
    low.set(path, index.get(path) as number)
    stack.push(path)
    for (const next of byPath.get(path)?.imports ?? []) {
      if (!byPath.has(next)) continue
      if (!index.has(next)) {
        visit(next)
        low.set(path, Math.min(low.get(path) as number, low.get(next) as number))
      } else if (stack.includes(next)) low.set(path, Math.min(low.get(path) as number, index.get(next) as number))
    }
    if (low.get(path) !== index.get(path)) return
    const group = stack.splice(stack.indexOf(path))
    if (group.length > 1) found.push(group.sort())
  }
  for (const { path } of sources) if (!index.has(path)) visit(path)
  return found.sort((a, b) => (a[0] as string).localeCompare(b[0] as string))
}

/** The files of each module that other folders may import, besides its `*operations.ts`. */
export const publicFiles: Record<string, readonly string[]> = {
  facilities: [
    'availability',
    'content',
    'directory',
    'facility',
    'facility-names',
    'facility-page',
    'facts',
    'locations',
    'map',
    'offers',
    'operator-html',
    'phone',
    'photographs',
    'retiring',
    'settings',
    'site-pages',
    'unit-status',
    'units',
    'units-to-choose',
  ],
  staff: [
    'acts',
    'approvals',
    'audit-check',
    'audit-log',
    'enrol',
    'factors',
    'join',
    'kept-forms',
    'limits',
    'people',
    'sign-in',
    'sign-ins',
    'tasks',
    'unlock-link',
    'waiting',
  ],
  pricing: ['from-prices', 'move-in-price', 'offers', 'quotes', 'unit-type-prices'],
  tenants: [
    'birth-dates',
    'brochures',
    'contact-version',
    'flags',
    'identity',
    'matching',
    'notes',
    'tenant',
    'text-choices',
  ],
  reservations: [
    'cancellations',
    'complete',
    'draft',
    'draft-facts',
    'draft-price',
    'draft-quote',
    'desk',
    'draft-retention',
    'find-reservation',
    'held',
    'holds',
    'move-in-cost',
    'named-agent',
    'prospects',
    'reservation-mail',
    'resumed-rentals',
    'tie-reservation',
    'unproven',
    'waitlist',
    'waitlist-operations',
  ],
  leases: [
    'at-home',
    'auction-acknowledgements',
    'autopay-link',
    'autopay-mandate',
    'billing/reverse',
    'billing/health',
    'billing/run',
    'documents',
    'field-work',
    'gate',
    'gate-overrides',
    'gate-reasons',
    'gate-state',
    'insurance/decide',
    'insurance/own-policy',
    'insurance/proofs',
    'insurance/waiting',
    'lease',
    'ledger/balances',
    'ledger/chargeable',
    'ledger/dues',
    'ledger/entries',
    'ledger/lock',
    'ledger/newest',
    'ledger/period-price',
    'ledger/post',
    'ledger/refunds',
    'ledger/reversals',
    'ledger/staff-entries',
    'ledger/standing',
    'ledger/totals',
    'liens/cases',
    'liens/proof-file',
    'liens/record',
    'liens/rules',
    'liens/sign-off',
    'liens/stop',
    'liens/waiting',
    'links',
    'move-outs/complete',
    'move-outs/schedule',
    'moving',
    'past-due/list',
    'rent-changes/notice',
    'rent-changes/read',
    'rent-changes/rules',
    'rented-units',
    'start-lease',
    'transfers/cancel',
    'transfers/open',
    'transfers/preview',
    'transfers/transfer',
    'unit-states',
    'with-tenant',
  ],
  agreements: [
    'current-terms',
    'lease-view',
    'pdf/brochure-pdf',
    'pdf/lease-pdf',
    'pdf/letters',
    'signature/read',
    'signature/sign',
    'text/consent',
    'text/plan-terms',
    'text/sections',
  ],
  accounts: [
    'account',
    'account-undos',
    'email-change',
    'known-browsers',
    'live-sign-ins',
    'online-access',
    'passkeys/account-passkeys',
    'passkeys/store',
    'password-reset',
    'passwords',
    'profile',
    'registration-lookup',
    'sessions',
    'tenant-updates',
    'unlock-link',
  ],
  payments: [
    'attempts',
    'autopay/charge',
    'autopay/refusals',
    'bank/debit',
    'bank/input',
    'bank/returns',
    'counter/drawers',
    'counter/facts',
    'counter/lists',
    'counter/receive',
    'counter/stack',
    'counter/undo',
    'counter/waiting',
    'checkout',
    'checkout-status',
    'health',
    'history',
    'holds',
    'open/checkout',
    'open/link',
    'open/move-in',
    'own-payment',
    'paid-for',
    'payers/lease',
    'payers/move-in',
    'payment',
    'provider-list',
    'receipt',
    'reconcile',
    'refund/of-order',
    'refund/post',
    'refund/send',
    'refund/waiting',
    'refunds',
    'review',
    'sealed-details',
    'settle',
  ],
  'move-in': ['completed-rental', 'sign-lease'],
  appointments: ['appointments'],
  notices: ['given-up', 'handlers', 'mailbox', 'samples'],
  'tenant-file': ['documents', 'file', 'open', 'search', 'timeline'],
  privacy: ['erase', 'export', 'finish', 'guards', 'keys', 'terms'],
  reports: ['dated-ahead', 'day', 'day-exceptions', 'keep-days', 'measures', 'report', 'roll'],
}
