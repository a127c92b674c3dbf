import { lazyComponent } from './lazy-component.tsx'

/**
 * Advice below a refusal: what it means for money and unit, and what to do next. Empty for other sentences and in the
 * office. If loading fails, the sentence is shown without advice.
 */
export const RefusalAdvice = lazyComponent(
  import.meta.env.SSR ? (await import('./renter-refusal-advice.tsx')).RenterRefusalAdvice : null,
  () => import('./renter-refusal-advice.tsx').then(({ RenterRefusalAdvice }) => RenterRefusalAdvice),
)
