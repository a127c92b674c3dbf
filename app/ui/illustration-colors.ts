/** Color of the outlines in the brand's drawings, and of a drawn or typed signature. */
export const INK = '#14191c'
/** Dark fill color of interiors and some roofs in the brand's drawings, and of the logo. */
export const INSIDE = '#23292c'
