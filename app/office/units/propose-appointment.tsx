import { Link } from 'react-router'
import { ProposeAppointment } from '../../../modules/appointments/operations/propose-appointment.ts'
import { appointmentsElsewhere } from '../../../modules/facilities/texts/setup-and-appointment-errors.ts'
import { revalidateOnConflict } from '../../request/submit-or-report-offline.ts'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import { DateField, EmailField, PhoneField, TextField } from '../../ui/fields/text.tsx'
import { officeAction } from '../office-action.ts'
import { OfficePageFrame } from '../office-page-heading-and-sections.tsx'
import { OperationForm } from '../one-button-form.tsx'
import { openOfficePageAtFacility } from '../open-office-page-at-facility.ts'
import type { Route } from './+types/propose-appointment'
import { unitsPath } from './units-page-path.ts'

export async function loader(args: Route.LoaderArgs) {
  const { page, services, facts, location } = await openOfficePageAtFacility(args, 'link.send')
  return {
    brand: page.site.brand.name,
    location,
    facility: facts.location.name,
    elsewhere: services.propertyManagement.elsewhere === true,
    formKey: services.random.uuid(),
  }
}

export async function action(args: Route.ActionArgs) {
  const { page, location } = await openOfficePageAtFacility(args, 'link.send')
  return officeAction(page, args.request, {
    propose: {
      operation: ProposeAppointment,
      input: ({ typed }) => ({ ...typed, location_code: location }),
      done: 'appointment-proposed',
      back: `${unitsPath(location)}?view=appointments`,
    },
  })
}

export const shouldRevalidate = revalidateOnConflict

/** Page that proposes an appointment at a facility. The invited person confirms it through a mailed link. */
export default function NewAppointment({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, location, facility, elsewhere } = loaderData
  const fields = actionData?.fields ?? {}
  const values = actionData?.values ?? {}
  const field = (name: string, label: string) => ({
    name,
    label,
    autoComplete: 'off',
    defaultValue: values[name],
    error: fields[name],
  })
  return (
    <OfficePageFrame
      title="Propose an appointment"
      brand={brand}
      failed={Object.keys(fields).length > 0}
      lead={<Link to={`${unitsPath(location)}?view=appointments`}>{facility}</Link>}
    >
      <ErrorSummary errors={fields} general={['', 'form']} />
      {elsewhere ? (
        <p className="soft">{appointmentsElsewhere}</p>
      ) : (
        <OperationForm
          formKey={actionData?.key ?? loaderData.formKey}
          intent="propose"
          button="Propose and mail the link"
          letter="h"
        >
          <TextField {...field('name', 'Name')} maxLength={60} />
          <EmailField {...field('email', 'E-mail')} />
          <PhoneField {...field('phone', 'Phone')} optional />
          <div className="office-pair">
            <DateField {...field('day', 'Day')} />
            <TextField {...field('time', 'Time')} type="time" width={10} />
          </div>
          <p className="small soft">
            The time is by the facility’s own clock. The link confirms it or asks for another time. The day before, a
            reminder goes out.
          </p>
        </OperationForm>
      )}
    </OfficePageFrame>
  )
}
