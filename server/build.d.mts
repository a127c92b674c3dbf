export const root: string
export function ensureBuild(): void
export function checkNode(): void
