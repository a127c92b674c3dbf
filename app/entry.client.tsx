import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'

const servedElements = [...document.body.children]
const translationModule = import('./survive-browser-translation.ts')
// A failed download does no harm to a page that is not translated.
translationModule.catch(() => {})

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
    {
      onRecoverableError(error) {
        // The browser translated the page before hydration, so React rendered it again without the typed values.
        if (servedElements.some((element) => element.querySelector('font')))
          void translationModule.then(
            ({ restoreTypedValues }) => restoreTypedValues(servedElements),
            () => reportError(error),
          )
        else reportError(error)
      },
    },
  )
})
