import { readFileSync } from 'node:fs'

/** Prints the comment at the head of a command's file and exits, when called with `--help`. */
export function printUsage(file) {
  if (!process.argv.includes('--help')) return
  const [, head = ''] = /^\/\*\*\n([\s\S]*?)\n \*\/$/m.exec(readFileSync(file, 'utf8')) ?? []
  console.log(head.replace(/^ \* ?/gm, ''))
  process.exit(0)
}
