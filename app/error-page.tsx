import { ButtonRow, LinkButton } from './ui/buttons.tsx'
import { PageFrame } from './ui/page.tsx'

/** What happened, what to do next, and whom to call. */
export function ErrorPage({ status, phone }: { status: number; phone: string }) {
  const missing = status === 404
  return (
    <PageFrame narrow>
      <title>{missing ? 'Page not found' : 'Something went wrong'}</title>
      <h1>{missing ? 'There is nothing at this address' : 'Something went wrong on our side'}</h1>
      <p className="lead">
        {missing
          ? 'The page may have moved, or the address has a slip in it.'
          : 'Nothing you entered was lost. Please try again in a moment; if it keeps happening, call us and we will finish it with you.'}
      </p>
      <ButtonRow>
        <LinkButton href="/">Find storage</LinkButton>
        {phone && (
          <LinkButton kind="secondary" href={`tel:${phone.replace(/\D/g, '')}`}>
            {`Call ${phone}`}
          </LinkButton>
        )}
      </ButtonRow>
    </PageFrame>
  )
}
