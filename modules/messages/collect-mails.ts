/** npm run catalogue: writes modules/messages/every-message.ts, which lists every file of modules/messages/mails. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const mails = join(import.meta.dirname, 'mails')
const generated = join(import.meta.dirname, 'every-message.ts')

/** Returns the current text of `every-message.ts`. */
export function collectMails(): string {
  const declared = readdirSync(mails)
    .sort()
    .map((file) => ({
      file,
      found: /^export const (\w+) = (?:mail|textMessage)\('(\w+)'/m.exec(readFileSync(join(mails, file), 'utf8')),
    }))
    .flatMap(({ file, found }) => (found ? [{ file, name: found[1], kind: found[2] }] : []))
  const imports = declared.map(({ file, name }) => `import { ${name} } from './mails/${file}'`)
  const list = declared.map(({ kind, name }) => `  ${kind}: ${name},`)
  return `// Written by \`npm run catalogue\`.\n${imports.join('\n')}\n\nexport const everyMessage = {\n${list.join('\n')}\n}\n`
}

if (import.meta.main ?? process.argv[1] === import.meta.filename) writeFileSync(generated, collectMails())
