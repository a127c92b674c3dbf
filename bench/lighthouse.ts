/** Lighthouse's mobile profile on a page of ours, by the lighthouse package of a folder elsewhere. */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { discard, scratchFolder } from './machine.ts'

const run = promisify(execFile)

export interface Found {
  /** 0 to 100 each: performance, accessibility, best practices, search engines. */
  scores: Record<string, number>
  lcpMs: number
  /** Audits that cost points, as `id: what it says`. */
  faults: string[]
}

interface Report {
  finalDisplayedUrl: string
  categories: Record<string, { score: number; auditRefs: { id: string; weight: number }[] }>
  audits: Record<string, { score: number | null; title: string; displayValue?: string; numericValue?: number }>
}

/**
 * @param asked `headers` of every request of the page: who asks; `indexed` is false where search engines are kept away on
 *   purpose, which then costs no points
 * @throws Error where lighthouse or Chromium is not there, or the page cannot be loaded or is another than the one asked for
 */
export async function lighthouseScores(
  folder: string,
  url: string,
  asked: { headers: Record<string, string>; indexed: boolean },
): Promise<Found> {
  const program = join(folder, 'node_modules/lighthouse/cli/index.js')
  if (!existsSync(program)) throw new Error(`There is no lighthouse in ${folder}`)
  const chromium = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
    (path) => path && existsSync(path),
  )
  if (!chromium) throw new Error('Lighthouse needs Chromium; CHROMIUM names it')
  const scratch = scratchFolder()
  try {
    const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync']
    const quiet = [
      '--disable-background-networking',
      '--disable-component-update',
      `--user-data-dir=${scratch}/profile`,
    ]
    const output = join(scratch, 'report.json')
    const given = [program, url, '--quiet', '--output=json', `--output-path=${output}`, '--no-enable-error-reporting']
    given.push('--only-categories=performance,accessibility,best-practices,seo')
    given.push(`--chrome-flags=${[...flags, ...quiet].join(' ')}`)
    given.push(`--extra-headers=${JSON.stringify(asked.headers)}`)
    if (!asked.indexed) given.push('--skip-audits=is-crawlable')
    await run(process.execPath, given, { env: { ...process.env, CHROME_PATH: chromium }, timeout: 120_000 })
    const report = JSON.parse(readFileSync(output, 'utf8')) as Report
    if (report.finalDisplayedUrl !== url) throw new Error(`${url} leads to ${report.finalDisplayedUrl}`)
    const entries = Object.entries(report.categories)
    const faults = entries.flatMap(([, category]) =>
      category.auditRefs.flatMap(({ id, weight }) => {
        const audit = report.audits[id]
        if (!audit || weight === 0 || audit.score === null || audit.score >= 0.995) return []
        return [`${id}: ${audit.title} ${audit.displayValue ?? ''}`.trim()]
      }),
    )
    return {
      scores: Object.fromEntries(entries.map(([name, category]) => [name, Math.round(category.score * 100)])),
      lcpMs: report.audits['largest-contentful-paint']?.numericValue ?? Number.POSITIVE_INFINITY,
      faults,
    }
  } finally {
    discard(scratch)
  }
}
