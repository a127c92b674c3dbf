import { type FormEvent, useCallback, useRef } from 'react'
import { useFetcher } from 'react-router'
import type { loader } from './move-in/serve-price-summary.ts'
import type { JourneyFrameData } from './open-journey-step.ts'
import { formatCents } from './ui/money.tsx'

/** Matches a complete date; the price of a partly typed one is not asked for. */
const whole = /^\d{1,2}\/\d{1,2}\/\d{4}$/

const inWords = ({ totalLabel, totalCents, thenCents }: JourneyFrameData['summary']): string =>
  `${totalLabel}: ${formatCents(totalCents)}. Then ${formatCents(thenCents)} per month.`

/** Keeps the price summary in step with the form: each choice asks the server for the new price. */
export function useLivePrice({ summary: opened, pricesAt }: JourneyFrameData) {
  const fetcher = useFetcher<typeof loader>()
  const first = useRef(inWords(opened))
  const summary = fetcher.data?.summary ?? opened
  const words = inWords(summary)
  const changed = useRef(false)
  changed.current ||= words !== first.current
  const { load } = fetcher
  const ask = useCallback(
    ({ target }: FormEvent) => {
      if (!pricesAt || !(target instanceof HTMLInputElement) || !target.form) return
      if (target.type === 'radio' || whole.test(target.value)) {
        const said = new URLSearchParams({ [target.name]: target.value })
        void load(`/price-beside${pricesAt}?${said}`)
      }
    },
    [pricesAt, load],
  )
  return { summary, said: changed.current ? words : '', ask }
}
