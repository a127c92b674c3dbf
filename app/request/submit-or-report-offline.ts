import { data } from 'react-router'

export interface SubmitFailure {
  fields: Record<string, string>
  networkError: string
}

type Unsent = ReturnType<typeof data<SubmitFailure>>

/** `clientAction` of a page: returns the server action's result, or status 503 when the server cannot be reached. */
export async function submit({ serverAction }: { serverAction: () => Promise<unknown> }): Promise<Unsent> {
  try {
    return (await serverAction()) as Unsent
  } catch (error) {
    // Only the browser's network error (a TypeError) is handled here; the router handles redirects and refusals.
    if (!(error instanceof TypeError)) throw error
    const unsent: SubmitFailure = {
      fields: {
        form: 'We could not reach our server. Nothing you entered is lost: check your connection and try again.',
      },
      networkError: error.message,
    }
    // An error status keeps the router from calling the loaders, which could not be reached either.
    return data(unsent, { status: 503 })
  }
}

/** `shouldRevalidate` for pages where 409 means stale data. By default the router reloads nothing after a refusal. */
export const revalidateOnConflict = ({
  actionStatus,
  defaultShouldRevalidate,
}: {
  actionStatus?: number
  defaultShouldRevalidate: boolean
}): boolean => actionStatus === 409 || defaultShouldRevalidate
