import { data } from 'react-router'

export interface SubmitFailure {
  fields: Record<string, string>
  networkError: string
}

type Unsent = ReturnType<typeof data<SubmitFailure>>

/** A page's `clientAction`: the server's answer, whose type the router adds, or 503 where it could not be reached. */
export async function submit({ serverAction }: { serverAction: () => Promise<unknown> }): Promise<Unsent> {
  try {
    return (await serverAction()) as Unsent
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

/** A page's `shouldRevalidate` where 409 says that what it shows is stale; by itself the router reads nothing after a refusal. */
export const revalidateOnConflict = ({
  actionStatus,
  defaultShouldRevalidate,
}: {
  actionStatus?: number
  defaultShouldRevalidate: boolean
}): boolean => actionStatus === 409 || defaultShouldRevalidate
