import { Form, Link, useNavigation } from 'react-router'
import { fromWire } from '../../../domain/money.ts'
import { ProposeRentChanges } from '../../../modules/rent-changes/operations/propose-rent-changes.ts'
import { ProposeRentChangesByRule } from '../../../modules/rent-changes/operations/propose-rent-changes-by-rule.ts'
import { MAX_EXPORTED_FACILITIES } from '../../../modules/rent-changes/rules/rent-change.ts'
import { loadRentRules } from '../../../modules/rent-changes/views/rent-rules.ts'
import { Button, ButtonRow } from '../../ui/buttons.tsx'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import { FieldPair } from '../../ui/fields/field.tsx'
import { DateField, FileField, TextArea, TextField } from '../../ui/fields/text.tsx'
import type { FieldErrors, FormValues } from '../../ui/use-form-checks.ts'
import { loadFacilitiesInView } from '../facilities-in-view.ts'
import { WhyField } from '../note-and-reason-fields.tsx'
import { formAnswer, officeAction, readOfficeForm } from '../office-action.ts'
import { OfficePageFrame, Section } from '../office-page-heading-and-sections.tsx'
import { type OfficePage, openOfficePage } from '../open-office-page.ts'
import { parseDollars, withoutPercentSign } from '../parse-dollars.ts'
import type { Route } from './+types/new-rent-changes'
import { readRentList } from './parse-uploaded-rents.ts'

export async function loader(args: Route.LoaderArgs) {
  const page = await openOfficePage(args, 'rent.propose')
  const { chosen, options, query } = await loadFacilitiesInView(page, 'rent.propose')
  return {
    brand: page.site.brand.name,
    query,
    key: page.site.services.random.uuid(),
    capPercent: (await loadRentRules(page.site.services)).capPercent,
    facilities: chosen.length || options.length,
    facilityName: options.find(({ code }) => code === (chosen[0] ?? code))?.name ?? '',
  }
}

/**
 * Parses a typed number of at most two decimals: '8', '7.5' or '8 %'.
 * @returns NaN when the text is not a number, which the operation then refuses
 */
const parseNumber = (text: string | undefined): number => {
  const hundredths = fromWire(withoutPercentSign(text))
  return hundredths === null ? Number.NaN : hundredths / 100
}

const parseOptional = <Value,>(text: string | undefined, parse: (text: string) => Value): Value | null =>
  (text ?? '').trim() === '' ? null : parse(text ?? '')

const loadRule = async (page: OfficePage, form: FormValues) => {
  const { options, chosen } = await loadFacilitiesInView(page, 'rent.propose')
  return {
    location_codes: chosen.length > 0 ? chosen : options.map(({ code }) => code),
    months: parseNumber(form.months),
    percent: parseNumber(form.percent),
    most: parseOptional(form.most, parseDollars),
    of_street_rate: parseOptional(form.of_street_rate, parseNumber),
    wanted_from: form.wanted_from ?? '',
    reason: form.reason ?? '',
  }
}

/** Returns the list of new rents in a submitted form: the pasted text or, without any, the uploaded file's text. */
async function readRentText(request: Request): Promise<string> {
  const form = await request.formData()
  const pasted = form.get('list')
  const file = form.get('file')
  if (typeof pasted === 'string' && pasted.trim() !== '') return pasted
  return file instanceof File ? file.text() : ''
}

export async function action(args: Route.ActionArgs) {
  const page = await openOfficePage(args, 'rent.propose')
  const form = await readOfficeForm(page, args.request.clone())
  const { query } = await loadFacilitiesInView(page, 'rent.propose')
  const back = ({ batch_id }: { batch_id: string }) => `/office/rent-changes/${batch_id}${query}`
  const { wanted_from = '', reason = '' } = form.typed
  const isRule = form.intent === 'rule'
  const suffix = isRule ? 'rule' : 'list'
  const fieldNames = { reason: `reason-${suffix}`, wanted_from: `wanted_from-${suffix}` }
  if (isRule)
    return officeAction(page, form, {
      rule: { operation: ProposeRentChangesByRule, input: () => loadRule(page, form.typed), fieldNames, back },
    })
  // An unreadable body counts as an empty list, which is refused.
  const list = readRentList(await readRentText(args.request).catch(() => ''))
  if (!list.ok) return formAnswer(page, form, { fields: { list: list.message } }, 400)
  const input = () => ({ changes: list.rents, wanted_from, reason })
  return officeAction(page, form, { list: { operation: ProposeRentChanges, input, fieldNames, back } })
}

const fieldIds = [
  'months',
  'percent',
  'most',
  'of_street_rate',
  'list',
  'file',
  ...['rule', 'list'].flatMap((form) => [`reason-${form}`, `wanted_from-${form}`]),
]

/** Page that proposes rents for many leases, by rule or from a list. */
export default function ProposeRents({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, facilities, facilityName, query, capPercent } = loaderData
  const fields = actionData?.fields ?? {}
  const key = actionData?.key ?? loaderData.key
  return (
    <OfficePageFrame
      title="Propose rent changes"
      brand={brand}
      failed={Object.keys(fields).length > 0}
      lead="Nothing changes until another staff member approves. Then each tenant has 30 days' written notice by mail."
    >
      <ErrorSummary errors={fields} general={Object.keys(fields).filter((name) => !fieldIds.includes(name))} />
      <div className="office-halves">
        <Section title="By rule">
          <p className="small">
            For <strong>{facilities === 1 ? facilityName : `your ${facilities} facilities`}</strong>, as chosen in the
            head. No rent is raised by more than {capPercent} % at once.
          </p>
          <RuleForm submitted={actionData?.intent === 'rule' ? actionData : undefined} formKey={key} />
        </Section>
        <Section title="From a list">
          <p className="small">
            A line for each lease under the headings <code>facility</code>, <code>lease</code> or <code>unit</code>,{' '}
            <code>new_rent</code>. Begin with{' '}
            <Link to={`/office/rent-changes/leases.csv${query}`} reloadDocument>
              the leases of now
            </Link>{' '}
            and leave <code>new_rent</code> empty where nothing changes.
            {facilities > MAX_EXPORTED_FACILITIES &&
              ` Of many facilities the file has the first ${MAX_EXPORTED_FACILITIES}. Choose those that you work on.`}
          </p>
          <ListForm submitted={actionData?.intent === 'list' ? actionData : undefined} formKey={key} />
        </Section>
      </div>
    </OfficePageFrame>
  )
}

interface SubmittedForm {
  fields: FieldErrors
  values: FormValues
}

/**
 * Fields for the reason and the earliest day of new rents, used by both forms of this page.
 * @param id distinguishes the field ids of the two forms
 */
function Terms({ submitted, id }: { submitted: SubmittedForm | undefined; id: 'rule' | 'list' }) {
  return (
    <>
      <WhyField id={`reason-${id}`} value={submitted?.values.reason} error={submitted?.fields[`reason-${id}`]} />
      <DateField
        name="wanted_from"
        id={`wanted_from-${id}`}
        label="Not before"
        optional
        hint="mm/dd/yyyy. Else as early as the notice allows."
        defaultValue={submitted?.values.wanted_from}
        error={submitted?.fields[`wanted_from-${id}`]}
      />
    </>
  )
}

function RuleForm({ submitted, formKey }: { submitted: SubmittedForm | undefined; formKey: string }) {
  const busy = useNavigation().state === 'submitting'
  const value = (name: string, fallback: string) => submitted?.values[name] ?? fallback
  return (
    <Form method="post" className="office-form">
      <input type="hidden" name="key" value={formKey} />
      <FieldPair>
        <TextField
          name="months"
          label="Months since the last change"
          inputMode="numeric"
          width={5}
          defaultValue={value('months', '12')}
          error={submitted?.fields.months}
        />
        <TextField
          name="percent"
          label="Raise by, percent"
          inputMode="decimal"
          width={5}
          defaultValue={value('percent', '')}
          error={submitted?.fields.percent}
        />
      </FieldPair>
      <FieldPair>
        <TextField
          name="most"
          label="At most, dollars"
          optional
          inputMode="decimal"
          width={5}
          defaultValue={value('most', '')}
          error={submitted?.fields.most}
        />
        <TextField
          name="of_street_rate"
          label="Up to, percent of the street rate"
          optional
          inputMode="decimal"
          width={5}
          defaultValue={value('of_street_rate', '100')}
          error={submitted?.fields.of_street_rate}
        />
      </FieldPair>
      <Terms submitted={submitted} id="rule" />
      <p className="small soft">
        New rents are whole dollars, rounded down. Left out: who is moving out, prepared for auction, without an e-mail
        address, or has a change under way.
      </p>
      <ButtonRow>
        <Button name="intent" value="rule" busy={busy}>
          Propose by rule
        </Button>
      </ButtonRow>
    </Form>
  )
}

function ListForm({ submitted, formKey }: { submitted: SubmittedForm | undefined; formKey: string }) {
  const busy = useNavigation().state === 'submitting'
  return (
    <Form method="post" encType="multipart/form-data" className="office-form">
      <input type="hidden" name="key" value={formKey} />
      <FileField
        name="file"
        label="File"
        hint="CSV"
        optional
        accept=".csv,text/csv,text/plain"
        error={submitted?.fields.file}
      />
      <TextArea
        name="list"
        label="Or paste it"
        optional
        rows={7}
        defaultValue={submitted?.values.list}
        error={submitted?.fields.list}
      />
      <Terms submitted={submitted} id="list" />
      <ButtonRow>
        <Button kind="secondary" name="intent" value="list" busy={busy}>
          Propose the list
        </Button>
      </ButtonRow>
    </Form>
  )
}
