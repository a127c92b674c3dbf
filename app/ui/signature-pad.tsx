import '../styles/signature.css'
import { useCallback, useEffect, useId, useRef, useState } from 'react'
import type Pad from 'signature_pad'
import SignaturePadLibrary from 'signature_pad'

export interface Signature {
  method: 'drawn' | 'typed'
  /** data:image/png;base64,… of the canvas: 600 × 200, or 300 × 100 on a narrow screen (spec 1 §9). */
  png: string
  /** What was typed; '' for a drawn one. */
  typed: string
}

/**
 * Draw or type a signature. Load it lazily. `signer` stands beneath the line and is the suggestion for typing.
 *
 * @param onChange the signature so far, or null when there is none (cleared, emptied)
 */
export default function SignaturePad({
  signer,
  onChange,
}: {
  signer: string
  onChange: (signature: Signature | null) => void
}) {
  const [method, setMethod] = useState<Signature['method']>('drawn')
  const [typed, setTyped] = useState('')
  const [empty, setEmpty] = useState(true)
  const canvas = useRef<HTMLCanvasElement>(null)
  const pad = useRef<Pad>(null)
  const tell = useRef(onChange)
  tell.current = onChange
  const id = useId()

  useEffect(() => {
    const element = canvas.current
    if (!element) return
    size(element)
    const made = new SignaturePadLibrary(element, {
      penColor: '#14191c',
      backgroundColor: '#ffffff',
      minWidth: 0.9,
      maxWidth: 2.6,
    })
    pad.current = made
    const ended = () => {
      setEmpty(false)
      tell.current({ method: 'drawn', png: made.toDataURL('image/png'), typed: '' })
    }
    made.addEventListener('endStroke', ended)
    return () => {
      made.removeEventListener('endStroke', ended)
      made.off()
    }
  }, [])

  const clear = useCallback(() => {
    pad.current?.clear()
    setTyped('')
    setEmpty(true)
    tell.current(null)
  }, [])

  const choose = (next: Signature['method']) => {
    if (next === method) return
    setMethod(next)
    clear()
    if (next === 'typed') pad.current?.off()
    else pad.current?.on()
  }

  const type = (text: string) => {
    setTyped(text)
    const element = canvas.current
    if (!element) return
    pad.current?.clear()
    const name = text.trim()
    setEmpty(name === '')
    if (name === '') return tell.current(null)
    write(element, name)
    tell.current({ method: 'typed', png: element.toDataURL('image/png'), typed: name })
  }

  return (
    <div className="sign">
      <fieldset className="sign-how">
        <legend className="sr">How to sign</legend>
        <label className="choice">
          <input type="radio" name={`${id}-how`} checked={method === 'drawn'} onChange={() => choose('drawn')} />
          Draw it
        </label>
        <label className="choice">
          <input type="radio" name={`${id}-how`} checked={method === 'typed'} onChange={() => choose('typed')} />
          Type it
        </label>
      </fieldset>
      {method === 'typed' && (
        <div className="sign-type">
          <label htmlFor={`${id}-name`}>Type your full name</label>
          <input
            id={`${id}-name`}
            className="input"
            autoComplete="name"
            value={typed}
            onChange={(event) => type(event.target.value)}
          />
        </div>
      )}
      <div className="sign-sheet">
        <canvas
          ref={canvas}
          role="img"
          aria-label={
            empty ? `Signature of ${signer}: empty` : `Signature of ${signer}: ${method === 'typed' ? typed : 'drawn'}`
          }
          className={method === 'drawn' ? 'sign-draw' : undefined}
        />
        <p className="small">{signer}</p>
      </div>
      <button type="button" className="btn btn-quiet" onClick={clear} disabled={empty}>
        Clear
      </button>
    </div>
  )
}

/** By the viewport, never by the user agent. The sheet keeps its size when the phone is turned, so that no ink is lost. */
function size(canvas: HTMLCanvasElement) {
  const narrow = window.matchMedia('(max-width: 639.98px)').matches
  canvas.width = narrow ? 300 : 600
  canvas.height = narrow ? 100 : 200
}

function write(canvas: HTMLCanvasElement, name: string) {
  const context = canvas.getContext('2d')
  if (!context) return
  let height = canvas.height * 0.42
  const face = (px: number) =>
    `italic ${px}px "Snell Roundhand", "Segoe Script", "Brush Script MT", "URW Chancery L", "Z003", cursive`
  context.font = face(height)
  const wide = context.measureText(name).width
  if (wide > canvas.width * 0.92) height *= (canvas.width * 0.92) / wide
  context.font = face(height)
  context.fillStyle = '#14191c'
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.fillText(name, canvas.width / 2, canvas.height * 0.52)
}
