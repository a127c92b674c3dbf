import { useEffect, useState } from 'react'

/** State of the camera: 'refused' by the user, 'none' when the device has none. */
export type CameraState = 'asking' | 'on' | 'refused' | 'none'

interface Torch {
  on: boolean
  toggle(): void
}

async function openCamera(): Promise<MediaStream> {
  return navigator.mediaDevices.getUserMedia({
    video: { facingMode: 'environment', width: { ideal: 1920 }, height: { ideal: 1080 } },
    audio: false,
  })
}

/** Opens the rear camera while the component is mounted, with its light where it has one. */
export function useCamera(): { state: CameraState; stream: MediaStream | null; torch: Torch | null } {
  const [state, setState] = useState<CameraState>('asking')
  const [stream, setStream] = useState<MediaStream | null>(null)
  const [light, setLight] = useState<MediaStreamTrack | null>(null)
  const [on, setOn] = useState(false)

  useEffect(() => {
    let over = false
    let stop = () => {}
    openCamera().then(
      (opened) => {
        stop = () => {
          for (const track of opened.getTracks()) track.stop()
        }
        if (over) return stop()
        const track = opened.getVideoTracks()[0]
        const can = track?.getCapabilities?.() as { torch?: boolean } | undefined
        if (track && can?.torch) setLight(track)
        setStream(opened)
        setState('on')
      },
      (error) => {
        const refused = error instanceof DOMException && error.name === 'NotAllowedError'
        if (!over) setState(refused ? 'refused' : 'none')
      },
    )
    return () => {
      over = true
      stop()
    }
  }, [])

  const toggle = () =>
    light?.applyConstraints({ advanced: [{ torch: !on } as MediaTrackConstraintSet] }).then(
      () => setOn(!on),
      () => setLight(null),
    )
  return { state, stream, torch: light && { on, toggle } }
}
