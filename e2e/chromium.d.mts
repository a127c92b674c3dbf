export const headlessShell: string
export function findChromium(): string | undefined
