import { Form, useNavigation } from 'react-router'
import { Button, LinkButton } from '../ui/buttons.tsx'
import { Card, Tag } from '../ui/card-tag-and-callout.tsx'
import { TextField } from '../ui/fields/text.tsx'
import type { Route } from './+types/profile'

export function PasskeyList({
  passkeys,
  renaming,
}: Pick<Route.ComponentProps['loaderData'], 'passkeys'> & { renaming: { renaming: string; error: string } | null }) {
  const renameError = (id: string) => (renaming?.renaming === id ? renaming.error : undefined)
  const submitted = useNavigation().formData
  const isBusy = (intent: string, id: string) => submitted?.get('intent') === intent && submitted.get('id') === id
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
        {passkeys.map((passkey) => (
          <li key={passkey.id} className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 px-5 py-4">
            <div className="min-w-0">
              <p className="wrap-anywhere">
                <strong>{passkey.name}</strong> {passkey.current && <Tag tone="good">Signed in with it</Tag>}
              </p>
              <p className="small soft">
                Added {passkey.added}. {passkey.used ? `Last used ${passkey.used}.` : 'Not used yet.'}
              </p>
              <details className="mt-2" open={renameError(passkey.id) !== undefined || undefined}>
                <summary className="small">
                  Rename<span className="sr"> {passkey.name}</span>
                </summary>
                <Form method="post" preventScrollReset className="mt-2 flex flex-wrap items-end gap-3">
                  <input type="hidden" name="intent" value="rename-passkey" />
                  <input type="hidden" name="id" value={passkey.id} />
                  <TextField
                    name="name"
                    id={`name-${passkey.id}`}
                    label="Name"
                    defaultValue={passkey.name}
                    maxLength={40}
                    error={renameError(passkey.id)}
                  />
                  <Button kind="secondary" busy={isBusy('rename-passkey', passkey.id)}>
                    Save
                  </Button>
                </Form>
              </details>
            </div>
            <Form method="post" preventScrollReset>
              <input type="hidden" name="intent" value="remove-passkey" />
              <input type="hidden" name="id" value={passkey.id} />
              <Button
                kind="secondary"
                busy={isBusy('remove-passkey', passkey.id)}
                aria-label={`Remove ${passkey.name}`}
              >
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
