import { loadPdfkit } from './fonts.ts'

export const pageGeometry = { width: 612, height: 792, left: 64, top: 84, bottom: 70 } as const
/** Lowest position of content on a page, in points from the page's top. */
export const contentBottom = pageGeometry.height - pageGeometry.bottom
export const contentWidth = pageGeometry.width - 2 * pageGeometry.left

export type Element = ReturnType<PDFKit.PDFDocument['struct']>

export type TaggedPdf = Awaited<ReturnType<typeof taggedPdf>>

/**
 * Creates an accessible (tagged) PDF of US Letter pages.
 * @param info document information; its dates are part of the file's bytes
 * @param font '' where the caller embeds the typefaces itself
 */
export async function taggedPdf(info: PDFKit.DocumentInfo, font?: '') {
  const Pdf = await loadPdfkit()
  const doc = new Pdf({
    size: 'LETTER',
    margins: { left: pageGeometry.left, right: pageGeometry.left, top: pageGeometry.top, bottom: pageGeometry.bottom },
    bufferPages: true,
    autoFirstPage: false,
    pdfVersion: '1.7',
    lang: 'en-US',
    tagged: true,
    displayTitle: true,
    ...(font === '' && { font }),
    info,
  })
  const chunks: Uint8Array[] = []
  const finished = new Promise<Uint8Array<ArrayBuffer>>((resolve, reject) => {
    doc.on('data', (chunk: Uint8Array) => chunks.push(chunk))
    doc.on('end', () => resolve(new Uint8Array(Buffer.concat(chunks))))
    doc.on('error', reject)
  })
  // A failure while drawing must not become an unhandled rejection.
  finished.catch(() => {})
  return {
    doc,
    begin(): Element {
      doc.addPage()
      const root = doc.struct('Document')
      doc.addStructure(root)
      return root
    },
    /**
     * Adds a structure element such as 'P' or 'H2', which stays open for child elements.
     * @param alt alternative text of a picture
     */
    element(parent: Element, tag: string, draw?: () => void, alt?: string): Element {
      const node = alt === undefined ? doc.struct(tag, {}, draw) : doc.struct(tag, { alt }, draw)
      parent.add(node)
      return node
    },
    /** Draws decoration, which screen readers skip. */
    artifact(draw: () => void): void {
      doc.markContent('Artifact', { type: 'Layout' })
      draw()
      doc.endMarkedContent()
    },
    /** Starts a new page unless this many points fit on the current one. */
    ensureSpace(height: number): void {
      if (doc.y + height > contentBottom) doc.addPage()
    },
    /**
     * Draws the header and footer of every page.
     * @param draw gets the page number, from 1, and the number of pages
     */
    frame(draw: (number: number, count: number) => void): void {
      const { count } = doc.bufferedPageRange()
      for (let index = 0; index < count; index++) {
        doc.switchToPage(index)
        // Otherwise pdfkit would start a new page for text in the bottom margin.
        doc.page.margins.bottom = 0
        doc.markContent('Artifact', { type: 'Pagination' })
        draw(index + 1, count)
        doc.endMarkedContent()
      }
    },
    finish(): Promise<Uint8Array<ArrayBuffer>> {
      doc.end()
      return finished
    },
  }
}
