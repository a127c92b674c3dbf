import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'

const served = [...document.body.children]
const translation = import('./translated-page.ts')
// Where it does not come (the network failed), a page that nothing translates needs none of it.
translation.catch(() => {})

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
    {
      onRecoverableError(error) {
        // A browser that translated the page first had changed it: React has drawn it again, without what was typed.
        if (served.some((one) => one.querySelector('font'))) void translation.then(({ putBack }) => putBack(served))
        else reportError(error)
      },
    },
  )
})
