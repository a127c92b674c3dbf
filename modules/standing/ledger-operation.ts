/** Office operations that write ledger entries: their common input fields and the reason recorded with the entries. */
import * as v from 'valibot'
import type { AuditKind } from '../../domain/office/audit-events.ts'
import { type EntryReason, NOTE_MAX, reasonText } from '../../domain/office/ledger-entry-reasons.ts'
import type { Permission } from '../../domain/office/roles-and-permissions.ts'
import { chooseWhy, noteNeeded } from '../../domain/texts/ledger-refusals-and-entry-descriptions.ts'
import { type EventWithoutKind, eventOfKind } from '../../platform/audit/audit.ts'
import { integer, locationCode, optionalText, plainLine } from '../../platform/operations/input-fields.ts'
import { RefusalError, wrongFields } from '../../platform/operations/outcome.ts'
import type { LeaseKey } from '../leases/lease.ts'
import { type ApprovableDeclaration, type ApprovableSteps, approvableOperation } from '../staff/approvable-operation.ts'
import { addStaffEntries, type LedgerMail, type StaffEntry } from './add-staff-ledger-entries.ts'
import type { LedgerResult, WrittenEntries } from './rules/ledger-operation-result-types.ts'
import type { EntryAct } from './rules/staff-ledger-act-names.ts'

/** Input schema of whole cents, negative allowed. */
export const signedCents = v.pipe(
  v.union([v.number(), v.pipe(plainLine, v.regex(/^-?\d{1,15}$/), v.transform(Number))], 'must be whole cents'),
  v.safeInteger('must be whole cents'),
)

export const leaseFields = { location_code: locationCode(), tenant_id: integer(), lease_number: integer() }

/** Ledger state that a form displayed. The form is stale when the ledger has changed since. */
export const displayedLedgerFields = { balance: signedCents, newest_entry: v.pipe(plainLine, v.maxLength(80)) }

export const previewField = v.optional(v.boolean(), false)

/** Input fields that all ledger operations share. `act_id` is the form's uuid, so that the form writes only once. */
const ledgerFields = {
  ...leaseFields,
  ...displayedLedgerFields,
  act_id: v.pipe(plainLine, v.uuid('must be a uuid')),
  note: optionalText(NOTE_MAX),
  preview: previewField,
}

/** Input schema of the reason; '' for a preview before a reason is chosen. `checkReason` refuses '' elsewhere. */
export const reasonField = (reasons: readonly EntryReason[]): v.GenericSchema<unknown, EntryReason | ''> =>
  v.union([v.literal(''), v.picklist(reasons)], chooseWhy)

interface ReasonInput {
  preview: boolean
  reason: EntryReason | ''
  note: string
}

/**
 * Checks that an operation has a reason, and 'other' a note. A preview needs neither.
 * @throws RefusalError
 */
export function checkReason({ preview, reason, note }: ReasonInput): void {
  if (preview) return
  if (reason === '') throw new RefusalError(wrongFields({ reason: chooseWhy }))
  if (reason === 'other' && note === '') throw new RefusalError(wrongFields({ note: noteNeeded }))
}

/**
 * Returns reason and note in words, such as 'Our mistake: charged while autopay was down'; '' for a preview without
 * reason.
 */
export const formatReason = ({ reason, note }: ReasonInput): string => (reason === '' ? '' : reasonText(reason, note))

/** Context of an office operation that writes ledger entries. */
export interface LedgerSteps extends ApprovableSteps {
  /** Adds entries to a locked lease's ledger, with the input's reason. */
  write(lease: LeaseKey, entries: readonly StaffEntry[]): Promise<WrittenEntries>
}

interface LedgerContext<K extends AuditKind> extends LedgerSteps {
  /** Writes the declared audit event, with facility, permission, tenant, lease, reason and any authorized amount. */
  audit(event: EventWithoutKind<K>): Promise<void>
}

type FieldsOf<F extends v.ObjectEntries> = v.InferOutput<v.ObjectSchema<F, undefined>>
export type LedgerInput = FieldsOf<typeof ledgerFields> & { reason: EntryReason | '' }
type InputOf<F extends v.ObjectEntries> = LedgerInput & FieldsOf<F>

interface LedgerDeclaration<F extends v.ObjectEntries, K extends AuditKind, Loaded>
  extends Pick<
    ApprovableDeclaration<v.GenericSchema<unknown, InputOf<F>>, Loaded, LedgerResult>,
    'name' | 'freshFactor' | 'done' | 'button' | 'before'
  > {
  permission: Permission
  event: K
  /** Act that is stored with the entries' reasons. */
  entryAct: EntryAct
  /** Kind of the mail that the tenant gets about the entries; omitted for no mail. */
  tenantMail?: LedgerMail
  reasons: readonly [EntryReason, ...EntryReason[]]
  input: F
  /** Example values of the operation's own input fields. */
  example: Record<string, unknown>
  work(act: LedgerContext<K>, input: InputOf<F>, loaded: Loaded): Promise<LedgerResult>
}

const ledgerExample = {
  location_code: 'ATL01',
  tenant_id: 1001,
  lease_number: 10001,
  balance: 2178,
  newest_entry: '',
  act_id: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c15',
  note: '',
}

/** Declares an office operation that writes ledger entries. Its input names one lease; `work` may write on others. */
export function ledgerOperation<const F extends v.ObjectEntries, const K extends AuditKind, Loaded = undefined>(
  declaration: LedgerDeclaration<F, K, Loaded>,
) {
  const { entryAct, tenantMail, reasons, input: fields, example, before, work, ...shared } = declaration
  const allFields = { ...ledgerFields, reason: reasonField(reasons), ...fields }
  const schema = v.object(allFields) as v.GenericSchema<unknown, InputOf<F>>
  return approvableOperation<v.GenericSchema<unknown, InputOf<F>>, LedgerResult, Loaded>({
    ...shared,
    input: schema,
    example: { ...ledgerExample, reason: reasons[0], ...example },
    reasons,
    async before(services, input, callers) {
      checkReason(input)
      return (await before?.(services, input, callers)) as Loaded
    },
    about: (input) => ({ why: formatReason(input) }),
    work(act, input, loaded) {
      const { reason, note } = input
      const write = (lease: LeaseKey, entries: readonly StaffEntry[]) =>
        addStaffEntries(act, { lease, act: entryAct, reason, note, entries, tenantMail })
      const audit = (event: EventWithoutKind<K>) => act.audit(eventOfKind(declaration.event, event))
      return work({ ...act, write, audit }, input, loaded)
    },
  })
}
