import { Suspense, use } from 'react'

type Known = typeof import('./refusal.tsx')

// The server has it at hand; a browser loads it where something is refused, since few pages need it.
const atHand: Known | null = import.meta.env.SSR ? await import('./refusal.tsx') : null
let loading: Promise<Known> | undefined

/** What a refusal means for money and unit, and what to do next; nothing for other sentences. */
export const LeadsOn = ({ sentence }: { sentence: string }) => (
  <Suspense>
    <Loaded sentence={sentence} />
  </Suspense>
)

function Loaded({ sentence }: { sentence: string }) {
  // Without it (the network failed) the sentence stands alone.
  loading ??= atHand ? undefined : import('./refusal.tsx').catch(() => ({ Refusal: () => null }))
  const { Refusal } = atHand ?? use(loading as Promise<Known>)
  return <Refusal sentence={sentence} />
}
