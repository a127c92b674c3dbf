import type { ReactNode } from 'react'
import { Logo } from '../ui/logo.tsx'
import { useHeadingFocus } from '../ui/page.tsx'

/** Frame of the sign-in, invitation and second-factor pages: logo and one column. */
export function SignInFrame({ brand, children }: { brand: string; children: ReactNode }) {
  return (
    <div className="office">
      <a className="skip" href="#main">
        Skip to main content
      </a>
      <header className="office-head">
        <Logo name={brand} />
        <span className="soft">Office</span>
      </header>
      <main id="main" tabIndex={-1} ref={useHeadingFocus()}>
        <div className="mx-auto my-8 w-full max-w-[28rem] px-4 [&_.problem]:mt-4 [&_h1+p]:mt-[0.4rem]">{children}</div>
      </main>
    </div>
  )
}
