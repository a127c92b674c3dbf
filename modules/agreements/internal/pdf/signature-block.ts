import { replaceUndrawable } from './fonts.ts'
import { boldStyle, type LeaseCanvas, textStyle } from './paragraphs.ts'
import { inkColor, mutedColor, tintColor } from './pdf-brand.ts'
import { contentWidth, type Element, pageGeometry } from './tagged-pdf.ts'
import type { Style } from './typesetter.ts'

/** A signature as the lease PDF shows it. `evidence` has the lines of its signing record. */
export interface LeaseSignature {
  mark: { method: 'drawn'; image: Uint8Array } | { method: 'typed'; name: string }
  signerName: string
  signedAtText: string
  evidence: string[]
}

const { left } = pageGeometry
const signatureWidth = contentWidth * 0.62
const half = (contentWidth - 32) / 2
const recordBlock = { width: contentWidth - 24, lineGap: 1.5 }

function recordHeight({ type }: LeaseCanvas, record: string[]): number {
  if (record.length === 0) return 0
  return 34 + record.reduce((sum, line) => sum + type.height(textStyle(8, mutedColor), line, recordBlock) + 2, 0)
}

/** Returns the height of the signature block with its signing record, in points. */
export const signatureBlockHeight = (canvas: LeaseCanvas, signature?: LeaseSignature): number =>
  128 + recordHeight(canvas, (signature?.evidence ?? []).map(replaceUndrawable))

/**
 * Draws the signature block of the lease PDF: the signature with its signer, time and signing record, or empty lines
 * for signature and date.
 */
export function drawSignatureBlock(canvas: LeaseCanvas, root: Element, signature?: LeaseSignature): void {
  const { doc, element, artifact, ensureSpace, type } = canvas
  const part = element(root, 'Sect')
  ensureSpace(signatureBlockHeight(canvas, signature))
  doc.y += 14
  const top = doc.y
  const lineY = top + 74
  if (signature) drawSignature(canvas, part, signature, { top, lineY })
  artifact(() => {
    doc.moveTo(left, lineY).lineTo(left + (signature ? signatureWidth : half), lineY)
    if (!signature) doc.moveTo(left + half + 32, lineY).lineTo(left + contentWidth, lineY)
    doc.lineWidth(0.9).stroke(inkColor)
  })
  doc.y = lineY + 6
  if (signature) drawSigner(canvas, part, signature)
  else {
    const y = doc.y
    element(part, 'P', () => type.set(textStyle(9.5, mutedColor), 'Tenant’s signature', left, y, { width: half })).end()
    element(part, 'P', () => type.set(textStyle(9.5, mutedColor), 'Date', left + half + 32, y, { width: half })).end()
  }
  part.end()
}

function drawSignature(
  canvas: LeaseCanvas,
  part: Element,
  { mark, signerName }: LeaseSignature,
  { top, lineY }: { top: number; lineY: number },
): void {
  const { doc, element, type } = canvas
  if (mark.method === 'drawn') {
    const draw = () => doc.image(Buffer.from(mark.image), left, top, { fit: [signatureWidth, 70] })
    element(part, 'Figure', draw, `Signature of ${signerName}, drawn by hand`).end()
    return
  }
  const name = replaceUndrawable(mark.name)
  const script: Style = { face: 'script', size: 26, color: inkColor }
  while (script.size > 11 && type.width(script, name) > signatureWidth) script.size -= 1
  if (type.width(script, name) <= signatureWidth) {
    element(part, 'P', () => type.setLine(script, name, left, lineY - script.size * 1.35)).end()
    return
  }
  // A longer name takes as many lines of the page's width as it needs, since every typed letter is part of the
  // signature.
  const page = { width: contentWidth }
  while (script.size > 5 && type.height(script, name, page) > lineY - top - 6) script.size -= 1
  const height = type.height(script, name, page)
  element(part, 'P', () => type.set(script, name, left, lineY - 4 - height, page)).end()
}

function drawSigner(canvas: LeaseCanvas, part: Element, { signerName, signedAtText, evidence }: LeaseSignature): void {
  const { doc, element, artifact, type } = canvas
  const block = { width: contentWidth }
  element(part, 'P', () => type.set(boldStyle(10, inkColor), replaceUndrawable(signerName), left, doc.y, block)).end()
  element(part, 'P', () =>
    type.set(textStyle(9.5, mutedColor), replaceUndrawable(`Tenant, signed ${signedAtText}`), left, doc.y, block),
  ).end()
  const record = evidence.map(replaceUndrawable)
  if (record.length === 0) return
  const top = doc.y + 12
  artifact(() => doc.roundedRect(left, top, contentWidth, recordHeight(canvas, record) - 8, 5).fill(tintColor))
  doc.y = top + 8
  element(part, 'P', () => type.set(boldStyle(8.5, inkColor), 'Signing record', left + 12, doc.y, recordBlock)).end()
  doc.y += 2
  for (const line of record) {
    element(part, 'P', () => type.set(textStyle(8, mutedColor), line, left + 12, doc.y, recordBlock)).end()
    doc.y += 2
  }
}
