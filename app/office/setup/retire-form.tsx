import { Link } from 'react-router'
import { WhyField } from '../note-field.tsx'
import { ActForm } from '../operation-form.tsx'
import { Offered } from './setup-frame.tsx'

const SHOWN = 40

/**
 * Form that retires a unit, unit type or facility, or rents it again. It lists what blocks it, rented units or a gate, with links.
 */
export function RetireForm({
  formKey,
  code,
  retiredOn,
  above,
  taken,
  hasGate,
  says,
  fields,
  values,
}: {
  formKey: string
  code: string
  retiredOn: string | null
  /** True when the facility or unit type that it belongs to is retired. */
  above: boolean
  taken: { id: number; unit: string }[]
  /** True for a facility at which a gate is connected. */
  hasGate: boolean
  says: string
  fields: Record<string, string>
  values: Record<string, string>
}) {
  if (retiredOn !== null && above)
    return (
      <p>
        <Offered retiredOn={retiredOn} /> What it belongs to is retired too: let that again first.
      </p>
    )
  if (retiredOn === null && taken.length > 0)
    return (
      <p>
        Still let:{' '}
        {taken.slice(0, SHOWN).map(({ id, unit }, index) => (
          <span key={id}>
            {index > 0 && ', '}
            <Link to={`/office/units/${code}/${id}`}>{unit}</Link>
          </span>
        ))}
        {taken.length > SHOWN && ` and ${taken.length - SHOWN} more`}. It can be retired once these are empty.
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
    <ActForm formKey={formKey} intent="retire" button="Retire" kind="danger">
      <p className="small soft">{says}</p>
      {why}
    </ActForm>
  ) : (
    <ActForm formKey={formKey} intent="restore" button="Let it again" kind="secondary">
      <p>
        <Offered retiredOn={retiredOn} />
      </p>
      {why}
    </ActForm>
  )
}
