/** Entry of the one server bundle: the site (API and pages) and the operator's commands. */
import { readReleaseVersion } from './server/release-version.ts'

export { pages, start } from './server/start.ts'

/** The operator's command line, loaded when used. @returns exit code: 0 done, 1 failed, 2 wrong use or settings */
export async function operator(
  argv: string[],
  environment: Record<string, string | undefined>,
  root: string,
): Promise<number> {
  const commands = await import('./operator/commands.ts')
  return commands.run(argv, environment, readReleaseVersion(root))
}
