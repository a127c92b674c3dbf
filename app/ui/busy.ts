import { useNavigation } from 'react-router'

/**
 * Whether a form of this page is on its way: from the press until its answer stands there, or until the page that the
 * answer leads to does. Not any more while the page merely reads its own data again behind an answer: whoever is quick, or
 * has a password manager, and a slow network, presses the next button right then, and a busy button swallows that.
 *
 * Forms of payments, signatures and move-outs are about what their page shows, and wait for that reading as well: they ask
 * `useNavigation` themselves.
 */
export function useBusy(): boolean {
  const { state, formMethod, location } = useNavigation()
  if (formMethod !== 'POST') return false
  // The router marks where an answer leads; without the mark it loads the page that it is on.
  return state === 'submitting' || location?.state?._isRedirect === true
}
