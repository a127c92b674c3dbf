import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react'
import { serverUnreachable } from '../domain/texts/general-errors.ts'
import type { JourneyFrameData } from './open-journey-step.ts'
import { formatCents } from './ui/money.tsx'

type Summary = JourneyFrameData['summary']

/** Matches a complete date. A partly typed date requests no price. */
const completeDate = /^\d{1,2}\/\d{1,2}\/\d{4}$/

/** Says that the price is from before the last choice, while the server cannot be reached. */
const outdatedPrice = `This price does not show your last choice yet. ${serverUnreachable}`

const priceSentence = ({ totalLabel, totalCents, thenCents }: Summary): string =>
  `${totalLabel}: ${formatCents(totalCents)}. Then ${formatCents(thenCents)} per month.`

/**
 * Requests the price summary with unsaved form values.
 * @returns null where the values give no price; undefined when the server cannot be reached or fails
 */
async function fetchSummary(address: string, signal: AbortSignal): Promise<Summary | null | undefined> {
  try {
    const response = await fetch(address, { headers: { Accept: 'application/json' }, signal })
    const { summary }: { summary: Summary | null } = await response.json()
    return response.ok ? summary : undefined
  } catch {
    return undefined
  }
}

/**
 * Keeps the price summary in step with the form: requests the new price when a radio button or a date is chosen, and
 * again when the browser is online after a failure.
 * @returns `summary`, the newest one; `announcement`, the new price as a sentence for screen readers, '' until the price
 *   has changed; `outdated`, a sentence where the price is from before the last choice, otherwise ''; `requestPrice`, a
 *   handler of the form's input events
 */
export function useLivePrice({ summary: initialSummary, pricesAt }: JourneyFrameData) {
  const initialSentence = useRef(priceSentence(initialSummary))
  const [latest, setLatest] = useState<Summary | null>(null)
  const [failedAddress, setFailedAddress] = useState('')
  const request = useRef<AbortController>(undefined)
  const summary = latest ?? initialSummary
  const sentence = priceSentence(summary)
  const hasChanged = useRef(false)
  hasChanged.current ||= sentence !== initialSentence.current
  const load = useCallback(async (address: string) => {
    request.current?.abort()
    const controller = new AbortController()
    request.current = controller
    const newest = await fetchSummary(address, controller.signal)
    if (controller.signal.aborted) return
    if (newest !== undefined) setLatest(newest)
    setFailedAddress(newest === undefined ? address : '')
  }, [])
  useEffect(() => {
    if (!failedAddress) return
    const loadAgain = () => void load(failedAddress)
    addEventListener('online', loadAgain)
    return () => removeEventListener('online', loadAgain)
  }, [failedAddress, load])
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
  return {
    summary,
    announcement: hasChanged.current ? sentence : '',
    outdated: failedAddress ? outdatedPrice : '',
    requestPrice,
  }
}
