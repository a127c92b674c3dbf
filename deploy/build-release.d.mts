export const platform: string
export function assemble(folder: string, version: string): void
export function runtimePackages(): string[]
