import { loadedLate } from './loaded-late.tsx'

/**
 * Advice below a refusal: what it means for money and unit, and what to do next. Empty for other sentences. If loading
 * fails, the sentence is shown without advice.
 */
export const LeadsOn = loadedLate(import.meta.env.SSR ? (await import('./refusal.tsx')).Refusal : null, () =>
  import('./refusal.tsx').then(({ Refusal }) => Refusal),
)
