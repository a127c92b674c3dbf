import { useEffect, useState } from 'react'

/** State of the camera: 'refused' by the user or the browser; 'none' when there is no camera or it cannot be opened. */
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

/**
 * Opens a camera, the rear one if there is one, while the component is mounted.
 * @returns `stream`: null until the camera is on; `torch`: its light, null without one
 */
export function useCamera(): { state: CameraState; stream: MediaStream | null; torch: Torch | null } {
  const [state, setState] = useState<CameraState>('asking')
  const [stream, setStream] = useState<MediaStream | null>(null)
  const [torchTrack, setTorchTrack] = useState<MediaStreamTrack | null>(null)
  const [isOn, setIsOn] = useState(false)

  useEffect(() => {
    let isUnmounted = false
    let stopTracks = () => {}
    openCamera().then(
      (openedStream) => {
        stopTracks = () => {
          for (const track of openedStream.getTracks()) track.stop()
        }
        if (isUnmounted) return stopTracks()
        const track = openedStream.getVideoTracks()[0]
        const capabilities = track?.getCapabilities?.() as { torch?: boolean } | undefined
        if (track && capabilities?.torch) setTorchTrack(track)
        setStream(openedStream)
        setState('on')
      },
      (error) => {
        const refused = error instanceof DOMException && error.name === 'NotAllowedError'
        if (!isUnmounted) setState(refused ? 'refused' : 'none')
      },
    )
    return () => {
      isUnmounted = true
      stopTracks()
    }
  }, [])

  const toggle = () =>
    torchTrack?.applyConstraints({ advanced: [{ torch: !isOn } as MediaTrackConstraintSet] }).then(
      () => setIsOn(!isOn),
      () => setTorchTrack(null),
    )
  return { state, stream, torch: torchTrack && { on: isOn, toggle } }
}
