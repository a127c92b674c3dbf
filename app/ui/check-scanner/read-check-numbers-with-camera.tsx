import { useCallback, useEffect, useId, useRef, useState } from 'react'
import { Button, ButtonRow } from '../buttons.tsx'
import { DataList } from '../data-tables.tsx'
import { Dialog } from '../dialog.tsx'
import { type CameraState, useCamera } from './camera.ts'
import {
  drawForReading,
  drawGuide,
  drawPreview,
  guideRegions,
  lowerHalf,
  photographRegions,
  type Source,
  toDataUrl,
} from './draw-check-regions-and-guide.ts'
import { findPictureProblem, type GrayImage, type PictureProblem } from './filter-and-judge-check-picture.ts'
import type { CheckNumbers } from './parse-check-numbers.ts'
import { type CheckReading, type Reader, startReader } from './start-check-reading-worker.ts'

const guidance: Record<PictureProblem | 'again', string> = {
  dark: 'Too dark. Find more light.',
  empty: 'Put the bottom line of the check into the colored box.',
  small: 'Too small. Move closer, until the check fills the frame.',
  moving: 'Hold still.',
  blurred: 'Blurred. Hold still, or move back a little.',
  again: 'Not read yet. Keep the check flat, and its bottom line in the colored box.',
}

const withoutCamera: Partial<Record<CameraState, string>> = {
  refused: 'The camera was not allowed. Choose a picture instead, or allow the camera in your browser.',
  none: 'No camera was found. Choose a picture instead.',
  asking: 'Please allow the camera.',
}

/** Interval between two checked camera frames, in milliseconds. */
const FRAME_MS = 250
/** Number of good frames in a row that start a reading. */
const GOOD_FRAMES = 2
/** Minimum number of frames that a sentence stays on screen, since screen readers read each change. */
const MIN_SENTENCE_FRAMES = 6

type Parts = ReturnType<typeof photographRegions>

/**
 * Returns a reader in a worker that reads one picture at a time. `read` tries the parts of a picture in order and
 * returns the first reading; null when no part has a readable line.
 */
function useReader() {
  const reader = useRef<Reader | null>(null)
  const pending = useRef<Promise<unknown> | null>(null)
  useEffect(() => {
    reader.current = startReader()
    return () => {
      reader.current?.end()
      reader.current = null
    }
  }, [])
  const read = useCallback(async (source: Source, parts: Parts): Promise<CheckReading | null> => {
    while (pending.current) await pending.current
    const readFirst = async () => {
      for (const part of parts) {
        const result = await reader.current?.read(drawForReading(source, part))
        if (result) return result
      }
      return null
    }
    const reading = readFirst()
    const clearPending = () => {
      pending.current = null
    }
    pending.current = reading.then(clearPending, clearPending)
    return reading
  }, [])
  return { read, isBusy: () => pending.current !== null }
}

/**
 * Watches the check scanner's camera: judges each frame, tells the user what is wrong with it, and reads the check
 * after enough good frames.
 * @returns a function that stops watching
 */
function watchFrames(
  video: HTMLVideoElement,
  guide: HTMLCanvasElement,
  { read, isBusy }: ReturnType<typeof useReader>,
  callbacks: { say(text: string): void; onReading(reading: CheckReading): void; failed(): void },
): () => void {
  let previousStrip: GrayImage | null = null
  let goodFrames = 0
  let framesSinceSentence = MIN_SENTENCE_FRAMES
  let isStopped = false
  const say = (text: string) => {
    if (framesSinceSentence < MIN_SENTENCE_FRAMES) return
    framesSinceSentence = 0
    callbacks.say(text)
  }
  const checkFrame = async () => {
    if (video.videoWidth === 0 || isBusy()) return
    framesSinceSentence += 1
    const { frame, strip } = guideRegions(video)
    const gray = drawPreview(video, strip)
    const problem = findPictureProblem(drawPreview(video, frame, 160), gray, previousStrip)
    previousStrip = gray
    goodFrames = problem ? 0 : goodFrames + 1
    drawGuide(guide, video.videoWidth, video.videoHeight, !problem)
    if (problem) return say(guidance[problem])
    if (goodFrames < GOOD_FRAMES) return
    goodFrames = 0
    const result = await read(video, [lowerHalf(video)])
    if (isStopped) return
    if (result) callbacks.onReading(result)
    else say(guidance.again)
  }
  const timer = setInterval(() => checkFrame().catch(callbacks.failed), FRAME_MS)
  return () => {
    isStopped = true
    clearInterval(timer)
  }
}

function ReadingPreview({
  reading,
  onUse,
  onAgain,
}: {
  reading: CheckReading
  onUse: (read: CheckNumbers) => void
  onAgain: () => void
}) {
  return (
    <>
      <p role="status">This is what we read. Compare it with your check.</p>
      <img
        src={toDataUrl(reading.line)}
        alt="The line of numbers as it was read"
        className="mt-3 w-full border border-line bg-white"
      />
      <DataList
        facts={[
          { label: 'Routing number', value: <span className="num">{reading.numbers.routingNumber}</span> },
          { label: 'Account number', value: <span className="num">{reading.numbers.accountNumber}</span> },
        ]}
      />
      <ButtonRow>
        <Button type="button" onClick={() => onUse(reading.numbers)}>
          Use these numbers
        </Button>
        <Button type="button" kind="secondary" onClick={onAgain}>
          Scan again
        </Button>
      </ButtonRow>
    </>
  )
}

function usePhotograph(
  read: ReturnType<typeof useReader>['read'],
  callbacks: { onReading(reading: CheckReading): void; failed(): void },
) {
  const [status, setStatus] = useState('')
  const choose = async (file: File | undefined) => {
    if (!file) return
    setStatus('Reading the picture…')
    const picture = await createImageBitmap(file).catch(() => null)
    if (!picture) return setStatus('That file could not be opened as a picture.')
    try {
      const result = await read(picture, photographRegions(picture))
      setStatus(result ? '' : 'No numbers could be read in that picture. Try another one, or type the numbers.')
      if (result) callbacks.onReading(result)
    } catch {
      setStatus('')
      callbacks.failed()
    } finally {
      picture.close()
    }
  }
  return { status, choose }
}

/**
 * Scanner that reads routing and account number from a check, by camera or photograph, only on this device (spec 1 §5).
 * Load it with `lazy`.
 * @param onRead called after the user has confirmed the numbers
 */
export default function CheckScanner({
  onRead,
  onClose,
}: {
  onRead: (read: CheckNumbers) => void
  onClose: () => void
}) {
  const video = useRef<HTMLVideoElement>(null)
  const guide = useRef<HTMLCanvasElement>(null)
  const { state: camera, stream, torch } = useCamera()
  const reader = useReader()
  const { read } = reader
  const [hasFailed, setHasFailed] = useState(false)
  const [guidanceText, setGuidanceText] = useState(guidance.empty)
  const [reading, setReading] = useState<CheckReading | null>(null)
  const failed = () => setHasFailed(true)
  const photograph = usePhotograph(read, { onReading: setReading, failed })
  const fileId = useId()

  // biome-ignore lint/correctness/useExhaustiveDependencies: `isBusy` reads a ref
  useEffect(() => {
    if (!stream || reading || hasFailed || !video.current || !guide.current) return
    video.current.srcObject = stream
    return watchFrames(video.current, guide.current, reader, {
      say: setGuidanceText,
      onReading: setReading,
      failed,
    })
  }, [stream, reading, hasFailed, read])

  const scanAgain = () => {
    setReading(null)
    setGuidanceText(guidance.again)
  }
  return (
    <Dialog open title="Scan a check" onClose={onClose}>
      {reading ? (
        <ReadingPreview reading={reading} onUse={onRead} onAgain={scanAgain} />
      ) : (
        <>
          {(camera === 'on' || camera === 'asking') && (
            <div className="relative aspect-[16/9] overflow-hidden rounded-control bg-[#000] *:absolute *:inset-0 *:size-full *:object-contain">
              <video ref={video} autoPlay playsInline muted aria-label="What the camera sees" />
              <canvas ref={guide} />
            </div>
          )}
          <p role="status" className="mt-3 min-h-[3.2em] font-semibold">
            {hasFailed
              ? 'The reader could not be loaded. Please type the numbers.'
              : (withoutCamera[camera] ?? guidanceText)}
          </p>
          <p className="hint">
            The numbers are at the bottom of a check, left to right. The picture stays on this device.
          </p>
          <ButtonRow>
            {torch && (
              <Button type="button" kind="secondary" aria-pressed={torch.on} onClick={torch.toggle}>
                {torch.on ? 'Light off' : 'Light on'}
              </Button>
            )}
            <div>
              <label htmlFor={fileId} className="legend">
                Choose a picture of the check
              </label>
              <input
                id={fileId}
                type="file"
                className="input"
                accept="image/*"
                disabled={hasFailed}
                onChange={(event) => void photograph.choose(event.currentTarget.files?.[0])}
              />
            </div>
          </ButtonRow>
          <p role="status">{photograph.status}</p>
        </>
      )}
    </Dialog>
  )
}
