import type { ReactNode } from 'react'
import { Logo } from '../ui/logo.tsx'
import { useHeadingFocus } from '../ui/page.tsx'

/** Frame of the pages before sign-in: logo and one column. */
export function SignInFrame({ brand, children }: { brand: string; children: ReactNode }) {
  return (
    <div className="office office-signing-in">
      <a className="skip" href="#main">
        Skip to main content
      </a>
      <header className="office-head">
        <Logo name={brand} />
        <span className="office-mark">Office</span>
      </header>
      <main id="main" tabIndex={-1} ref={useHeadingFocus()}>
        <div className="office-column">{children}</div>
      </main>
    </div>
  )
}
