import { useNavigation } from 'react-router'

/**
 * Whether a form of this page is on its way: until its answer, or the page it leads to, is there. Not while the page revalidates
 * behind an answer: a quick press on the next button must count. Payments, signatures and move-outs use `useNavigation`.
 */
export function useBusy(): boolean {
  const { state, formMethod, location } = useNavigation()
  if (formMethod !== 'POST') return false
  return state === 'submitting' || location?.state?._isRedirect === true
}
