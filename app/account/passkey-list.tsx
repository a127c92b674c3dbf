import { Form, useNavigation } from 'react-router'
import { Button, LinkButton } from '../ui/buttons.tsx'
import { TextField } from '../ui/fields/text.tsx'
import { Card, Tag } from '../ui/surfaces.tsx'
import type { Route } from './+types/profile'

export function PasskeyList({
  passkeys,
  renaming,
}: Pick<Route.ComponentProps['loaderData'], 'passkeys'> & { renaming: { renaming: string; error: string } | null }) {
  const wrong = (id: string) => (renaming?.renaming === id ? renaming.error : undefined)
  const sent = useNavigation().formData
  const busy = (intent: string, id: string) => sent?.get('intent') === intent && sent.get('id') === id
  if (passkeys.length === 0)
    return (
      <Card className="mt-4">
        <p className="soft">
          You have none. With a passkey you sign in with your fingerprint, face or screen lock instead of your password.
        </p>
      </Card>
    )
  return (
    <Card flush className="mt-4">
      <ul className="rows" aria-label="Passkeys">
        {passkeys.map((one) => (
          <li key={one.id} className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 px-5 py-4">
            <div className="min-w-0">
              <p className="wrap-anywhere">
                <strong>{one.name}</strong> {one.current && <Tag tone="good">Signed in with it</Tag>}
              </p>
              <p className="small soft">
                Added {one.added}. {one.used ? `Last used ${one.used}.` : 'Not used yet.'}
              </p>
              <details className="mt-2" open={wrong(one.id) !== undefined || undefined}>
                <summary className="small">
                  Rename<span className="sr"> {one.name}</span>
                </summary>
                <Form method="post" preventScrollReset className="mt-2 flex flex-wrap items-end gap-3">
                  <input type="hidden" name="intent" value="rename-passkey" />
                  <input type="hidden" name="id" value={one.id} />
                  <TextField
                    name="name"
                    id={`name-${one.id}`}
                    label="Name"
                    defaultValue={one.name}
                    maxLength={40}
                    error={wrong(one.id)}
                  />
                  <Button kind="secondary" busy={busy('rename-passkey', one.id)}>
                    Save
                  </Button>
                </Form>
              </details>
            </div>
            <Form method="post" preventScrollReset>
              <input type="hidden" name="intent" value="remove-passkey" />
              <input type="hidden" name="id" value={one.id} />
              <Button kind="secondary" busy={busy('remove-passkey', one.id)} aria-label={`Remove ${one.name}`}>
                Remove
              </Button>
            </Form>
          </li>
        ))}
      </ul>
    </Card>
  )
}

export const AddPasskeyLink = () => (
  <LinkButton kind="secondary" to="/add-passkey">
    Add a passkey
  </LinkButton>
)
