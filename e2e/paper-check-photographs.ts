import { writeFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { CELL_INCHES, GLYPH_HEIGHT, glyphs, PITCH } from '../app/ui/check-scanner/e13b-glyph-shapes.ts'

export interface CheckImageOptions {
  /** MICR line at the bottom, of characters that `glyphs` has; '' for a check without one. */
  line?: string
  /** Degrees, clockwise. */
  tilt?: number
  /** Radius in pixels. */
  blur?: number
  /** Brightness factor; 1 leaves the drawn colors unchanged. */
  light?: number
  /** Scale of the check; at 1 it is slightly larger than the scanner's frame. */
  size?: number
  /** Whether nothing is printed on the check. */
  blank?: boolean
}

export const WIDTH = 1280
export const HEIGHT = 720

/**
 * Draws a check on a desk as a camera sees it.
 * @returns the picture as RGBA and as PNG
 */
export async function photographCheck(page: Page, look: CheckImageOptions): Promise<{ rgba: Buffer; png: Buffer }> {
  const { rgba, png } = await page.evaluate(
    ({ look, width, height, glyphs, cellInches, pitch, high: cellsHigh }) => {
      const { line = '', tilt = 0, blur = 0, light = 1, size = 1, blank = false } = look
      const sheet = document.createElement('canvas')
      sheet.width = width
      sheet.height = height
      const pen = sheet.getContext('2d')
      if (!pen) throw new Error('There is no canvas')
      pen.fillStyle = '#6b5a48'
      pen.fillRect(0, 0, width, height)
      pen.translate(width / 2, height / 2)
      pen.rotate((tilt * Math.PI) / 180)
      pen.scale(size, size)
      const wide = width * 0.94
      const high = (wide / 6) * 2.75
      const left = -wide / 2
      const top = -high / 2
      pen.fillStyle = '#f4f2ea'
      pen.fillRect(left, top, wide, high)
      if (!blank) {
        pen.fillStyle = '#23303a'
        pen.font = '600 30px sans-serif'
        pen.fillText('Wanda Pell', left + 40, top + 60)
        pen.font = '24px sans-serif'
        pen.fillText('12 Test Mill Lane, Atlanta, GA', left + 40, top + 95)
        pen.fillText('Pay to the order of', left + 40, top + 190)
        pen.fillRect(left + 250, top + 195, wide - 480, 2)
        pen.strokeStyle = '#23303a'
        pen.strokeRect(left + wide - 200, top + 160, 150, 46)
        pen.fillText('Memo', left + 40, top + 340)
        pen.fillRect(left + 110, top + 345, 330, 2)
        pen.fillRect(left + wide - 460, top + 345, 410, 2)
        pen.fillStyle = '#101010'
        const cell = (wide / 6) * cellInches
        for (const [index, name] of [...line].entries())
          for (const [x, y, across, down] of glyphs[name] ?? [])
            pen.fillRect(
              left + 70 + (index * pitch + x) * cell,
              top + high - 55 + (y - cellsHigh) * cell,
              across * cell,
              down * cell,
            )
      }
      const photo = document.createElement('canvas')
      photo.width = width
      photo.height = height
      const lens = photo.getContext('2d')
      if (!lens) throw new Error('There is no canvas')
      lens.filter = `blur(${blur}px) brightness(${light})`
      lens.drawImage(sheet, 0, 0)
      const { data } = lens.getImageData(0, 0, width, height)
      let binary = ''
      for (let index = 0; index < data.length; index += 8192)
        binary += String.fromCharCode(...data.subarray(index, index + 8192))
      return { rgba: btoa(binary), png: photo.toDataURL('image/png').split(',')[1] ?? '' }
    },
    { look, width: WIDTH, height: HEIGHT, glyphs, cellInches: CELL_INCHES, pitch: PITCH, high: GLYPH_HEIGHT },
  )
  return { rgba: Buffer.from(rgba, 'base64'), png: Buffer.from(png, 'base64') }
}

/**
 * Writes RGBA frames as a video for Chromium's fake camera, which plays the video in a loop: YUV4MPEG2 with 4:2:0
 * chroma, two frames a second.
 */
export function writeCameraVideo(path: string, frames: Buffer[]): void {
  const parts: Buffer[] = [Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F2:1 Ip A1:1 C420mpeg2\n`)]
  const planes = new Map<Buffer, Buffer>()
  for (const rgba of frames) {
    const encoded = planes.get(rgba)
    if (encoded) {
      parts.push(Buffer.from('FRAME\n'), encoded)
      continue
    }
    const luma = Buffer.alloc(WIDTH * HEIGHT)
    const blue = Buffer.alloc((WIDTH * HEIGHT) / 4)
    const red = Buffer.alloc((WIDTH * HEIGHT) / 4)
    for (let y = 0; y < HEIGHT; y += 1) {
      for (let x = 0; x < WIDTH; x += 1) {
        const offset = (y * WIDTH + x) * 4
        const r = rgba[offset] ?? 0
        const g = rgba[offset + 1] ?? 0
        const b = rgba[offset + 2] ?? 0
        luma[y * WIDTH + x] = 16 + (65.738 * r + 129.057 * g + 25.064 * b) / 256
        if (y % 2 === 0 && x % 2 === 0) {
          const chroma = (y / 2) * (WIDTH / 2) + x / 2
          blue[chroma] = 128 + (-37.945 * r - 74.494 * g + 112.439 * b) / 256
          red[chroma] = 128 + (112.439 * r - 94.154 * g - 18.285 * b) / 256
        }
      }
    }
    const picture = Buffer.concat([luma, blue, red])
    planes.set(rgba, picture)
    parts.push(Buffer.from('FRAME\n'), picture)
  }
  writeFileSync(path, Buffer.concat(parts))
}
