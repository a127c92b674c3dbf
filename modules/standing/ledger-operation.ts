/** Operations of the office that write to ledgers: what their inputs share, and their entries with the reason given. */
import * as v from 'valibot'
import { type EntryReason, NOTE_MAX, type ReasonedAct, reasonText } from '../../domain/office/reasons.ts'
import type { Permission } from '../../domain/office/roles.ts'
import { chooseWhy, noteNeeded } from '../../domain/texts/office-ledger.ts'
import { integer, locationCode, optional, plainLine } from '../../platform/operations/input-fields.ts'
import { Refused, wrongFields } from '../../platform/operations/outcome.ts'
import type { LeaseKey } from '../leases/lease.ts'
import {
  type OfficeAct,
  type OfficeAnswer,
  type OfficeDeclaration,
  officeOperation,
} from '../staff/office-operation.ts'
import { addStaffEntries, type StaffEntry, type WrittenOnLease } from './adjustments.ts'

export const signedCents = v.pipe(
  v.union([v.number(), v.pipe(plainLine, v.regex(/^-?\d{1,15}$/), v.transform(Number))], 'must be whole cents'),
  v.safeInteger('must be whole cents'),
)

export const leaseFields = { location_code: locationCode(), tenant_id: integer(), lease_number: integer() }

/** What a form on a lease was made from: where the ledger has more by now, the form is stale. */
export const madeFromFields = { balance: signedCents, newest_entry: v.pipe(plainLine, v.maxLength(80)) }

export const previewField = v.optional(v.boolean(), false)

/** Fields of every operation on one lease's ledger besides its own. `act_id`: a uuid of the form, so that it is written once. */
const ledgerFields = {
  ...leaseFields,
  ...madeFromFields,
  act_id: v.pipe(plainLine, v.uuid('must be a uuid')),
  note: optional(NOTE_MAX),
  preview: previewField,
}

/** The reason, from its list; '' only for a preview, which is shown before one is chosen. */
export const reasonField = (reasons: readonly EntryReason[]): v.GenericSchema<unknown, EntryReason | ''> =>
  v.union([v.literal(''), v.picklist(reasons)], chooseWhy)

interface Explained {
  preview: boolean
  reason: EntryReason | ''
  note: string
}

/** @throws Refused where an act other than a preview has no reason, or 'other' no note */
export function checkReason({ preview, reason, note }: Explained): void {
  if (preview) return
  if (reason === '') throw new Refused(wrongFields({ reason: chooseWhy }))
  if (reason === 'other' && note === '') throw new Refused(wrongFields({ note: noteNeeded }))
}

/** 'Our mistake: charged while autopay was down'; '' of a preview without a reason. */
export const whyOf = ({ reason, note }: Explained): string => (reason === '' ? '' : reasonText(reason, note))

/** What every operation on ledgers answers: what it wrote, or would write, lease by lease. */
export interface LedgerDone {
  leases: WrittenOnLease[]
}
export type LedgerAnswer = OfficeAnswer<LedgerDone>

export interface LedgerAct extends OfficeAct {
  /** Adds entries to a locked lease's ledger, with the reason of the input. */
  write(lease: LeaseKey, entries: readonly StaffEntry[]): Promise<WrittenOnLease>
}

type FieldsOf<F extends v.ObjectEntries> = v.InferOutput<v.ObjectSchema<F, undefined>>
export type LedgerInput = FieldsOf<typeof ledgerFields> & { reason: EntryReason | '' }
type InputOf<F extends v.ObjectEntries> = LedgerInput & FieldsOf<F>

interface LedgerDeclaration<F extends v.ObjectEntries, Known>
  extends Pick<
    OfficeDeclaration<v.GenericSchema<unknown, InputOf<F>>, Known, LedgerDone>,
    'name' | 'freshFactor' | 'done' | 'button' | 'before'
  > {
  permission: Permission
  event: NonNullable<OfficeDeclaration<v.GenericSchema<unknown, InputOf<F>>, Known, LedgerDone>['event']>
  /** As its entries' reasons keep it. */
  entryAct: ReasonedAct
  reasons: readonly [EntryReason, ...EntryReason[]]
  input: F
  /** Values of its own fields. */
  example: Record<string, unknown>
  work(act: LedgerAct, input: InputOf<F>, known: Known): Promise<LedgerDone>
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

/** Declares an operation of the office on one lease's ledger. */
export function ledgerOperation<const F extends v.ObjectEntries, Known = undefined>(
  declaration: LedgerDeclaration<F, Known>,
) {
  const { entryAct, reasons, input: fields, example, before, work, ...shared } = declaration
  const all = { ...ledgerFields, reason: reasonField(reasons), ...fields }
  const schema = v.object(all) as v.GenericSchema<unknown, InputOf<F>>
  return officeOperation<v.GenericSchema<unknown, InputOf<F>>, LedgerDone, Known>({
    ...shared,
    input: schema,
    example: { ...ledgerExample, reason: reasons[0], ...example },
    reasons,
    async before(services, input, callers) {
      checkReason(input)
      return (await before?.(services, input, callers)) as Known
    },
    about: (input) => ({ why: whyOf(input) }),
    work(act, input, known) {
      const { reason, note } = input
      const write = (lease: LeaseKey, entries: readonly StaffEntry[]) =>
        addStaffEntries(act, { lease, act: entryAct, reason, note, entries })
      return work({ ...act, write }, input, known)
    },
  })
}
