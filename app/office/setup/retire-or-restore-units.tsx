import { officeNotFound } from '../../../domain/texts/office-refusals.ts'
import { RetireOrRestore } from '../../../modules/facilities/operations/retire-or-restore.ts'
import {
  findRetirable,
  loadRetirableUnitsPage,
  type RetirableUnitsPage,
} from '../../../modules/facilities/views/retire-or-restore-page.ts'
import { revalidateOnConflict } from '../../request/submit-or-report-offline.ts'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import { officeAction } from '../office-action.ts'
import { Section } from '../office-page-heading-and-sections.tsx'
import { OfficeTable } from '../office-table.tsx'
import { parseRecordNumber } from '../parse-record-number.ts'
import type { Route } from './+types/retire-or-restore-units'
import { openSetup } from './open-setup.ts'
import { RetireOrRestoreForm } from './retire-or-restore-form.tsx'
import { OfferedOrRetiredTag, SetupPage } from './setup-frame.tsx'

const requestedOf = ({ kind, id }: Route.LoaderArgs['params']) => ({ kind, id: parseRecordNumber(id) })

export async function loader(args: Route.LoaderArgs) {
  const { page, facts, about } = await openSetup(args)
  const retirableUnits = await loadRetirableUnitsPage(page.site.services, facts, requestedOf(args.params))
  if (!retirableUnits) throw new Response(officeNotFound, { status: 404 })
  return { ...retirableUnits, about, formKey: page.site.services.random.uuid() }
}

export async function action(args: Route.ActionArgs) {
  const { page, facts, about } = await openSetup(args)
  const found = await findRetirable(page.site.services, facts, requestedOf(args.params))
  if (!found) throw new Response(officeNotFound, { status: 404 })
  return officeAction(page, args.request, {
    save: {
      operation: RetireOrRestore,
      input: ({ intent, typed }) => ({
        location_code: about.code,
        ...found.retirable,
        retired: intent === 'retire',
        reason: typed.reason ?? '',
      }),
    },
  })
}

export const shouldRevalidate = revalidateOnConflict

/**
 * Page that retires or restores a facility, unit type or unit. It lists a facility's unit types and retired units, and a
 * unit type's units.
 */
export default function RetireUnits({ loaderData, actionData }: Route.ComponentProps) {
  const { about, kind, name, retiredOn, isParentRetired, hasGate, taken, types, units, formKey } = loaderData
  const fields = actionData?.fields ?? {}
  const title = kind === 'facility' ? 'What is let' : name.replace(/^./, (letter) => letter.toUpperCase())
  return (
    <SetupPage about={about} at="/letting" title={title} failed={Object.keys(fields).length > 0}>
      <ErrorSummary errors={fields} general={['form']} />
      {kind === 'facility' && (
        <Section title="Unit types" count={types.length}>
          <OfficeTable
            caption="Unit types"
            rows={types}
            rowKey={(row) => String(row.id)}
            open={(row) => `/office/setup/${about.code}/letting/unit_type/${row.id}`}
            empty="No unit type."
            columns={[
              { label: 'Unit type', cell: (row) => row.name },
              { label: 'Units', right: true, cell: (row) => row.all },
              { label: 'Let', right: true, cell: (row) => row.taken },
              { label: 'Offered', cell: (row) => <OfferedOrRetiredTag retiredOn={row.retiredOn} /> },
            ]}
          />
        </Section>
      )}
      {kind !== 'unit' && (
        <Section title={kind === 'facility' ? 'Retired units' : 'Units'} count={units.length}>
          <OfficeTable
            caption={kind === 'facility' ? 'Retired units' : `Units of ${name}`}
            rows={units}
            rowKey={(row) => String(row.id)}
            open={(row) => `/office/units/${about.code}/${row.id}`}
            empty="None."
            columns={[
              { label: 'Unit', cell: (row) => row.unit },
              { label: 'Offered', cell: (row) => <OfferedOrRetiredTag retiredOn={row.retiredOn} /> },
            ]}
          />
        </Section>
      )}
      <Section title={retiredOn === null ? `Retire ${name}` : `Let ${name} again`}>
        <RetireOrRestoreForm
          formKey={actionData?.key ?? formKey}
          code={about.code}
          retiredOn={retiredOn}
          isParentRetired={isParentRetired}
          taken={taken}
          hasGate={hasGate}
          fields={fields}
          values={actionData?.values ?? {}}
          consequences={consequencesOf[kind]}
        />
      </Section>
    </SetupPage>
  )
}

const consequencesOf: Record<RetirableUnitsPage['kind'], string> = {
  unit: 'It leaves the map, the lists and the occupancy. Its closed leases keep it.',
  unit_type: 'It leaves the site, and its units with it. Their closed leases keep them.',
  facility: 'Its page, search and reservations end at once. Former tenants keep their account, receipts and leases.',
}
