import { previewPriceSummary } from '../open-journey-step.ts'
import type { Route } from './+types/serve-price-summary'

/** Serves the price summary of a rental step, computed with unsaved form values, to the page's script. */
export const loader = async (args: Route.LoaderArgs) => ({
  summary: await previewPriceSummary(args, `/${args.params.step}`),
})
