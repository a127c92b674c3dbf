import { useNavigation } from 'react-router'

/**
 * Returns whether a form of this page is being submitted, until its response or the next page is shown.
 * False while the page reloads its data after a response, so that a quick press on the next button is not ignored.
 * Forms that stay busy during the reload, such as those for payments and signatures, use `useNavigation`.
 */
export function useSubmitting(): boolean {
  const { state, formMethod, location } = useNavigation()
  if (formMethod !== 'POST') return false
  return state === 'submitting' || location?.state?._isRedirect === true
}
