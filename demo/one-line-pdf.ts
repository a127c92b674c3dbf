/** Returns a one-page PDF that shows the line, which must not contain parentheses or backslashes. */
export const oneLinePdf = (line: string): Uint8Array =>
  new TextEncoder().encode(
    [
      '%PDF-1.4',
      '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
      '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj',
      '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 420 200]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj',
      `4 0 obj<</Length ${line.length + 32}>>stream`,
      `BT /F 14 Tf 30 120 Td (${line}) Tj ET `,
      'endstream endobj',
      '5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj',
      'trailer<</Root 1 0 R>>',
    ].join('\n'),
  )
