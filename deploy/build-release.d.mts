export function assemble(folder: string, version: string): void
