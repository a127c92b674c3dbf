/** Formats a size in feet: '10 × 10', '7.5 × 10'. */
export function sizeLabel(unitType: { length: number; breadth: number }): string {
  return `${unitType.length} × ${unitType.breadth}`
}
