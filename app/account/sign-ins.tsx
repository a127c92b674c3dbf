import { Form, useNavigation } from 'react-router'
import { Button, LinkButton } from '../ui/buttons.tsx'
import { withNoBreakSpaces } from '../ui/no-break.ts'
import { Card, Tag } from '../ui/surfaces.tsx'
import type { Route } from './+types/profile'

export function SignIns({ devices }: Pick<Route.ComponentProps['loaderData'], 'devices'>) {
  const navigation = useNavigation()
  const sent = navigation.formData
  const busy = (intent: string, id = '') => sent?.get('intent') === intent && (sent.get('id') ?? '') === id
  return (
    <>
      <Card flush className="mt-4">
        <ul className="rows" aria-label="Signed in">
          {devices.map((one) => (
            <li key={one.id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-5 py-4">
              <div className="min-w-0">
                <p>
                  <strong>{one.device}</strong> {one.current && <Tag tone="good">This device</Tag>}
                </p>
                <p className="small soft wrap-anywhere">
                  Since {withNoBreakSpaces(one.since)}
                  {one.address && <>, from {one.address}</>}
                </p>
              </div>
              {one.current ? (
                <LinkButton kind="quiet" href="/log-out">
                  Log out
                </LinkButton>
              ) : (
                <Form method="post" preventScrollReset>
                  <input type="hidden" name="intent" value="sign-out" />
                  <input type="hidden" name="id" value={one.id} />
                  <Button
                    kind="secondary"
                    busy={busy('sign-out', one.id)}
                    aria-label={`Sign out ${one.device}, since ${one.since}`}
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
          <Button kind="secondary" busy={busy('sign-out-others')}>
            Sign out everywhere else
          </Button>
        </Form>
      )}
    </>
  )
}
