import '../../styles/cheque-scanner.css'
import { useCallback, useEffect, useId, useRef, useState } from 'react'
import { Button, ButtonRow } from '../buttons.tsx'
import { Dialog } from '../dialog.tsx'
import { DataList } from '../records.tsx'
import { type Fault, faultIn, type Gray } from './picture.ts'
import { addressOf, drawGuide, lookAt, lowerHalf, partsOf, placesIn, readable, type Source } from './pictures.ts'
import { type Found, type Read, type Reader, startReader } from './reader.ts'

const guidance: Record<Fault | 'again', string> = {
  dark: 'Too dark. Find more light.',
  empty: 'Put the bottom line of the check into the colored box.',
  small: 'Too small. Move closer, until the check fills the frame.',
  moving: 'Hold still.',
  blurred: 'Blurred. Hold still, or move back a little.',
  again: 'Not read yet. Keep the check flat, and its bottom line in the colored box.',
}

/** Milliseconds between two looks, and how many good ones in a row begin a reading. */
const LOOK_MS = 250
const GOOD_LOOKS = 2
/** What is said stands for so many looks at least: nobody reads faster, and a screen reader says each change. */
const SAID_LOOKS = 6
type Camera = 'asking' | 'on' | 'refused' | 'none'
interface Torch {
  track: MediaStreamTrack
  on: boolean
}

/** What the first part that can be read says. */
async function readFirst(reader: Reader, source: Source, parts: ReturnType<typeof partsOf>): Promise<Found | null> {
  for (const part of parts) {
    const found = await reader.read(readable(source, part))
    if (found) return found
  }
  return null
}

/**
 * Reads routing and account number from a cheque, by camera or from a photograph, on this device alone (spec 1 §5). Load it
 * with `lazy`.
 * @param onRead after whoever scans has confirmed what was read
 */
export default function ChequeScanner({ onRead, onClose }: { onRead: (read: Read) => void; onClose: () => void }) {
  const video = useRef<HTMLVideoElement>(null)
  const guide = useRef<HTMLCanvasElement>(null)
  const reader = useRef<Reader | null>(null)
  const reading = useRef<Promise<unknown> | null>(null)
  const [camera, setCamera] = useState<Camera>('asking')
  const [torch, setTorch] = useState<Torch | null>(null)
  const [failed, setFailed] = useState(false)
  const [say, setSay] = useState(guidance.empty)
  /** Of a chosen picture: stands beside what the camera is told, which goes on. */
  const [ofPicture, setOfPicture] = useState('')
  const [found, setFound] = useState<Found | null>(null)
  const fileId = useId()

  useEffect(() => {
    reader.current = startReader()
    return () => {
      reader.current?.end()
      reader.current = null
    }
  }, [])

  useEffect(() => {
    let stream: MediaStream | null = null
    let over = false
    const open = async () => {
      if (!navigator.mediaDevices?.getUserMedia) return setCamera('none')
      try {
        stream = await navigator.mediaDevices.getUserMedia({
          video: { facingMode: 'environment', width: { ideal: 1920 }, height: { ideal: 1080 } },
          audio: false,
        })
      } catch (error) {
        const refused = error instanceof DOMException && error.name === 'NotAllowedError'
        if (!over) setCamera(refused ? 'refused' : 'none')
        return
      }
      const [track] = stream.getVideoTracks()
      if (over || !track || !video.current) {
        for (const one of stream.getTracks()) one.stop()
        return
      }
      video.current.srcObject = stream
      const can = track.getCapabilities?.() as { torch?: boolean } | undefined
      if (can?.torch) setTorch({ track, on: false })
      setCamera('on')
    }
    void open()
    return () => {
      over = true
      for (const track of stream?.getTracks() ?? []) track.stop()
    }
  }, [])

  /** One reading at a time. @returns what the first part that can be read says */
  const readParts = useCallback(async (source: Source, parts: ReturnType<typeof partsOf>) => {
    while (reading.current) await reading.current
    if (!reader.current) return null
    const read = readFirst(reader.current, source, parts)
    const settled = () => {
      reading.current = null
    }
    reading.current = read.then(settled, settled)
    return read
  }, [])

  // Looks, says what is wrong, and reads by itself once nothing is.
  useEffect(() => {
    if (camera !== 'on' || found || failed) return
    let before: Gray | null = null
    let good = 0
    let sinceSaid = SAID_LOOKS
    let over = false
    const tell = (text: string) => {
      if (sinceSaid < SAID_LOOKS) return
      sinceSaid = 0
      setSay(text)
    }
    const look = async () => {
      const source = video.current
      if (!source || source.videoWidth === 0 || reading.current) return
      sinceSaid += 1
      const { frame, strip } = placesIn(source)
      const gray = lookAt(source, strip)
      const fault = faultIn(lookAt(source, frame, 160), gray, before)
      before = gray
      good = fault ? 0 : good + 1
      if (guide.current) drawGuide(guide.current, source.videoWidth, source.videoHeight, !fault)
      if (fault) return tell(guidance[fault])
      if (good < GOOD_LOOKS) return
      good = 0
      const result = await readParts(source, [lowerHalf(source)])
      if (over) return
      if (result) setFound(result)
      else tell(guidance.again)
    }
    const timer = setInterval(() => look().catch(() => setFailed(true)), LOOK_MS)
    return () => {
      over = true
      clearInterval(timer)
    }
  }, [camera, found, failed, readParts])

  const photograph = async (file: File | undefined) => {
    if (!file) return
    setOfPicture('Reading the picture…')
    try {
      const picture = await createImageBitmap(file)
      const result = await readParts(picture, partsOf(picture))
      picture.close()
      setOfPicture(result ? '' : 'No numbers could be read in that picture. Try another one, or type the numbers.')
      if (result) setFound(result)
    } catch {
      setOfPicture('That file could not be opened as a picture.')
    }
  }

  return (
    <Dialog open title="Scan a check" onClose={onClose}>
      {found ? (
        <div className="cheque-found">
          <p role="status">This is what we read. Compare it with your check.</p>
          <img src={addressOf(found.line)} alt="The line of numbers as it was read" className="cheque-line" />
          <DataList
            facts={[
              { label: 'Routing number', value: <span className="num">{found.read.routingNumber}</span> },
              { label: 'Account number', value: <span className="num">{found.read.accountNumber}</span> },
            ]}
          />
          <ButtonRow>
            <Button type="button" onClick={() => onRead(found.read)}>
              Use these numbers
            </Button>
            <Button
              type="button"
              kind="secondary"
              onClick={() => {
                setFound(null)
                setSay(guidance.again)
              }}
            >
              Scan again
            </Button>
          </ButtonRow>
        </div>
      ) : (
        <>
          {(camera === 'on' || camera === 'asking') && (
            <div className="cheque-view">
              <video ref={video} autoPlay playsInline muted aria-label="What the camera sees" />
              <canvas ref={guide} />
            </div>
          )}
          <p role="status" className="cheque-say">
            {failed
              ? 'The reader could not be loaded. Please type the numbers.'
              : camera === 'refused'
                ? 'The camera was not allowed. Choose a picture instead, or allow the camera in your browser.'
                : camera === 'none'
                  ? 'No camera was found. Choose a picture instead.'
                  : camera === 'asking'
                    ? 'Please allow the camera.'
                    : say}
          </p>
          <p className="hint">
            The numbers are at the bottom of a check, left to right. The picture stays on this device.
          </p>
          <div className="btn-row">
            {torch && (
              <Button
                type="button"
                kind="secondary"
                aria-pressed={torch.on}
                onClick={() => {
                  const on = !torch.on
                  torch.track
                    .applyConstraints({ advanced: [{ torch: on } as MediaTrackConstraintSet] })
                    .then(() => setTorch({ ...torch, on }))
                    .catch(() => setTorch(null))
                }}
              >
                {torch.on ? 'Light off' : 'Light on'}
              </Button>
            )}
            <div className="cheque-file">
              <label htmlFor={fileId}>Choose a picture of the check</label>
              <input
                id={fileId}
                type="file"
                className="input"
                accept="image/*"
                disabled={failed}
                onChange={(event) => void photograph(event.currentTarget.files?.[0])}
              />
            </div>
          </div>
          <p role="status">{ofPicture}</p>
        </>
      )}
    </Dialog>
  )
}
