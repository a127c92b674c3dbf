import { data, redirect } from 'react-router'
import { EMAIL_MAX } from '../../domain/field-lengths.ts'
import { emailIncorrect, emailRequired } from '../../domain/texts/field-errors.ts'
import { JoinWaitlist } from '../../modules/reservations/operations/join-waitlist.ts'
import { tellMeWhenFree } from '../../modules/reservations/texts/reserve.ts'
import { contextOf } from '../request/context.ts'
import { readForm } from '../request/read-form-fields.ts'
import type { PageHandle } from '../route-handles-for-page-layout.ts'
import { BackLink } from '../ui/back-link.tsx'
import { Button, ButtonRow, LinkButton } from '../ui/buttons.tsx'
import { Callout } from '../ui/card-tag-and-callout.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { EmailField } from '../ui/fields/text.tsx'
import { PageFrame } from '../ui/page.tsx'
import type { Route } from './+types/join-waitlist'
import { requireOfferedType } from './require-offered-type.ts'

export const handle: PageHandle = { sheet: 'waitlist' }

export async function loader({ params, request, context }: Route.LoaderArgs) {
  const { services, brand } = contextOf(context)
  const { facility, type } = await requireOfferedType(services, params)
  return {
    brand: brand.name,
    name: facility.name,
    path: facility.path,
    size: `${type.size} ${type.categoryName}`,
    free: type.free > 0,
    done: new URL(request.url).searchParams.has('done'),
  }
}

export async function action({ params, request, context }: Route.ActionArgs) {
  const site = contextOf(context)
  const { email = '' } = await readForm(request)
  const outcome = await site.call(JoinWaitlist, {
    location_code: params.locationCode,
    unit_type_id: params.unitTypeId,
    email,
  })
  if (outcome.ok) return redirect(`${new URL(request.url).pathname}?done=1`)
  if (outcome.status === 404) throw data(null, { status: 404 })
  const fields: Record<string, string> =
    outcome.status === 400 ? { email: email.trim() === '' ? emailRequired : emailIncorrect } : { form: outcome.message }
  return data({ fields, email }, { status: outcome.status })
}

export const meta = () => [{ name: 'robots', content: 'noindex, follow' }]

export default function JoinWaitlistPage({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, name, path, size, free, done } = loaderData
  const unitsLink = <LinkButton href={`${path}#units`}>See units and prices</LinkButton>
  return (
    <PageFrame narrow title={tellMeWhenFree} brand={brand} wrong={actionData !== undefined}>
      <BackLink to={`${path}#units`} />
      <h1>{done ? 'We tell you when one is free' : tellMeWhenFree}</h1>
      <p className="lead mt-3">
        {size} at {name}
      </p>
      {done ? (
        <div className="mt-6">
          <Callout tone="success" title="Your address is on the list">
            <p>Who asked first is told first. We write once, and hold no unit for you: the first to rent has it.</p>
          </Callout>
          <ButtonRow>{unitsLink}</ButtonRow>
        </div>
      ) : free ? (
        <div className="mt-6">
          <Callout tone="success" title="One is free now">
            <p>You can reserve it free, or rent it now.</p>
          </Callout>
          <ButtonRow>{unitsLink}</ButtonRow>
        </div>
      ) : (
        <form method="post" className="mt-6" noValidate>
          <ErrorSummary errors={actionData?.fields ?? {}} />
          <EmailField
            name="email"
            label="Email"
            hint="We write once, when one is free, and then forget the address."
            error={actionData?.fields.email}
            defaultValue={actionData?.email ?? ''}
            maxLength={EMAIL_MAX}
          />
          <p className="small soft mt-3">
            Who asked first is told first. No unit is held for you. <a href="/privacy">Privacy</a>
          </p>
          <ButtonRow>
            <Button>Tell me</Button>
          </ButtonRow>
        </form>
      )}
    </PageFrame>
  )
}
