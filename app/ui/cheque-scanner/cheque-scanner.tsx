import '../../styles/cheque-scanner.css'
import { useCallback, useEffect, useId, useRef, useState } from 'react'
import { isRoutingNumber } from '../../../domain/bank.ts'
import { Button, ButtonRow } from '../buttons.tsx'
import { Dialog } from '../dialog.tsx'
import { DataList } from '../records.tsx'
import { type Fault, faultIn, type Gray } from './picture.ts'
import { atHeight, drawGuide, LINE_HEIGHTS, lookAt, partsOf, placesIn, readable, type Source } from './pictures.ts'
import { type Read, type Recogniser, startRecogniser } from './recognise.ts'

const guidance: Record<Fault | 'loading' | 'again', string> = {
  loading: 'Getting ready to read…',
  dark: 'Too dark. Find more light.',
  empty: 'Put the bottom line of the check into the colored box.',
  small: 'Too small. Move closer, until the check fills the frame.',
  moving: 'Hold still.',
  blurred: 'Blurred. Hold still, or move back a little.',
  again: 'Not read yet. Keep the check flat and straight, and its bottom line in the colored box.',
}

/** Milliseconds between two looks, and how many good ones in a row begin a reading. */
const LOOK_MS = 250
const GOOD_LOOKS = 2
/** What is said stands for so many looks at least: nobody reads faster, and a screen reader says each change. */
const SAID_LOOKS = 6
/** A reading whose routing number has a wrong check digit is shown only when so many came in a row. */
const DOUBTFUL = 3

/** What was read, and the picture it was read from. */
interface Found {
  read: Read
  picture: string
}

type Camera = 'asking' | 'on' | 'refused' | 'none'
interface Torch {
  track: MediaStreamTrack
  on: boolean
}

async function readFirst(recogniser: Recogniser | null, source: Source, parts: ReturnType<typeof partsOf>) {
  for (const part of parts) {
    const picture = readable(source, part)
    let doubtful: Found | null = null
    for (const height of LINE_HEIGHTS) {
      const read = await recogniser?.read(atHeight(picture, height))
      const result = read && { read, picture: picture.toDataURL() }
      // Its check digit tells a misread routing number.
      if (result && isRoutingNumber(read.routingNumber)) return result
      doubtful ??= result ?? null
    }
    if (doubtful) return doubtful
  }
  return null
}

/**
 * Reads routing and account number from a cheque, by camera or from a photograph, on this device alone (spec 1 §5). Load it
 * with `lazy`: it brings text recognition with it.
 * @param onRead after whoever scans has confirmed what was read
 */
export default function ChequeScanner({ onRead, onClose }: { onRead: (read: Read) => void; onClose: () => void }) {
  const video = useRef<HTMLVideoElement>(null)
  const guide = useRef<HTMLCanvasElement>(null)
  const recogniser = useRef<Recogniser | null>(null)
  const reading = useRef<Promise<unknown> | null>(null)
  const [camera, setCamera] = useState<Camera>('asking')
  const [torch, setTorch] = useState<Torch | null>(null)
  const [started, setStarted] = useState<'no' | 'yes' | 'failed'>('no')
  const [say, setSay] = useState(guidance.loading)
  /** Of a chosen picture: stands beside what the camera is told, which goes on. */
  const [ofPicture, setOfPicture] = useState('')
  const [found, setFound] = useState<Found | null>(null)
  const fileId = useId()

  useEffect(() => {
    let over = false
    startRecogniser().then(
      (one) => {
        if (over) return one.end()
        recogniser.current = one
        setStarted('yes')
      },
      () => setStarted('failed'),
    )
    return () => {
      over = true
      recogniser.current?.end()
      recogniser.current = null
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
    const read = readFirst(recogniser.current, source, parts)
    const settled = () => {
      reading.current = null
    }
    reading.current = read.then(settled, settled)
    return read
  }, [])

  // Looks, says what is wrong, and reads by itself once nothing is.
  useEffect(() => {
    if (camera !== 'on' || found || started === 'failed') return
    let before: Gray | null = null
    let good = 0
    let doubtful = 0
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
      if (started === 'no') return tell(guidance.loading)
      if (good < GOOD_LOOKS) return
      good = 0
      const result = await readParts(source, [strip])
      if (over) return
      if (!result) return tell(guidance.again)
      doubtful += 1
      if (isRoutingNumber(result.read.routingNumber) || doubtful >= DOUBTFUL) setFound(result)
    }
    const timer = setInterval(() => void look(), LOOK_MS)
    return () => {
      over = true
      clearInterval(timer)
    }
  }, [camera, found, started, readParts])

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

  const doubted = found && !isRoutingNumber(found.read.routingNumber)
  return (
    <Dialog open title="Scan a check" onClose={onClose}>
      {found ? (
        <div className="cheque-found">
          <p role="status">This is what we read. Compare it with your check.</p>
          <img src={found.picture} alt="The line of numbers as it was read" className="cheque-line" />
          <DataList
            facts={[
              { label: 'Routing number', value: <span className="num">{found.read.routingNumber}</span> },
              { label: 'Account number', value: <span className="num">{found.read.accountNumber}</span> },
            ]}
          />
          {doubted && <p className="error">This routing number is not valid. It is better to scan again.</p>}
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
            {started === 'failed'
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
                disabled={started !== 'yes'}
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
