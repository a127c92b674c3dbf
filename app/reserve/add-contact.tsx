import { useState } from 'react'
import { data, Form, redirect, useNavigation } from 'react-router'
import { ADDRESS_MAX, EMAIL_MAX, NAME_MAX } from '../../domain/field-lengths.ts'
import { emailKey } from '../../domain/lookup-keys.ts'
import { recordOf } from '../../domain/typed-keys.ts'
import { UpdateTenantInfo } from '../../modules/accounts/operations/update-tenant-info.ts'
import { contactTextConsent } from '../../modules/messages/texts/sms-consent.ts'
import { attachReservation } from '../../modules/reservations/attach-to-tenant.ts'
import { reloadDraft } from '../../modules/reservations/draft.ts'
import { pricingOfFacts } from '../../modules/reservations/draft-facts.ts'
import { storeQuote } from '../../modules/reservations/draft-quote.ts'
import type { Contact } from '../../modules/reservations/rules/reservation-form.ts'
import {
  continueWithTenant,
  rentalInformation,
  submitReservation,
  tenantExists,
} from '../../modules/reservations/texts/reserve.ts'
import { GetTenantDetailsByEmail } from '../../modules/tenants/operations/get-tenant-details-by-email.ts'
import { loadTenant } from '../../modules/tenants/tenant.ts'
import { JourneyPage } from '../journey-page.tsx'
import { openStep, redirectToNextStep, type StepPage } from '../open-journey-step.ts'
import { revalidateOnConflict } from '../request/form-client-action.ts'
import { readForm } from '../request/form-fields.ts'
import * as fieldRules from '../request/form-rules.ts'
import { useFormDraft } from '../request/store-unsent-form.ts'
import { type FieldRules, useFieldRules, validateFields } from '../request/use-form-rules.ts'
import { STEP_FORM } from '../ui/action-bar.tsx'
import { SubmitButton } from '../ui/buttons.tsx'
import { DataList, type Fact } from '../ui/data-tables.tsx'
import { Dialog, DialogClose } from '../ui/dialog.tsx'
import { CheckboxField } from '../ui/fields/choice.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { FieldPair } from '../ui/fields/field.tsx'
import { StateSelect } from '../ui/fields/state-select.tsx'
import { EmailField, PhoneField, TextField, type TextFieldProps, ZipField } from '../ui/fields/text.tsx'
import { type FormChecks, type FormValues, useFormChecks } from '../ui/form-checks.ts'
import { PriceChanged } from '../ui/price-changed.tsx'
import { PrivacyNote } from '../ui/privacy-note.tsx'
import { Card } from '../ui/surfaces.tsx'
import type { Route } from './+types/add-contact'
import { type ContactField, contactFields } from './contact-fields.ts'
import { AgentBox } from './designated-agent-checkbox.tsx'
import {
  changesSinceShown,
  draftUnitKey,
  isFound,
  keepTextConsent,
  loadMaskedContact,
  makeReservation,
  requireSameUnit,
  resumeFound,
  saveDraftAnswers,
} from './save-and-reserve.ts'
import { SaveFailed } from './save-failed.tsx'

export { submit as clientAction } from '../request/form-client-action.ts'

type OnFile = Partial<Record<string, string>>

const inputs = {
  first: { Input: TextField, label: 'First name', autoComplete: 'given-name', maxLength: NAME_MAX },
  last: { Input: TextField, label: 'Last name', autoComplete: 'family-name', maxLength: NAME_MAX },
  email: {
    Input: EmailField,
    label: 'Email',
    width: undefined,
    maxLength: EMAIL_MAX,
    hint: 'Your confirmation and a link back to this reservation go here.',
  },
  cell_phone: { Input: PhoneField, label: 'Phone', hint: '10 digits' },
  company: { Input: TextField, label: 'Company', optional: true, autoComplete: 'organization', maxLength: 100 },
  address: { Input: TextField, label: 'Address', autoComplete: 'street-address', maxLength: ADDRESS_MAX },
  city: { Input: TextField, label: 'City', autoComplete: 'address-level2', maxLength: NAME_MAX },
  zip: { Input: ZipField, label: 'Zip code', maxLength: 5 },
}

/**
 * Validates the contact form.
 * @param onFile contact data on file, whose fields are not asked for
 * @returns a message for each wrong field
 */
function check(rules: FieldRules, form: FormValues, onFile: OnFile | null): Record<string, string> {
  return Object.fromEntries(Object.entries(validateFields(rules, 'contact', form)).filter(([name]) => !onFile?.[name]))
}

export async function loader(args: Route.LoaderArgs) {
  const page = await openStep(args, '/add-contact')
  const { draft, facts, site } = page
  const onFile = await loadMaskedContact(site, draft)
  // There is nothing to ask: the found reservation is complete, or its tenant's data may not be shown.
  const foundOnFile = draft.existingTenant && (draft.proof !== 'own' || draft.answers.contact === undefined)
  if (foundOnFile || (onFile && contactFields.every((name) => onFile[name] !== '')))
    throw redirect('/reservation-confirmed')
  // Only a rental that starts now holds the unit with this form, and only once, so only then a price is stored.
  const shown =
    draft.rentNow && !facts.visitor.reserved ? await storeQuote(site.services, draft, pricingOfFacts(facts)) : null
  const typed: Partial<Contact> | null = draft.proof === 'own' ? (draft.answers.contact ?? null) : null
  return {
    chrome: page.chrome,
    unit: draftUnitKey(draft),
    // Differs between visitors of one device, so that none gets what another has typed.
    visitor: draft.draftId.slice(0, 8),
    quoteId: shown?.quoteId,
    rentNow: draft.rentNow,
    georgia: facts.place.state === 'GA',
    typed,
    // Looked up in the rental itself: by number, the form would tell a stranger that we know it.
    agreed: typed !== null && draft.answers.textsTo === typed.cell_phone,
    onFile,
  }
}

export async function action(args: Route.ActionArgs) {
  const page = await openStep(args, '/add-contact')
  const { draft, facts, site, chrome } = page
  const values = await readForm(args.request)
  requireSameUnit(page, values)
  if (await isFound(site, draft)) return fillIn(page, values)
  if (draft.proof !== 'own') return redirect('/reservation-confirmed')

  if (facts.place.state !== 'GA') delete values.designated_agent
  const checked = fieldRules.validate(fieldRules.contact, values)
  if (!checked.ok) return data({ fields: checked.fields, values }, { status: 400 })
  const { email } = checked.value
  const saidYes = emailKey(values.continue_as ?? '') === emailKey(email)
  const settled = emailKey(draft.answers.continueAs ?? '') === emailKey(email)
  const asked = saidYes || settled ? null : await asksWhetherTenant(page, email, values)
  if (asked) return asked
  const agreed = agreedNumber(values, checked.value.cell_phone)
  const answers = {
    contact: checked.value,
    ...agreed,
    ...(saidYes && { continueAs: email }),
    ...(facts.place.state === 'GA' && { wantsAgent: checked.value.designated_agent }),
  }
  const kept = await saveDraftAnswers(site, draft, answers, agreed.textsTo)
  // A reservation that already exists is saved again below, so that its lease, receipt and mails use the corrected name.
  if (!kept.rentNow && !facts.visitor.reserved) return redirectToNextStep(site, kept, '/add-contact', page.reviewing)
  const changes = await changesSinceShown(site, kept, values.quote)
  if (changes) return data({ changes, values }, { status: 409 })
  const made = await makeReservation(site, kept, chrome.phone)
  if (!made.ok) return data({ failed: made.sentence, unitTypes: page.facilityPath, values })
  return redirectToNextStep(site, made.draft, '/add-contact', page.reviewing)
}

/** Returns the phone number as consent to text messages if the renter ticked the box; otherwise no field. */
const agreedNumber = ({ texts }: Record<string, string>, phone: string): { textsTo?: string } =>
  texts === '1' ? { textsTo: phone } : {}

/**
 * Asks whether to continue as the tenant with this e-mail address.
 * @returns the question for the form, or a refusal; null when no tenant has the address
 */
async function asksWhetherTenant({ site, draft }: StepPage, email: string, values: Record<string, string>) {
  const asked = await site.call(GetTenantDetailsByEmail, { location_code: draft.locationCode, email })
  if (!asked.ok) return data({ fields: { form: asked.message }, values }, { status: asked.status })
  return asked.value.TenantExists === 'True' ? data({ ask: email, values }) : null
}

/**
 * Adds missing contact data to the tenant of a reservation found by look-up or link.
 * Data on file are neither shown nor replaced.
 */
async function fillIn(page: StepPage, values: Record<string, string>) {
  const { site, draft, facts } = page
  const tenant =
    draft.tenantId === null ? undefined : await loadTenant(site.services.db.read, draft.locationCode, draft.tenantId)
  if (!tenant) return redirect('/reservation-not-found')
  const onFile: OnFile = { ...recordOf(contactFields, (name) => tenant[name]), company: tenant.company }
  const all: Record<string, string> = { company: tenant.company }
  for (const name of contactFields) all[name] = tenant[name] || (values[name] ?? '')
  const fields = check(fieldRules, all, onFile)
  if (Object.keys(fields).length > 0) return data({ fields, values }, { status: 400 })
  const unanswered = tenant.email === '' ? await tieToTenant(page, all, values) : null
  if (unanswered) return unanswered
  const boxes = {
    ...(facts.place.state === 'GA' && { wantsAgent: values.designated_agent === '1' }),
    ...(values.active_military === '1' && { activeMilitary: true }),
  }
  const current = (await reloadDraft(site.services, draft)) ?? draft
  if (current.existingTenant) return resumeFound(site, await saveDraftAnswers(site, current, boxes))
  const saved = await site.call(UpdateTenantInfo, {
    ...all,
    location_code: draft.locationCode,
    tenant_id: tenant.tenant_id,
  })
  if (!saved.ok) {
    const form = `${saved.message} You can also call us at ${page.chrome.phone}.`
    return data({ fields: { form }, values }, { status: saved.status })
  }
  const after =
    tenant.cell_phone === '' ? await loadTenant(site.services.db.read, draft.locationCode, tenant.tenant_id) : null
  if (after) await keepTextConsent(site, values.texts, after.cell_phone)
  return resumeFound(site, await saveDraftAnswers(site, current, boxes))
}

/**
 * If an existing tenant has this e-mail address, asks whether to continue
 * as that tenant and links the reservation to them.
 * @returns the question or a refusal; null when the visitor agreed (linked only if last name and phone match; the
 * response is the same either way) or when no tenant has the address
 */
async function tieToTenant(page: StepPage, all: Record<string, string>, values: Record<string, string>) {
  const { email = '', last = '', cell_phone = '' } = all
  const asked = await asksWhetherTenant(page, email, values)
  const agreed = emailKey(values.continue_as ?? '') === emailKey(email)
  if (!asked || !('ask' in asked.data) || !agreed) return asked
  await attachReservation(page.site.services, page.draft, { last, email, cell_phone })
  return null
}

export const shouldRevalidate = revalidateOnConflict

const title = 'Your contact information'

/** Returns whether the box for text messages is ticked; null when the number has agreed before and is not asked. */
function textsBox(sent: Record<string, string> | null, agreed: boolean): boolean | null {
  if (sent) return sent.texts === '1'
  return agreed ? null : false
}

export default function AddContact({ loaderData, actionData }: Route.ComponentProps) {
  const { chrome, unit, visitor, quoteId, rentNow, georgia, typed, agreed, onFile } = loaderData
  const changes = actionData && 'changes' in actionData ? actionData.changes : undefined
  const rules = useFieldRules()
  const checks = useFormChecks(
    rules && ((form) => check(rules, form, onFile)),
    actionData && 'fields' in actionData ? actionData.fields : undefined,
  )
  const unsent = useFormDraft(checks.form.ref, `/add-contact ${unit} ${visitor}`, useNavigation().formMethod === 'POST')
  const sent = actionData && 'values' in actionData ? actionData.values : null
  const kept = (name: string): string | undefined => sent?.[name] ?? (typed as OnFile | null)?.[name]
  const ticked = (name: 'active_military' | 'designated_agent') => (sent ? name in sent : typed?.[name] === true)
  const asks = (name: ContactField | 'company') => (name === 'company' ? !onFile : !onFile?.[name])
  const facts: Fact[] = contactFields
    .filter((name) => !asks(name))
    .map((name) => ({ label: name === 'state' ? 'State' : inputs[name].label, value: onFile?.[name] }))
  return (
    <JourneyPage
      chrome={chrome}
      title={title}
      lead={
        onFile
          ? 'We found your reservation. A few details are still missing before you can go on.'
          : 'We need it for your lease, and to send you your gate code.'
      }
      wrong={checks.wrong || changes !== undefined}
      action={
        <SubmitButton form={STEP_FORM} busyLabel="Saving">
          {rentNow ? rentalInformation : submitReservation}
        </SubmitButton>
      }
    >
      <OnFileCard facts={facts} />
      <Form method="post" id={STEP_FORM} className="mt-6" {...checks.form} {...unsent}>
        <ErrorSummary {...checks.summary} />
        <input type="hidden" name="unit" value={unit} />
        {quoteId && <input type="hidden" name="quote" value={quoteId} />}
        <ContactInputs asks={asks} field={checks.field} kept={kept} texts={textsBox(sent, agreed)} />
        <CheckboxField
          name="active_military"
          label="I am on active military duty"
          defaultChecked={ticked('active_military')}
        />
        {georgia && <AgentBox named={ticked('designated_agent')} />}
        <PrivacyNote asked="your details" />
        {changes && (
          <PriceChanged changes={changes} label={chrome.summary.totalLabel} total={chrome.summary.totalCents} />
        )}
      </Form>
      {actionData && 'ask' in actionData && <ExistingTenant answer={actionData} email={actionData.ask} />}
      {actionData && 'failed' in actionData && (
        <SaveFailed answer={actionData} sentence={actionData.failed} unitTypes={actionData.unitTypes} />
      )}
    </JourneyPage>
  )
}

const OnFileCard = ({ facts }: { facts: Fact[] }) =>
  facts.length > 0 && (
    <Card wash className="mt-6">
      <h2 className="text-lead">Already on file</h2>
      <DataList facts={facts} />
    </Card>
  )

function ContactInputs({
  asks,
  field,
  kept,
  texts,
}: {
  asks: (name: ContactField | 'company') => boolean
  field: FormChecks['field']
  kept: (name: string) => string | undefined
  /** Whether the box for text messages is ticked; null if it is not asked. */
  texts: boolean | null
}) {
  const input = (name: keyof typeof inputs) => {
    const { Input, ...props }: { Input: typeof TextField } & Omit<TextFieldProps, 'name'> = inputs[name]
    return asks(name) && <Input {...field(name)} {...props} defaultValue={kept(name)} />
  }
  return (
    <>
      {(asks('first') || asks('last')) && (
        <FieldPair>
          {input('first')}
          {input('last')}
        </FieldPair>
      )}
      {input('email')}
      {input('cell_phone')}
      {asks('cell_phone') && texts !== null && (
        <CheckboxField name="texts" label={contactTextConsent} defaultChecked={texts} />
      )}
      {input('company')}
      {input('address')}
      <FieldPair wide>
        {input('city')}
        {asks('state') && (
          <StateSelect
            {...field('state')}
            label="State"
            width={undefined}
            defaultValue={kept('state')?.toUpperCase()}
          />
        )}
        {input('zip')}
      </FieldPair>
    </>
  )
}

/**
 * Dialog that asks whether to continue as a tenant on file (spec 1 §4).
 * Yes sends the form again, No moves focus to the e-mail field.
 */
function ExistingTenant({ answer, email }: { answer: object; email: string }) {
  const [closed, setClosed] = useState<object | null>(null)
  const close = () => {
    setClosed(answer)
    // Runs after the browser has restored the focus of the closed dialog.
    setTimeout(() => document.getElementById('email')?.focus())
  }
  return (
    <Dialog
      open={closed !== answer}
      onClose={close}
      title={tenantExists}
      actions={
        <>
          <SubmitButton form={STEP_FORM} name="continue_as" value={email} busyLabel="Saving">
            Yes
          </SubmitButton>
          <DialogClose kind="secondary">No</DialogClose>
        </>
      }
    >
      <p>{continueWithTenant}</p>
      <p className="small soft">
        With Yes the reservation goes to that account where your last name and phone match it, and nothing in it
        changes. With No you can enter another email.
      </p>
    </Dialog>
  )
}
