import { contextOf } from '../request/context.ts'
import { LinkButton } from '../ui/buttons.tsx'
import type { Route } from './+types/payment-return'
import { checkoutReturn } from './checkout-flow.ts'
import { CheckedPaymentPage } from './parts/lost-session-outcome.tsx'
import { OutcomePage } from './parts/unposted-payment-outcome.tsx'
import { payerOf, paysByLink } from './payer-page-addresses.ts'
import { linkReturn } from './payment-link-pages.ts'
import { returnWithoutSession, settleReturn } from './settle-card-return.ts'

/** Marks the page as part of a payment, though it shows no price (app/root.tsx). */
export const handle = { quiet: true }

export async function loader(args: Route.LoaderArgs) {
  const payer = payerOf(args)
  const lost = await returnWithoutSession(contextOf(args.context), args.request)
  if (lost) return { lost }
  const to = await (paysByLink(payer) ? linkReturn(args, payer) : checkoutReturn(args, payer))
  return { ...(await settleReturn(to, args.request)), back: to.back, lost: null }
}

export default function Return({ loaderData }: Route.ComponentProps) {
  if (loaderData.lost) return <CheckedPaymentPage {...loaderData.lost} />
  const { back, lost: _, ...outcome } = loaderData
  return (
    <OutcomePage {...outcome}>
      <LinkButton kind="secondary" href={back.to}>
        {back.label}
      </LinkButton>
    </OutcomePage>
  )
}
