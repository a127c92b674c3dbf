import { Link } from 'react-router'
import { WhyField } from '../note-and-reason-fields.tsx'
import { OperationForm } from '../one-button-form.tsx'
import { OfferedOrRetiredTag } from './setup-frame.tsx'

/** Maximum number of rented or held units that the form lists. */
const MAX_UNITS = 40

/**
 * Form that retires a unit, unit type or facility, or restores it. Where that is not possible now, says why instead,
 * with links to the rented and held units or the gate, if these prevent it.
 */
export function RetireOrRestoreForm({
  formKey,
  code,
  retiredOn,
  isParentRetired,
  taken,
  hasGate,
  consequences,
  fields,
  values,
}: {
  formKey: string
  code: string
  retiredOn: string | null
  /** True when the unit type's or unit's facility, or the unit's type, is retired. */
  isParentRetired: boolean
  /** Rented and held units, which prevent retiring. */
  taken: { id: number; unit: string }[]
  /** True for a facility at which a gate is connected. */
  hasGate: boolean
  consequences: string
  fields: Record<string, string>
  values: Record<string, string>
}) {
  if (retiredOn !== null && isParentRetired)
    return (
      <p>
        <OfferedOrRetiredTag retiredOn={retiredOn} /> What it belongs to is retired too: let that again first.
      </p>
    )
  if (retiredOn === null && taken.length > 0)
    return (
      <p>
        Still let:{' '}
        {taken.slice(0, MAX_UNITS).map(({ id, unit }, index) => (
          <span key={id}>
            {index > 0 && ', '}
            <Link to={`/office/units/${code}/${id}`}>{unit}</Link>
          </span>
        ))}
        {taken.length > MAX_UNITS && ` and ${taken.length - MAX_UNITS} more`}. It can be retired once these are empty.
      </p>
    )
  if (retiredOn === null && hasGate)
    return (
      <p>
        A <Link to={`/office/setup/${code}/gate`}>gate</Link> is connected here. It can be retired once no gate is
        connected.
      </p>
    )
  const why = <WhyField value={values.reason} error={fields.reason} />
  return retiredOn === null ? (
    <OperationForm formKey={formKey} intent="retire" button="Retire" kind="danger">
      <p className="small soft">{consequences}</p>
      {why}
    </OperationForm>
  ) : (
    <OperationForm formKey={formKey} intent="restore" button="Let it again" kind="secondary">
      <p>
        <OfferedOrRetiredTag retiredOn={retiredOn} />
      </p>
      {why}
    </OperationForm>
  )
}
