import type { ReactNode } from 'react'
import { Form } from 'react-router'
import { Button } from '../ui/buttons.tsx'
import { Callout } from '../ui/card-tag-and-callout.tsx'

/**
 * Offers a link by mail after too many tries, which another person may have made.
 * @param hidden the typed values by field name, sent on as hidden fields
 */
export const MailLinkOffer = ({
  title = 'Were they not your tries?',
  intent,
  hidden,
  action,
  children,
}: {
  title?: string
  intent: string
  hidden: Readonly<Record<string, string>>
  action?: string
  children: ReactNode
}) => (
  <Form method="post" action={action} className="mt-6">
    {Object.entries(hidden).map(([name, value]) => (
      <input key={name} type="hidden" name={name} value={value} />
    ))}
    <Callout tone="warn" title={title}>
      <p>{children}</p>
      <p className="mt-3">
        <Button kind="secondary" name="intent" value={intent}>
          Mail me the link
        </Button>
      </p>
    </Callout>
  </Form>
)
