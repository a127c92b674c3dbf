import type { StepPath } from '../../modules/reservations/rules/journey/journey-steps.ts'
import { previewPriceSummary } from '../journey.ts'
import type { Route } from './+types/live-price'

/** Returns the price summary of a step with its form's unsaved values, for the page's scripts. */
export const loader = async (args: Route.LoaderArgs) => ({
  summary: await previewPriceSummary(args, `/${args.params.step}` as StepPath),
})
