import { useState } from 'react'
import { data, Form, redirect, useNavigation } from 'react-router'
import { ADDRESS_MAX, EMAIL_MAX, NAME_MAX } from '../../domain/field-lengths.ts'
import { emailKey } from '../../domain/name-and-email-keys.ts'
import { UpdateTenantInfo } from '../../modules/accounts/operations/update-tenant-info.ts'
import { contactTextConsent } from '../../modules/messages/texts/sms-consent.ts'
import { attachReservationToTenant } from '../../modules/reservations/operations/attach-reservation-to-matched-tenant.ts'
import { recordTextConsentForAddedPhone } from '../../modules/reservations/operations/record-text-consent-for-added-phone.ts'
import { storeShownPrice } from '../../modules/reservations/operations/store-shown-price.ts'
import {
  type RequiredContactField,
  requiredContactFields,
} from '../../modules/reservations/rules/required-contact-fields.ts'
import type { Contact } from '../../modules/reservations/rules/reservation-form.ts'
import { asksForDesignatedAgent } from '../../modules/reservations/rules/state-specific-questions.ts'
import {
  continueWithTenant,
  rentalInformation,
  submitReservation,
  tenantExists,
} from '../../modules/reservations/texts/reserve.ts'
import { reloadDraft } from '../../modules/reservations/views/current-rental.ts'
import { loadRenterOnFile } from '../../modules/reservations/views/unmasked-renter-contact.ts'
import { GetTenantDetailsByEmail } from '../../modules/tenants/operations/check-tenant-exists-by-email.ts'
import { JourneyPage } from '../journey-page.tsx'
import { openStep, redirectToNextStep, type StepPage } from '../open-journey-step.ts'
import * as fieldRules from '../request/re-exported-form-rules.ts'
import { readForm } from '../request/read-form-fields.ts'
import { revalidateOnConflict } from '../request/submit-or-report-offline.ts'
import { useFormDraft } from '../request/unsent-form-storage.ts'
import { type FieldRules, useFieldRules, validateFields } from '../request/use-form-rules.ts'
import { STEP_FORM } from '../ui/action-bar.tsx'
import { SubmitButton } from '../ui/buttons.tsx'
import { Card } from '../ui/card-tag-and-callout.tsx'
import { DataList, type Fact } from '../ui/data-tables.tsx'
import { Dialog, DialogClose } from '../ui/dialog.tsx'
import { CheckboxField } from '../ui/fields/choice.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { FieldPair } from '../ui/fields/field.tsx'
import { StateSelect } from '../ui/fields/state-select.tsx'
import { EmailField, PhoneField, TextField, type TextFieldProps, ZipField } from '../ui/fields/text.tsx'
import { PriceChanged } from '../ui/price-changed.tsx'
import { PrivacyNote } from '../ui/privacy-note.tsx'
import { type FormChecks, type FormValues, useFormChecks } from '../ui/use-form-checks.ts'
import type { Route } from './+types/renter-contact'
import { AgentBox } from './designated-agent-checkbox.tsx'
import { loadMaskedContact } from './renter-contact-visible-to-session.ts'
import {
  changesSinceShown,
  draftUnitKey,
  isFoundByLookup,
  makeReservation,
  requireSameUnit,
  resumeFound,
  saveDraftAnswers,
} from './save-and-reserve.ts'
import { SaveFailedDialog } from './save-failed-dialog.tsx'

export { submit as clientAction } from '../request/submit-or-report-offline.ts'

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
 * @returns error messages by field
 */
function validateContact(rules: FieldRules, form: FormValues, onFile: OnFile | null): Record<string, string> {
  return Object.fromEntries(Object.entries(validateFields(rules, 'contact', form)).filter(([name]) => !onFile?.[name]))
}

export async function loader(args: Route.LoaderArgs) {
  const page = await openStep(args, '/add-contact')
  const { draft, facts, site } = page
  const onFile = await loadMaskedContact(site, draft)
  // There is nothing to ask: the found reservation is complete, or its tenant's data may not be shown.
  const foundOnFile = draft.existingTenant && (draft.proof !== 'own' || draft.answers.contact === undefined)
  if (foundOnFile || (onFile && requiredContactFields.every((name) => onFile[name] !== '')))
    throw redirect('/reservation-confirmed')
  // The price is stored only where this form holds the unit: the rental starts now and has no reservation yet.
  const quoteId =
    draft.rentNow && !facts.visitor.reserved ? await storeShownPrice(site.services, draft, facts) : undefined
  const typedContact: Partial<Contact> | null = draft.proof === 'own' ? (draft.answers.contact ?? null) : null
  return {
    chrome: page.chrome,
    unit: draftUnitKey(draft),
    // Part of the key under which the typed form is stored, so that two visitors on one device do not share it.
    visitor: draft.draftId.slice(0, 8),
    quoteId,
    rentNow: draft.rentNow,
    asksAgent: asksForDesignatedAgent(facts.place.state),
    typed: typedContact,
    // Read from the rental only: a look-up by phone number would tell a stranger that the number is on file.
    agreed: typedContact !== null && draft.answers.textsTo === typedContact.cell_phone,
    onFile,
  }
}

export async function action(args: Route.ActionArgs) {
  const page = await openStep(args, '/add-contact')
  const { draft, facts, site, chrome } = page
  const values = await readForm(args.request)
  requireSameUnit(page, values)
  if (await isFoundByLookup(site, draft)) return addMissingContact(page, values)
  if (draft.proof !== 'own') return redirect('/reservation-confirmed')

  if (!asksForDesignatedAgent(facts.place.state)) delete values.designated_agent
  const checked = fieldRules.validate(fieldRules.contact, values)
  if (!checked.ok) return data({ fields: checked.fields, values }, { status: 400 })
  const { email } = checked.value
  const confirmsTenant = emailKey(values.continue_as ?? '') === emailKey(email)
  const hasConfirmedTenant = emailKey(draft.answers.continueAs ?? '') === emailKey(email)
  const question = confirmsTenant || hasConfirmedTenant ? null : await askWhetherTenant(page, email, values)
  if (question) return question
  const consent = textConsent(values, checked.value.cell_phone)
  const answers = {
    contact: checked.value,
    ...consent,
    ...(confirmsTenant && { continueAs: email }),
    ...(asksForDesignatedAgent(facts.place.state) && { wantsAgent: checked.value.designated_agent }),
  }
  const savedDraft = await saveDraftAnswers(site, draft, answers, consent.textsTo)
  // A reservation that already exists is saved again below, so that its lease, receipt and mails use the new name.
  if (!savedDraft.rentNow && !facts.visitor.reserved)
    return redirectToNextStep(site, savedDraft, '/add-contact', page.reviewing)
  const changes = await changesSinceShown(site, savedDraft, values.quote)
  if (changes) return data({ changes, values }, { status: 409 })
  const result = await makeReservation(site, savedDraft, chrome.phone)
  if (!result.ok) return data({ failed: result.sentence, unitTypesPath: page.facts.facilityPath, values })
  return redirectToNextStep(site, result.draft, '/add-contact', page.reviewing)
}

/** Returns the phone number as `textsTo`, the consent to text messages, if the renter ticked the box; otherwise {}. */
const textConsent = ({ texts }: Record<string, string>, phone: string): { textsTo?: string } =>
  texts === '1' ? { textsTo: phone } : {}

/**
 * Asks whether to continue as the tenant with this e-mail address.
 * @returns the question for the form, or a refusal; null when no tenant has the address
 */
async function askWhetherTenant({ site, draft }: StepPage, email: string, values: Record<string, string>) {
  const outcome = await site.call(GetTenantDetailsByEmail, { location_code: draft.locationCode, email })
  if (!outcome.ok) return data({ fields: { form: outcome.message }, values }, { status: outcome.status })
  return outcome.value.TenantExists === 'True' ? data({ ask: email, values }) : null
}

/**
 * Adds missing contact data to the tenant of a reservation found by look-up or link. Data on file are not replaced.
 */
async function addMissingContact(page: StepPage, values: Record<string, string>) {
  const { site, draft, facts } = page
  const renter = await loadRenterOnFile(site.services, draft)
  if (!renter) return redirect('/reservation-not-found')
  const onFile = renter.contact
  const contact: Record<string, string> = { company: onFile.company }
  for (const name of requiredContactFields) contact[name] = onFile[name] || (values[name] ?? '')
  const fields = validateContact(fieldRules, contact, onFile)
  if (Object.keys(fields).length > 0) return data({ fields, values }, { status: 400 })
  const question = onFile.email === '' ? await linkToTenant(page, contact, values) : null
  if (question) return question
  const checkboxAnswers = {
    ...(asksForDesignatedAgent(facts.place.state) && { wantsAgent: values.designated_agent === '1' }),
    ...(values.active_military === '1' && { activeMilitary: true }),
  }
  const current = (await reloadDraft(site.services, draft)) ?? draft
  // The reservation now belongs to a tenant on file, whose data stay as they are.
  if (current.existingTenant) return resumeFound(site, await saveDraftAnswers(site, current, checkboxAnswers))
  const saved = await site.call(UpdateTenantInfo, {
    ...contact,
    location_code: draft.locationCode,
    tenant_id: renter.tenantId,
  })
  if (!saved.ok) {
    const form = `${saved.message} You can also call us at ${page.chrome.phone}.`
    return data({ fields: { form }, values }, { status: saved.status })
  }
  if (onFile.cell_phone === '' && values.texts === '1') await recordTextConsentForAddedPhone(site.services, draft)
  return resumeFound(site, await saveDraftAnswers(site, current, checkboxAnswers))
}

/**
 * If an existing tenant has this e-mail address, asks whether to continue as that tenant, and after Yes links the
 * reservation to the tenant.
 * @returns the question or a refusal; null when no tenant has the address, or the visitor agreed. Only a tenant with
 *   the same last name and phone is linked, but the response does not reveal whether there is one.
 */
async function linkToTenant(page: StepPage, contact: Record<string, string>, values: Record<string, string>) {
  const { email = '', last = '', cell_phone = '' } = contact
  const question = await askWhetherTenant(page, email, values)
  const isConfirmed = emailKey(values.continue_as ?? '') === emailKey(email)
  if (!question || !('ask' in question.data) || !isConfirmed) return question
  await attachReservationToTenant(page.site.services, page.draft, { last, email, cell_phone })
  return null
}

export const shouldRevalidate = revalidateOnConflict

const title = 'Your contact information'

/** Returns whether the box for text messages is ticked; null to leave it out, since this number has agreed before. */
function textsBox(submitted: Record<string, string> | null, hasAgreed: boolean): boolean | null {
  if (submitted) return submitted.texts === '1'
  return hasAgreed ? null : false
}

export default function RenterContactPage({ loaderData, actionData }: Route.ComponentProps) {
  const { chrome, unit, visitor, quoteId, rentNow, asksAgent, typed, agreed, onFile } = loaderData
  const changes = actionData && 'changes' in actionData ? actionData.changes : undefined
  const rules = useFieldRules()
  const checks = useFormChecks(
    rules && ((form) => validateContact(rules, form, onFile)),
    actionData && 'fields' in actionData ? actionData.fields : undefined,
  )
  const unsent = useFormDraft(checks.form.ref, `/add-contact ${unit} ${visitor}`, useNavigation().formMethod === 'POST')
  const submitted = actionData && 'values' in actionData ? actionData.values : null
  const initialValue = (name: RequiredContactField | 'company') => submitted?.[name] ?? typed?.[name]
  const isTicked = (name: 'active_military' | 'designated_agent') =>
    submitted ? name in submitted : typed?.[name] === true
  const isAsked = (name: RequiredContactField | 'company') => (name === 'company' ? !onFile : !onFile?.[name])
  const facts: Fact[] = requiredContactFields
    .filter((name) => !isAsked(name))
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
        <ContactInputs
          isAsked={isAsked}
          field={checks.field}
          initialValue={initialValue}
          texts={textsBox(submitted, agreed)}
        />
        <CheckboxField
          name="active_military"
          label="I am on active military duty"
          defaultChecked={isTicked('active_military')}
        />
        {asksAgent && <AgentBox isTicked={isTicked('designated_agent')} />}
        <PrivacyNote asked="your details" />
        {changes && (
          <PriceChanged changes={changes} label={chrome.summary.totalLabel} total={chrome.summary.totalCents} />
        )}
      </Form>
      {actionData && 'ask' in actionData && <ExistingTenant answer={actionData} email={actionData.ask} />}
      {actionData && 'failed' in actionData && (
        <SaveFailedDialog answer={actionData} sentence={actionData.failed} unitTypesPath={actionData.unitTypesPath} />
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
  isAsked,
  field,
  initialValue,
  texts,
}: {
  isAsked: (name: RequiredContactField | 'company') => boolean
  field: FormChecks['field']
  initialValue: (name: RequiredContactField | 'company') => string | undefined
  /** Whether the box for text messages is ticked; null leaves the box out. */
  texts: boolean | null
}) {
  const input = (name: keyof typeof inputs) => {
    const { Input, ...props }: { Input: typeof TextField } & Omit<TextFieldProps, 'name'> = inputs[name]
    return isAsked(name) && <Input {...field(name)} {...props} defaultValue={initialValue(name)} />
  }
  return (
    <>
      {(isAsked('first') || isAsked('last')) && (
        <FieldPair>
          {input('first')}
          {input('last')}
        </FieldPair>
      )}
      {input('email')}
      {input('cell_phone')}
      {isAsked('cell_phone') && texts !== null && (
        <CheckboxField name="texts" label={contactTextConsent} defaultChecked={texts} />
      )}
      {input('company')}
      {input('address')}
      <FieldPair wide>
        {input('city')}
        {isAsked('state') && (
          <StateSelect
            {...field('state')}
            label="State"
            width={undefined}
            defaultValue={initialValue('state')?.toUpperCase()}
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
