import { bankData, payFromBank } from '../pay/bank-lane.ts'
import { BankPage } from '../pay/bank-page.tsx'
import type { BankAnswer } from '../pay/parts/bank-form.tsx'
import { rereadWhenStale, send } from '../reserve/sending.ts'
import type { Route } from './+types/process-payment-ach'

export const meta = () => [{ name: 'robots', content: 'noindex' }]

/** The guest's bank account (spec 2 §2 "Guest payment"). */
export const loader = (args: Route.LoaderArgs) => bankData(args, 'guest')

export const action = (args: Route.ActionArgs) => payFromBank(args, 'guest')

export const shouldRevalidate = rereadWhenStale

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => send(() => serverAction())

export default function GuestProcessPaymentAch({ loaderData, actionData }: Route.ComponentProps) {
  return <BankPage {...loaderData} answer={actionData as BankAnswer | undefined} />
}
