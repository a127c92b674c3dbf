/** Commands that bring a business in from files, and write it out as files. */
import { systemRandom } from '../server/system-clock-and-random.ts'
import { type Command, CommandFailed, refuseExtraArguments, requireArgument, UsageError } from './command-definition.ts'
import { exportFolder } from './export-importable-business-files.ts'
import { importFolder, sentenceOf } from './import/import-business.ts'
import { reportLines } from './import/import-report.ts'

export const importAndExportCommands: Record<string, Command> = {
  import: {
    reads: (_, options) => options['dry-run'] === true,
    usage: 'import <folder> [--dry-run]',
    summary: 'Brings a business in from CSV or JSON files: all of it, or nothing where a row is wrong.',
    details: [
      'docs/sample-operator is such a folder; its README lists the files and columns.',
      '--dry-run  imports everything, says what it changed and takes it back; others wait to write meanwhile',
    ],
    options: { 'dry-run': { type: 'boolean' } },
    createsDatabase: true,
    async run(context, [folder, ...more], options) {
      const from = requireArgument(folder, 'which folder')
      refuseExtraArguments(more)
      const dryRun = options['dry-run'] === true
      const db = await context.database()
      const result = await importFolder({ db, clock: context.clock, random: systemRandom }, from, {
        dryRun,
        scratch: context.dataDir,
        progress: context.progress,
      })
      if (!result.ok) {
        const left = result.total - result.problems.length
        throw new CommandFailed(
          [
            ...result.problems.map(sentenceOf),
            ...(left > 0 ? [`… and ${left} more`] : []),
            `${result.total} ${result.total === 1 ? 'problem' : 'problems'}; nothing was imported.`,
          ],
          result,
        )
      }
      for (const line of reportLines(result)) context.say(line)
      context.say(dryRun ? 'All of it is right; nothing was written.' : 'Imported.')
      return result
    },
  },
  export: {
    allowsOtherSettings: true,
    usage: 'export <folder> [--format csv|json]',
    summary: 'Writes the business out as the files that import reads.',
    details: [
      'Accounts and passwords, autopay, licenses, reservations and the history of payments are not in them: see backup.',
    ],
    options: { format: { type: 'string' } },
    async run(context, [folder, ...more], options) {
      const to = requireArgument(folder, 'which folder')
      refuseExtraArguments(more)
      const kind = options.format ?? 'csv'
      if (kind !== 'csv' && kind !== 'json') throw new UsageError('The format is csv or json.')
      const result = await exportFolder(await context.database(), to, { format: kind, progress: context.progress })
      if (!result.ok) throw new CommandFailed([result.why], result)
      for (const count of result.counts) context.say(`${count.file.padEnd(18)} ${count.rows} rows`)
      context.say(`Written to ${to}.`)
      return result
    },
  },
}
