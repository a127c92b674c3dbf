import { type RefObject, useEffect, useId, useRef, useState } from 'react'
import Pad, { type PointGroup } from 'signature_pad'
import { INK } from './illustration-colors.ts'

export interface Signature {
  method: 'drawn' | 'typed'
  /** PNG of the canvas as a data URL: 600 × 200 pixels, or 300 × 100 on a narrow screen (spec 1 §9). */
  png: string
  /** Typed name; '' for a drawn signature. */
  typed: string
}

/** Attaches a pad to the canvas. `onResize` is called after the viewport has changed the size of canvas and strokes. */
function usePad(
  canvas: RefObject<HTMLCanvasElement | null>,
  callbacks: { onStroke: () => void; onResize: () => void },
) {
  const pad = useRef<Pad>(null)
  const latestCallbacks = useRef(callbacks)
  latestCallbacks.current = callbacks
  useEffect(() => {
    const element = canvas.current
    if (!element) return
    const narrow = window.matchMedia('(max-width: 639.98px)')
    setCanvasSize(element, narrow.matches)
    const newPad = new Pad(element, { penColor: INK, backgroundColor: '#ffffff', minWidth: 0.9, maxWidth: 2.6 })
    pad.current = newPad
    newPad.addEventListener('endStroke', () => latestCallbacks.current.onStroke())
    const resize = () => {
      const oldWidth = element.width
      setCanvasSize(element, narrow.matches)
      newPad.fromData(scaleStrokes(newPad.toData(), element.width / oldWidth))
      latestCallbacks.current.onResize()
    }
    narrow.addEventListener('change', resize)
    return () => {
      narrow.removeEventListener('change', resize)
      newPad.off()
    }
  }, [canvas])
  return pad
}

interface SignatureFacts {
  signer: string
  /** Called with the current signature; null when it is cleared. */
  onChange: (signature: Signature | null) => void
}

/** Pad for drawing or typing a signature. Load it with `lazy`. */
export default function SignaturePad({ signer, onChange }: SignatureFacts) {
  const [method, setMethod] = useState<Signature['method']>('drawn')
  const [typed, setTyped] = useState('')
  const [empty, setEmpty] = useState(true)
  const canvas = useRef<HTMLCanvasElement>(null)
  const id = useId()
  const report = (how: Signature['method'], text: string) => {
    setEmpty(false)
    onChange({ method: how, png: canvas.current?.toDataURL('image/png') ?? '', typed: text })
  }
  const writeName = (name: string) => {
    if (name === '' || !canvas.current) return
    drawName(canvas.current, name)
    report('typed', name)
  }
  const pad = usePad(canvas, {
    onStroke: () => report('drawn', ''),
    onResize: () => {
      if (method === 'typed') writeName(typed.trim())
      else if (!empty) report('drawn', '')
    },
  })

  const clear = () => {
    pad.current?.clear()
    setTyped('')
    setEmpty(true)
    onChange(null)
  }
  const chooseMethod = (next: Signature['method']) => {
    if (next === method) return
    setMethod(next)
    clear()
    if (next === 'typed') pad.current?.off()
    else pad.current?.on()
  }
  const typeName = (text: string) => {
    clear()
    setTyped(text)
    writeName(text.trim())
  }

  return (
    <div className="grid justify-items-start gap-3">
      <fieldset className="flex gap-6">
        <legend className="sr">How to sign</legend>
        {(['drawn', 'typed'] as const).map((option) => (
          <label key={option} className="choice">
            <input type="radio" name={`${id}-how`} checked={method === option} onChange={() => chooseMethod(option)} />
            {option === 'drawn' ? 'Draw it' : 'Type it'}
          </label>
        ))}
      </fieldset>
      {method === 'typed' && (
        <div className="w-full max-w-136">
          <label htmlFor={`${id}-name`} className="legend">
            Type your full name
          </label>
          <input
            id={`${id}-name`}
            className="input"
            autoComplete="name"
            value={typed}
            onChange={(event) => typeName(event.target.value)}
          />
        </div>
      )}
      {/* Ink on white paper in light and dark mode; as wide as the canvas, whatever the name's length. */}
      <div className="w-min overflow-hidden rounded-control border-2 border-ink bg-white text-[#14191c] max-[340px]:-mx-2">
        {/* The pad reads the pointer in CSS pixels, so these styles repeat the size that `setCanvasSize` sets. */}
        <canvas
          ref={canvas}
          role="img"
          aria-label={`Signature of ${signer}: ${empty ? 'empty' : method === 'typed' ? typed : 'drawn'}`}
          className={`block h-[100px] w-[300px] touch-none min-[640px]:h-[200px] min-[640px]:w-[600px] ${method === 'drawn' ? 'cursor-crosshair' : ''}`}
        />
        <p className="small mx-4 border-t border-[#7b8388] py-[0.35rem] wrap-anywhere">{signer}</p>
      </div>
      <button type="button" className="btn btn-quiet" onClick={clear} disabled={empty}>
        Clear
      </button>
    </div>
  )
}

/** Sets the size of the signature canvas to that of its styles, which erases it. */
function setCanvasSize(canvas: HTMLCanvasElement, narrow: boolean) {
  canvas.width = narrow ? 300 : 600
  canvas.height = narrow ? 100 : 200
}

const scaleStrokes = (strokes: PointGroup[], factor: number): PointGroup[] =>
  strokes.map((stroke) => ({
    ...stroke,
    points: stroke.points.map((point) => ({ ...point, x: point.x * factor, y: point.y * factor })),
  }))

function drawName(canvas: HTMLCanvasElement, name: string) {
  const context = canvas.getContext('2d')
  if (!context) return
  let height = canvas.height * 0.42
  const fontOf = (px: number) =>
    `italic ${px}px "Snell Roundhand", "Segoe Script", "Brush Script MT", "URW Chancery L", "Z003", cursive`
  context.font = fontOf(height)
  const textWidth = context.measureText(name).width
  if (textWidth > canvas.width * 0.92) height *= (canvas.width * 0.92) / textWidth
  context.font = fontOf(height)
  context.fillStyle = INK
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.fillText(name, canvas.width / 2, canvas.height * 0.52)
}
