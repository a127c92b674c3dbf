/** Color of the outlines in the brand's drawings, and of a drawn or typed signature. */
export const INK = '#14191c'
/** Color of dark interiors in the brand's drawings. */
export const INSIDE = '#23292c'
