/** Formats a size in feet: '10 × 10', '7.5 × 10'. */
export function sizeLabel(unitType: { length: number; breadth: number }): string {
  return `${unitType.length} × ${unitType.breadth}`
}

/** Names a unit type: '10 × 10 Indoor'. */
export const unitTypeName = (unitType: Parameters<typeof sizeLabel>[0] & { category_name: string }): string =>
  `${sizeLabel(unitType)} ${unitType.category_name}`
