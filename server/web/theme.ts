/** The operator's colours and logo as files named by their content. */
import { createHash } from 'node:crypto'
import { type BrandRecord, brandLogo, brandSheet } from '../../domain/brand.ts'

interface LookFile {
  /** '/look/3fa9c1d27b04.css' */
  path: string
  type: string
  body: Uint8Array<ArrayBuffer>
}

function file(body: Buffer, type: string, extension: string): LookFile {
  const name = createHash('sha256').update(body).digest('hex').slice(0, 12)
  return { path: `/look/${name}.${extension}`, type, body: new Uint8Array(body) }
}

export function themeOf(brand: BrandRecord): { sheet: LookFile | null; logo: LookFile | null } {
  const sheet = brandSheet(brand)
  const logo = brandLogo(brand)
  return {
    sheet: sheet === '' ? null : file(Buffer.from(sheet), 'text/css; charset=utf-8', 'css'),
    logo: logo && file(Buffer.from(logo.base64, 'base64'), logo.type, logo.type.replace(/^image\/|\+xml$/g, '')),
  }
}
