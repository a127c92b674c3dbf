import { Form, useNavigation } from 'react-router'
import { Button, LinkButton } from '../ui/buttons.tsx'
import { Card, Tag } from '../ui/card-tag-and-callout.tsx'
import { withNoBreakSpaces } from '../ui/no-break.ts'
import type { Route } from './+types/profile'

export function SignedInDeviceList({ devices }: Pick<Route.ComponentProps['loaderData'], 'devices'>) {
  const navigation = useNavigation()
  const submitted = navigation.formData
  const isBusy = (intent: string, id = '') => submitted?.get('intent') === intent && (submitted.get('id') ?? '') === id
  return (
    <>
      <Card flush className="mt-4">
        <ul className="rows" aria-label="Signed in">
          {devices.map((signIn) => (
            <li key={signIn.id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-5 py-4">
              <div className="min-w-0">
                <p>
                  <strong>{signIn.device}</strong> {signIn.current && <Tag tone="good">This device</Tag>}
                </p>
                <p className="small soft wrap-anywhere">
                  Since {withNoBreakSpaces(signIn.since)}
                  {signIn.address && <>, from {signIn.address}</>}
                </p>
              </div>
              {signIn.current ? (
                <LinkButton kind="quiet" href="/log-out">
                  Log out
                </LinkButton>
              ) : (
                <Form method="post" preventScrollReset>
                  <input type="hidden" name="intent" value="sign-out" />
                  <input type="hidden" name="id" value={signIn.id} />
                  <Button
                    kind="secondary"
                    busy={isBusy('sign-out', signIn.id)}
                    aria-label={`Sign out ${signIn.device}, since ${signIn.since}`}
                  >
                    Sign out
                  </Button>
                </Form>
              )}
            </li>
          ))}
        </ul>
      </Card>
      {devices.length > 1 && (
        <Form method="post" className="mt-4" preventScrollReset>
          <input type="hidden" name="intent" value="sign-out-others" />
          <Button kind="secondary" busy={isBusy('sign-out-others')}>
            Sign out everywhere else
          </Button>
        </Form>
      )}
    </>
  )
}
