import '../styles/form-pages.css'
import type { ReactNode } from 'react'

/**
 * Frame that shows a file of the site, such as a PDF, within the page.
 * @param wayOut note that says what to do when the frame stays empty
 */
export function Frame({ src, title, wayOut }: { src: string; title: string; wayOut?: ReactNode }) {
  return (
    <>
      <iframe className="frame" src={src} title={title} />
      {wayOut && <p className="small soft mt-2">{wayOut}</p>}
    </>
  )
}
