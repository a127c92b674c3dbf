import { type FormEvent, useCallback, useRef } from 'react'
import { useFetcher } from 'react-router'
import type { loader } from './move-in/serve-price-summary.ts'
import type { JourneyFrameData } from './open-journey-step.ts'
import { formatCents } from './ui/money.tsx'

/** Matches a complete date. A partly typed date requests no price. */
const completeDate = /^\d{1,2}\/\d{1,2}\/\d{4}$/

const priceSentence = ({ totalLabel, totalCents, thenCents }: JourneyFrameData['summary']): string =>
  `${totalLabel}: ${formatCents(totalCents)}. Then ${formatCents(thenCents)} per month.`

/**
 * Keeps the price summary in step with the form: requests the new price when a radio button or a date is chosen.
 * @returns `summary`, the newest one; `announcement`, the new price as a sentence for screen readers, '' until the price
 *   has changed; `requestPrice`, a handler of the form's input events
 */
export function useLivePrice({ summary: initialSummary, pricesAt }: JourneyFrameData) {
  const fetcher = useFetcher<typeof loader>()
  const initialSentence = useRef(priceSentence(initialSummary))
  const summary = fetcher.data?.summary ?? initialSummary
  const sentence = priceSentence(summary)
  const hasChanged = useRef(false)
  hasChanged.current ||= sentence !== initialSentence.current
  const { load } = fetcher
  const requestPrice = useCallback(
    ({ target }: FormEvent) => {
      if (!pricesAt || !(target instanceof HTMLInputElement) || !target.form) return
      if (target.type === 'radio' || completeDate.test(target.value)) {
        const query = new URLSearchParams({ [target.name]: target.value })
        void load(`/price-beside${pricesAt}?${query}`)
      }
    },
    [pricesAt, load],
  )
  return { summary, announcement: hasChanged.current ? sentence : '', requestPrice }
}
