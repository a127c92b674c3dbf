import { Suspense, use } from 'react'

type Known = typeof import('./refusal.tsx')

// The server imports the table; browsers load it when something is refused, since few pages need it.
const atHand: Known | null = import.meta.env.SSR ? await import('./refusal.tsx') : null
let loading: Promise<Known> | undefined

/** Advice below a refusal: what it means for money and unit, and what to do next. Empty for other sentences. */
export const LeadsOn = ({ sentence }: { sentence: string }) => (
  <Suspense>
    <Loaded sentence={sentence} />
  </Suspense>
)

function Loaded({ sentence }: { sentence: string }) {
  // If loading fails, the sentence is shown without advice.
  loading ??= atHand ? undefined : import('./refusal.tsx').catch(() => ({ Refusal: () => null }))
  const { Refusal } = atHand ?? use(loading as Promise<Known>)
  return <Refusal sentence={sentence} />
}
