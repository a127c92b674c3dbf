import { rereadWhenStale, send } from '../reserve/sending.ts'
import type { Route } from './+types/bank'
import { bankData, payFromBank } from './bank-lane.ts'
import { BankPage } from './bank-page.tsx'
import type { BankAnswer } from './parts/bank-form.tsx'

export const meta = () => [{ name: 'robots', content: 'noindex' }]

/** The tenant's bank account (spec 2 §2 "Tenant payment"). */
export const loader = (args: Route.LoaderArgs) => bankData(args, 'tenant')

export const action = (args: Route.ActionArgs) => payFromBank(args, 'tenant')

export const shouldRevalidate = rereadWhenStale

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => send(() => serverAction())

export default function OnlinePaymentAch({ loaderData, actionData }: Route.ComponentProps) {
  return <BankPage {...loaderData} answer={actionData as BankAnswer | undefined} />
}
