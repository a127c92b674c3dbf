import type { StepPath } from '../../modules/reservations/rules/journey/steps.ts'
import { summaryWith } from '../journey.ts'
import type { Route } from './+types/price-beside'

/** What the page of a step would cost with what its form says; the page's scripts ask for it. */
export const loader = async (args: Route.LoaderArgs) => ({
  summary: await summaryWith(args, `/${args.params.step}` as StepPath),
})
