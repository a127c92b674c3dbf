import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'

const served = [...document.body.children]
const translation = import('./survive-browser-translation.ts')
// A failed download does no harm to a page that is not translated.
translation.catch(() => {})

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
    {
      onRecoverableError(error) {
        // The browser translated the page before hydration, so React drew it again without the typed values.
        if (served.some((element) => element.querySelector('font')))
          void translation.then(({ restoreTypedValues }) => restoreTypedValues(served))
        else reportError(error)
      },
    },
  )
})
