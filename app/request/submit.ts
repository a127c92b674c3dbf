import { data } from 'react-router'

/** What a page says where its form could not be sent at all. */
export interface SubmitFailure {
  fields: Record<string, string>
  /** The network's own words. */
  networkError: string
}

/**
 * Sends a page's form. Where the network fails the page stays as it is, with everything that was typed, instead of giving
 * way to an error page.
 */
export async function submit<Answer>(serverAction: () => Promise<Answer>) {
  try {
    return await serverAction()
  } catch (error) {
    // Anything but the browser's own network error is the router's to handle: redirects, refusals.
    if (!(error instanceof TypeError)) throw error
    const unsent: SubmitFailure = {
      fields: {
        form: 'We could not reach our server. Nothing you entered is lost: check your connection and try again.',
      },
      networkError: error.message,
    }
    // With a status of failure the router does not ask the loaders again, which could not be reached either.
    return data(unsent, { status: 503 })
  }
}

/**
 * A page's `shouldRevalidate` where 409 says that what it shows is no longer so (another tab, another price): it is read
 * again, so that the next press is about what stands there. The router by itself reads nothing again after a refusal.
 */
export const revalidateOnConflict = ({
  actionStatus,
  defaultShouldRevalidate,
}: {
  actionStatus?: number
  defaultShouldRevalidate: boolean
}): boolean => actionStatus === 409 || defaultShouldRevalidate
