/** What a page says where its form could not be sent at all. */
export interface Unsent {
  fields: Record<string, string>
  /** The network's own words. */
  networkError: string
}

/**
 * Sends a page's form. Where the network fails the page stays as it is, with everything that was typed, instead of giving
 * way to an error page.
 */
export async function send<Answer>(serverAction: () => Promise<Answer>): Promise<Answer | Unsent> {
  try {
    return await serverAction()
  } catch (error) {
    // Anything but the browser's own network error is the router's to handle: redirects, refusals.
    if (!(error instanceof TypeError)) throw error
    return {
      fields: {
        form: 'We could not reach our server. Nothing you entered is lost: check your connection and try again.',
      },
      networkError: error.message,
    }
  }
}
