import '../../styles/form-pages.css'
import { type ReactNode, useEffect, useRef } from 'react'
import { RefusalAdvice } from '../lazy-refusal-advice.tsx'
import type { FieldErrors } from '../use-form-checks.ts'

/**
 * 'There is a problem' box at the top of the content, with links to the fields. It takes focus if the page starts with
 * errors and when `turn` changes (a submit), or without `turn` when its text changes.
 * @param general keys that are no fields, besides 'form' and ''; their errors are plain text
 */
export function ErrorSummary({
  errors,
  turn,
  general = [],
  children,
}: {
  errors: FieldErrors
  turn?: number
  general?: string[]
  children?: ReactNode
}) {
  const box = useRef<HTMLDivElement>(null)
  const entries = Object.entries(errors)
  const hasErrors = entries.length > 0
  // Compares the text, since a page may build a new errors object on each render.
  const focusKey = turn ?? entries.join('\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: each turn is a new submit, also with the same errors
  useEffect(() => {
    if (hasErrors) box.current?.focus()
  }, [focusKey])
  if (!hasErrors) return null
  return (
    <div className="problem" role="alert" tabIndex={-1} ref={box} aria-labelledby="problem-title">
      <h2 id="problem-title">There is a problem</h2>
      <ul>
        {entries.map(([name, message]) => (
          <li key={name}>
            {['', 'form', ...general].includes(name) ? (
              message
            ) : (
              <a
                href={`#${name}`}
                onClick={(event) => {
                  const field = document.getElementById(name)
                  if (!field) return
                  event.preventDefault()
                  field.focus()
                  field.closest('.field')?.scrollIntoView({ block: 'center' })
                }}
              >
                {message}
              </a>
            )}
            <RefusalAdvice sentence={message} />
          </li>
        ))}
      </ul>
      {children}
    </div>
  )
}
