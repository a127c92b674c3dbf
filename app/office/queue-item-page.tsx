import { Form, Link } from 'react-router'
import { formatUs } from '../../domain/plain-date.ts'
import { officeNotFound } from '../../domain/texts/office-refusals.ts'
import { waitsForDay } from '../../modules/staff/rules/queue-item-and-query.ts'
import { Button, ButtonRow } from '../ui/buttons.tsx'
import { DataList } from '../ui/data-tables.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { TextField } from '../ui/fields/text.tsx'
import { formatCents } from '../ui/money.tsx'
import type { FormValues } from '../ui/use-form-checks.ts'
import type { Route } from './+types/queue-item-page'
import { loadStoredFormOfPage } from './form-awaiting-second-factor.ts'
import { OfficePageFrame, Section } from './office-page-heading-and-sections.tsx'
import { loadTimeFormatter } from './office-time.ts'
import { openOfficePage } from './open-office-page.ts'
import { isQueueKind, queueKindByName } from './queue/queue-kinds.ts'
import { QueueItemFields, QueueItemSubject, toQueueRowView } from './queue/queue-table.tsx'
import { loadQueueItem, runQueueItemOperation } from './queue/work-queue-items.ts'

export async function loader(args: Route.LoaderArgs) {
  const page = await openOfficePage(args)
  const { kind, id } = args.params
  const row = isQueueKind(kind) ? await loadQueueItem(page, kind, id) : null
  if (!row) throw new Response(officeNotFound, { status: 404 })
  const timeAt = await loadTimeFormatter(page)
  return {
    brand: page.site.brand.name,
    row: toQueueRowView(row, page.site.services.clock.now()),
    since: waitsForDay(row) ? null : timeAt(row.at, row.locationCode),
    storedValues: (await loadStoredFormOfPage(page))?.values ?? null,
    /** Operations that need a text, each with its form. */
    forms: queueKindByName(row.kind).acts.flatMap(({ intent, label, field }) =>
      field ? [{ intent, label, fieldLabel: field.label, hint: field.hint }] : [],
    ),
  }
}

export async function action(args: Route.ActionArgs) {
  return runQueueItemOperation(await openOfficePage(args), args.request, '/office/queue')
}

/** Page of a queue item, with all operations on it. */
export default function QueueItem({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, row, since, forms } = loaderData
  const fields = actionData?.fields ?? {}
  const values: FormValues | null = actionData?.values ?? loaderData.storedValues
  return (
    <OfficePageFrame title={row.what} brand={brand} failed={Object.keys(fields).length > 0}>
      <ErrorSummary errors={fields} general={['form']} />
      <DataList
        facts={[
          ...(row.cents === null ? [] : [{ label: 'Amount', value: formatCents(row.cents) }]),
          { label: 'About', value: <QueueItemSubject row={row} /> },
          ...(row.why ? [{ label: 'Details', value: row.why }] : []),
          ...(row.due === null ? [] : [{ label: 'Due', value: formatUs(row.due) }]),
          ...(since === null ? [] : [{ label: 'Waits since', value: `${since}, ${row.age}` }]),
          ...(row.owner ? [{ label: 'Owner', value: row.owner }] : []),
          ...(row.kind === 'proof'
            ? [{ label: 'File', value: <a href={`/office/proofs/${row.locationCode}/${row.id}`}>Open the file</a> }]
            : []),
        ]}
      />
      {row.acts.length > 0 && (
        <Form method="post" className="mt-6">
          <QueueItemFields row={row} />
          <ButtonRow>
            {row.acts.map(({ intent, label, key, quiet }) => (
              <Button key={intent} kind={quiet ? 'secondary' : 'primary'} name="intent" value={intent} data-key={key}>
                {label}
              </Button>
            ))}
          </ButtonRow>
        </Form>
      )}
      {forms.map(({ intent, label, fieldLabel, hint }) => (
        <Section key={intent} title={label}>
          <Form method="post" className="office-form">
            <QueueItemFields row={row} />
            <TextField
              name="text"
              id={`text-${intent}`}
              label={fieldLabel}
              hint={hint}
              maxLength={300}
              defaultValue={values?.intent === intent ? values.text : undefined}
              error={fields[`text-${intent}`]}
            />
            <ButtonRow>
              <Button kind="secondary" name="intent" value={intent}>
                {label}
              </Button>
            </ButtonRow>
          </Form>
        </Section>
      ))}
      <p className="mt-6">
        <Link to="/office/queue">Back to the queue</Link>
      </p>
    </OfficePageFrame>
  )
}
