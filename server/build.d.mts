export const root: string
export function ensureBuild(): void
export function importServer(): Promise<typeof import('../main.ts')>
export function makeOnce(parts: { lock: string; stamp: string; changed: string; make: () => void }): void
export function removeOld(folder: string, before: number): void
export function scriptsIn(folder: string): { address: string; bytes: number; integrity: string }[]
export function checkNode(): void
