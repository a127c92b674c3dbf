import { inflateSync } from 'node:zlib'

/**
 * Extracts a PDF's text through each font's Unicode table, as a reader that copies text does.
 * @returns `pages`: text of each page, one line for each piece shown; `raw`: the file's bytes as Latin-1 characters
 */
export function textOfPdf(pdf: Uint8Array): { pages: string[]; raw: string } {
  const raw = Buffer.from(pdf).toString('latin1')
  const objects = new Map<string, { head: string; stream: string }>()
  for (const [, id, head, body] of raw.matchAll(
    /\n(\d+) 0 obj\n([\s\S]*?)(?:stream\n([\s\S]*?)\nendstream\n)?endobj/g,
  )) {
    const packed = body !== undefined && head!.includes('/FlateDecode')
    const stream = packed ? inflateSync(Buffer.from(body, 'latin1')).toString('latin1') : (body ?? '')
    objects.set(id!, { head: head!, stream })
  }
  const ref = (text: string, key: string) => objects.get(new RegExp(`/${key} (\\d+) 0 R`).exec(text)?.[1] ?? '')!
  const tables = new Map<string, string[]>()
  const tableOf = (font: string) => {
    let table = tables.get(font)
    if (!table) {
      table = []
      for (const [, first, values] of ref(objects.get(font)!.head, 'ToUnicode').stream.matchAll(
        /<([0-9a-f]{4})> <[0-9a-f]{4}> \[(<[^\]]*>)\]/g,
      )) {
        let code = Number.parseInt(first!, 16)
        const afterLast = (code | 0xff) + 1
        for (const [, hex] of values!.matchAll(/<([0-9a-f]*)>/g)) {
          // A range ends where the last byte of its codes would overflow (PDF 1.7 §9.10.3).
          if (code < afterLast) table[code++] = Buffer.from(hex!, 'hex').swap16().toString('utf16le')
        }
      }
      tables.set(font, table)
    }
    return table
  }
  const pages: string[] = []
  for (const { head } of objects.values()) {
    if (!/\/Type \/Page\n/.test(head)) continue
    const resources = ref(head, 'Resources')
    const fonts = new Map([...resources.head.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name, id]) => [name!, id!]))
    let table: string[] = []
    let text = ''
    for (const [, font, glyphs] of ref(head, 'Contents').stream.matchAll(/\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)) {
      if (font) table = tableOf(fonts.get(font)!)
      else {
        for (const [, hex] of glyphs!.matchAll(/<([0-9a-f]+)>/g)) {
          for (const code of hex!.match(/.{4}/g)!) text += table[Number.parseInt(code, 16)] ?? '?'
        }
        text += '\n'
      }
    }
    pages.push(text)
  }
  return { pages, raw }
}
