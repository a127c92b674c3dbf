import { officeNotFound } from '../../../domain/texts/office-refusals.ts'
import { SaveLetting } from '../../../modules/facilities/operations/save-letting.ts'
import {
  isRentedOrHeld,
  loadRetirableUnits,
  type Retirable,
  type RetirableKind,
  retirableKinds,
  type UnitOf,
} from '../../../modules/facilities/retiring.ts'
import { sizeLabel } from '../../../modules/facilities/rules/size-label.ts'
import { isGateConnected } from '../../../modules/gate/gate-rows.ts'
import { revalidateOnConflict } from '../../request/form-client-action.ts'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import { officeAction } from '../office-action.ts'
import { OfficeList } from '../office-list.tsx'
import { Section } from '../office-page-frame.tsx'
import type { Route } from './+types/rentable-units'
import { openSetup } from './open-setup.ts'
import { RetireForm } from './retire-form.tsx'
import { OfferedTag, SetupPage } from './setup-frame.tsx'

/** Loads the facility, unit type or unit that the URL names, with its units. @throws 404 when it does not exist */
async function open(args: Route.LoaderArgs | Route.ActionArgs) {
  const setup = await openSetup(args)
  const { kind: kindParam, id } = args.params
  const kind =
    kindParam === undefined
      ? 'facility'
      : retirableKinds.find((retirableKind) => retirableKind !== 'facility' && retirableKind === kindParam)
  const retirable: Retirable | undefined = kind && { kind, id: kind === 'facility' ? 0 : Number(id) || -1 }
  const units = retirable && (await loadRetirableUnits(setup.page.site.services.db.read, setup.about.code, retirable))
  const type = setup.facts.unitTypes.find((unitType) => unitType.unit_type_id === typeIdOf(retirable, units))
  if (!retirable || !units || (kind !== 'facility' && !type)) throw new Response(officeNotFound, { status: 404 })
  return { ...setup, type, retirable, units }
}

const typeIdOf = (retirable: Retirable | undefined, units: UnitOf[] | undefined) =>
  retirable?.kind === 'unit_type' ? retirable.id : retirable?.kind === 'unit' ? units?.[0]?.unit_type_id : undefined

const nameOf = (type: { length: number; breadth: number; category_name: string }) =>
  `${sizeLabel(type)} ${type.category_name}`

export async function loader(args: Route.LoaderArgs) {
  const { page, facts, about, type, retirable, units } = await open(args)
  const now = page.site.services.clock.now()
  const countUnits = (unitsOfType: UnitOf[]) => ({
    all: unitsOfType.filter((unit) => unit.retired_on === null).length,
    taken: unitsOfType.filter((unit) => isRentedOrHeld(unit, now)).length,
  })
  const unit = retirable.kind === 'unit' ? units[0] : undefined
  const closed = facts.location.retired_on
  return {
    about,
    kind: retirable.kind,
    formKey: page.site.services.random.uuid(),
    name: unit ? `unit ${unit.unit_number}` : type ? nameOf(type) : about.facility,
    retiredOn: unit ? unit.retired_on : type ? type.retired_on : closed,
    isParentRetired: type !== undefined && (closed !== null || (unit !== undefined && type.retired_on !== null)),
    hasGate: retirable.kind === 'facility' && (await isGateConnected(page.site.services.db.read, about.code)),
    taken: units.filter((unit) => isRentedOrHeld(unit, now)).map((row) => ({ id: row.unit_id, unit: row.unit_number })),
    types: type
      ? []
      : facts.unitTypes.map((unitType) => ({
          id: unitType.unit_type_id,
          name: nameOf(unitType),
          retiredOn: unitType.retired_on,
          ...countUnits(units.filter((row) => row.unit_type_id === unitType.unit_type_id)),
        })),
    units: units
      .filter((row) => !unit && (type || row.retired_on !== null))
      .map((row) => ({ id: row.unit_id, unit: row.unit_number, retiredOn: row.retired_on })),
  }
}

export async function action(args: Route.ActionArgs) {
  const { page, about, retirable } = await open(args)
  return officeAction(page, args.request, {
    save: {
      operation: SaveLetting,
      input: ({ intent, typed }) => ({
        location_code: about.code,
        ...retirable,
        retired: intent === 'retire',
        reason: typed.reason ?? '',
      }),
    },
  })
}

export const shouldRevalidate = revalidateOnConflict

/** Page that retires a facility, unit type or unit or rents it again, with lists of its unit types and units. */
export default function RentableUnitsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { about, kind, name, retiredOn, isParentRetired, hasGate, taken, types, units, formKey } = loaderData
  const fields = actionData?.fields ?? {}
  const title = kind === 'facility' ? 'What is let' : name.replace(/^./, (letter) => letter.toUpperCase())
  return (
    <SetupPage about={about} at="/letting" title={title} failed={Object.keys(fields).length > 0}>
      <ErrorSummary errors={fields} general={['form']} />
      {kind === 'facility' && (
        <Section title="Unit types" count={types.length}>
          <OfficeList
            caption="Unit types"
            rows={types}
            rowKey={(row) => String(row.id)}
            open={(row) => `/office/setup/${about.code}/letting/unit_type/${row.id}`}
            empty="No unit type."
            columns={[
              { label: 'Unit type', cell: (row) => row.name },
              { label: 'Units', right: true, cell: (row) => row.all },
              { label: 'Let', right: true, cell: (row) => row.taken },
              { label: 'Offered', cell: (row) => <OfferedTag retiredOn={row.retiredOn} /> },
            ]}
          />
        </Section>
      )}
      {kind !== 'unit' && (
        <Section title={kind === 'facility' ? 'Retired units' : 'Units'} count={units.length}>
          <OfficeList
            caption={kind === 'facility' ? 'Retired units' : `Units of ${name}`}
            rows={units}
            rowKey={(row) => String(row.id)}
            open={(row) => `/office/units/${about.code}/${row.id}`}
            empty="None."
            columns={[
              { label: 'Unit', cell: (row) => row.unit },
              { label: 'Offered', cell: (row) => <OfferedTag retiredOn={row.retiredOn} /> },
            ]}
          />
        </Section>
      )}
      <Section title={retiredOn === null ? `Retire ${name}` : `Let ${name} again`}>
        <RetireForm
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

const consequencesOf: Record<RetirableKind, string> = {
  unit: 'It leaves the map, the lists and the occupancy. Its closed leases keep it.',
  unit_type: 'It leaves the site, and its units with it. Their closed leases keep them.',
  facility: 'Its page, search and reservations end at once. Former tenants keep their account, receipts and leases.',
}
