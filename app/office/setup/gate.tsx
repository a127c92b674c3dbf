import { Form, Link, useNavigation } from 'react-router'
import { gateConnectionMark, SaveGate } from '../../../modules/gate/operations/save-gate.ts'
import { confirmedHoursOf } from '../../../modules/gate/rules/hours-acknowledged-by-gate.ts'
import {
  formatDayHours,
  proposedHours,
  saysOtherHours,
  weekdays,
} from '../../../modules/gate/rules/parse-and-format-gate-week.ts'
import { loadGateSetupPage } from '../../../modules/gate/views/gate-setup-page.ts'
import { revalidateOnConflict } from '../../request/submit-or-report-offline.ts'
import { Button, ButtonRow } from '../../ui/buttons.tsx'
import { DataList } from '../../ui/data-tables.tsx'
import { RadioCards } from '../../ui/fields/choice.tsx'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import { TextField } from '../../ui/fields/text.tsx'
import type { FieldErrors, FormValues } from '../../ui/use-form-checks.ts'
import { loadStoredFormOfPage } from '../form-awaiting-second-factor.ts'
import { WhyField } from '../note-and-reason-fields.tsx'
import { officeAction, readOfficeForm } from '../office-action.ts'
import { Section } from '../office-page-heading-and-sections.tsx'
import { formatOfficeTime } from '../office-time.ts'
import type { Route } from './+types/gate'
import { openSetup } from './open-setup.ts'
import { SetupPage } from './setup-frame.tsx'

export async function loader(args: Route.LoaderArgs) {
  const { page, facts, about } = await openSetup(args)
  const { services } = page.site
  const { location } = facts
  const { gate, keys } = await loadGateSetupPage(services, location)
  const week = gate ? confirmedHoursOf(gate) : null
  const formatTime = (instant: number | null) => formatOfficeTime(instant, location.time_zone)
  return {
    about,
    key: services.random.uuid(),
    listReason: (await loadStoredFormOfPage(page))?.values.list_reason,
    before: gateConnectionMark(gate),
    kind: gate?.kind ?? '',
    days: weekdays.map((_, day) => (week ? formatDayHours(week[day] ?? null) : proposedHours(location.gate_hours))),
    confirmed: week !== null,
    hours: location.gate_hours,
    differs: gate?.kind !== 'none' && week !== null && saysOtherHours(location.gate_hours, week),
    keys,
    state:
      gate && gate.kind !== 'none'
        ? {
            address: `${services.publicUrl}/api/gate/${about.code}/state`,
            heard: formatTime(gate.heardAt),
            keyName: gate.keyName,
            taken: formatTime(gate.takenAt),
            since: formatTime(gate.since),
            behind: gate.behind,
          }
        : null,
  }
}

export async function action(args: Route.ActionArgs) {
  const { page, about } = await openSetup(args)
  const form = await readOfficeForm(page, args.request)
  return officeAction(page, form, {
    save: {
      operation: SaveGate,
      input: ({ typed }) => ({
        location_code: about.code,
        kind: typed.kind ?? '',
        days: weekdays.map((_, day) => typed[`day-${day}`] ?? ''),
        before: typed.before ?? '',
        reason: typed.reason ?? '',
      }),
      fieldNames: (name) => name.replace('days.', 'day-'),
      done: 'gate',
    },
  })
}

export const shouldRevalidate = revalidateOnConflict

const connectionOptions = [
  {
    value: 'pull',
    label: 'A controller that asks',
    detail: 'It reads the list with a key of its own every few seconds, and reports what happened.',
  },
  {
    value: 'none',
    label: 'No gate is connected',
    detail: 'Pages show the code and the hours, but not whether the code works now.',
  },
]

/** Page for a facility's gate: its connection, hours and state. */
export default function GateSetup({ loaderData, actionData }: Route.ComponentProps) {
  const { about, state, keys } = loaderData
  const fields = actionData?.fields ?? {}
  const values = actionData?.values ?? {}
  return (
    <SetupPage about={about} at="/gate" title="Gate" failed={Object.keys(fields).length > 0}>
      <ErrorSummary errors={fields} general={['form']} />
      <div className="office-halves">
        <Section title="What is connected">
          <GateForm loaded={loaderData} formKey={actionData?.key ?? loaderData.key} fields={fields} values={values} />
        </Section>
        <div>
          <Section title="State">
            {state ? (
              <DataList
                facts={[
                  { label: 'Address', value: state.address },
                  {
                    label: 'Last heard',
                    value: state.heard ? `${state.heard}${state.keyName ? `, key ${state.keyName}` : ''}` : 'never',
                  },
                  { label: 'Newest list taken', value: state.taken || `none since ${state.since}` },
                  {
                    label: 'List',
                    value:
                      state.behind === 0
                        ? 'up to date with the ledger'
                        : 'not up to date: the gate has not taken the newest list',
                  },
                ]}
              />
            ) : (
              <p className="soft">{loaderData.kind === 'none' ? 'No gate is connected.' : 'Nothing is chosen yet.'}</p>
            )}
          </Section>
          <Section title="Keys for this gate">
            {keys.length === 0 ? <p className="soft">None yet.</p> : <p>{keys.map((key) => key.name).join(', ')}</p>}
            <p className="small soft">
              An owner creates keys under <Link to="/office/setup/keys">Keys</Link>: role Gate, for this facility.
            </p>
          </Section>
          <Section title="List for a gate without a controller">
            <GateList code={about.code} reason={loaderData.listReason} />
          </Section>
        </div>
      </div>
    </SetupPage>
  )
}

/** Form that downloads the code list of a gate that is programmed by hand. */
const GateList = ({ code, reason }: { code: string; reason: string | undefined }) => (
  <form method="post" action={`/office/setup/${code}/gate/list.csv`} className="office-form">
    <WhyField id="list-reason" label="Why you need the list" value={reason} />
    <ButtonRow>
      <Button kind="secondary">Download all codes (CSV)</Button>
    </ButtonRow>
    <p className="small soft">For a gate that is programmed by hand. The download is recorded in the audit log.</p>
  </form>
)

function GateForm({
  loaded,
  formKey,
  fields,
  values,
}: {
  loaded: Route.ComponentProps['loaderData']
  formKey: string
  fields: FieldErrors
  values: FormValues
}) {
  const busy = useNavigation().state === 'submitting'
  return (
    <Form method="post" className="office-form">
      <input type="hidden" name="key" value={formKey} />
      <input type="hidden" name="before" value={loaded.before} />
      <RadioCards
        name="kind"
        legend="At the gate"
        options={connectionOptions}
        defaultValue={values.kind ?? loaded.kind}
        error={fields.kind}
      />
      <p className="small soft">
        {loaded.confirmed ? 'The controller applies these hours.' : 'Check the hours: a controller applies them.'}{' '}
        Visitors read: {loaded.hours || 'no gate hours'}
        {loaded.differs ? ', which the week below does not say: change one of them.' : '.'} Without a controller the
        hours may stay empty.
      </p>
      {weekdays.map((name, day) => (
        <TextField
          key={name}
          name={`day-${day}`}
          label={name}
          width={10}
          maxLength={40}
          optional
          autoComplete="off"
          defaultValue={values[`day-${day}`] ?? loaded.days[day]}
          error={fields[`day-${day}`]}
        />
      ))}
      <WhyField value={values.reason} error={fields.reason} />
      <ButtonRow>
        <Button name="intent" value="save" busy={busy}>
          Save
        </Button>
      </ButtonRow>
    </Form>
  )
}
