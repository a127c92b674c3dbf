import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { UPLOAD_MAX_BYTES } from '../domain/upload-size-and-file-types.ts'
import { ALT_MAX, MAX_PHOTOS, photoFaultMessages, photoWidths } from '../modules/facilities/rules/photograph.ts'
import { addPhotos, loadPhotos, storePhotographFiles } from '../modules/facilities/store-photographs.ts'
import { type Photograph, readPhotograph } from '../platform/images/photograph.ts'
import type { Services } from '../platform/operations/services.ts'
import { type Command, CommandFailed, refuseExtraArguments, requireArgument } from './command-definition.ts'

interface FoundPhotograph {
  locationCode: string
  /** Path relative to the folder in the command. */
  name: string
  path: string
  /** Hash of the content, by which photographs that the facility already has are left out; '' for a file that is too large. */
  photo_id: string
  alt: string
}

interface ReadablePhotograph extends FoundPhotograph {
  photo: () => Photograph
}

/** Derives a description from a file name: '02-the-gate_at-night.jpg' becomes 'The gate at night'. */
function describeByFileName(name: string): string {
  const words = name
    .slice(0, name.length - extname(name).length)
    .replace(/^\d+/, '')
    .replace(/[-_\s]+/g, ' ')
    .trim()
  return (words.charAt(0).toUpperCase() + words.slice(1)).slice(0, ALT_MAX)
}

const isVisible = (name: string) => !name.startsWith('.')
const compareNames = new Intl.Collator('en', { numeric: true }).compare

/** Yields the files of a facility's folder as photographs. @param problems receives a problem for each folder in it */
function* photographsIn(folder: string, locationCode: string, problems: string[]): Generator<FoundPhotograph, void> {
  for (const file of readdirSync(join(folder, locationCode)).filter(isVisible).sort(compareNames)) {
    const path = join(folder, locationCode, file)
    if (statSync(path).isDirectory()) {
      problems.push(`${locationCode}/${file}: is a folder; put its photographs beside it`)
      continue
    }
    const isTooLarge = statSync(path).size > UPLOAD_MAX_BYTES
    const photo_id = isTooLarge ? '' : createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 32)
    yield { locationCode, name: `${locationCode}/${file}`, path, photo_id, alt: describeByFileName(file) }
  }
}

/** Finds photographs in the folder that the facilities do not have yet, and the problems of the folder. */
async function findNewPhotographs({ db }: Pick<Services, 'db'>, folder: string) {
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : []
  const codes = entries.filter((entry) => entry.isDirectory() && isVisible(entry.name)).map(({ name }) => name)
  const problems = entries
    .filter((entry) => entry.isFile() && isVisible(entry.name))
    .map(({ name }) => `${name}: lies beside the folders of facilities; move it into that of its own`)
  if (codes.length === 0) problems.push(`${folder}: has no folder named by a facility's code`)
  const added: FoundPhotograph[] = []
  for (const code of codes.sort(compareNames)) {
    const facility = db.read.selectFrom('locations').select('location_code').where('location_code', '=', code)
    if (await facility.executeTakeFirst()) added.push(...(await findNewAt({ db }, folder, code, problems)))
    else problems.push(`${code}: there is no such facility`)
  }
  return { added, problems }
}

/** Finds a facility's new photographs. @param problems receives the problems of its files */
async function findNewAt(
  { db }: Pick<Services, 'db'>,
  folder: string,
  code: string,
  problems: string[],
): Promise<FoundPhotograph[]> {
  const existing = new Set((await loadPhotos(db.read, [code])).map((photo) => photo.photo_id))
  const photographs: FoundPhotograph[] = []
  for (const photo of photographsIn(folder, code, problems)) {
    if (photo.photo_id === '') problems.push(`${photo.name}: ${photoFaultMessages.too_large}`)
    else if (!existing.has(photo.photo_id) && photographs.every(({ photo_id }) => photo_id !== photo.photo_id))
      photographs.push(photo)
  }
  if (existing.size + photographs.length > MAX_PHOTOS)
    problems.push(`${code}: would have ${existing.size + photographs.length}; a facility has at most ${MAX_PHOTOS}.`)
  return photographs
}

export const photographCommands: Record<string, Command> = {
  photographs: {
    reads: (_, options) => options['dry-run'] === true,
    usage: 'photographs <folder> [--dry-run]',
    summary: 'Adds photographs of facilities: all of a folder, or none where one cannot be read.',
    details: [
      'The folder has one for each facility, named by its code, with JPEG, PNG or WebP files in it, shown in the order of their names.',
      'What stands in a name after its number says what is seen: "02-the-gate-at-night.jpg". Those that are there already stay.',
      '--dry-run  reads all of them and adds none',
    ],
    options: { 'dry-run': { type: 'boolean' } },
    async run(context, [folder, ...more], options) {
      const from = requireArgument(folder, 'which folder')
      refuseExtraArguments(more)
      const services = await context.services()
      const { added, problems } = await findNewPhotographs(services, from)
      const scratch = mkdtempSync(join(tmpdir(), 'latchkey-photographs-'))
      try {
        const readable: ReadablePhotograph[] = []
        for (const [at, photograph] of added.entries()) {
          context.progress(`${at + 1} of ${added.length} read`)
          const photo = await readPhotograph(readFileSync(photograph.path), photoWidths)
          if (photo) readable.push({ ...photograph, photo: writeToDisk(join(scratch, String(at)), photo) })
          else problems.push(`${photograph.name}: ${photoFaultMessages.unreadable}`)
        }
        if (problems.length > 0) throw new CommandFailed([...problems, 'No photograph was added.'], { problems })
        for (const [code, photographs] of Map.groupBy(readable, (photograph) => photograph.locationCode)) {
          if (options['dry-run'] !== true) await addToFacility(services, code, photographs)
          context.say(`${code.padEnd(10)} ${photographs.length} new`)
        }
      } finally {
        rmSync(scratch, { recursive: true })
      }
      context.say(
        options['dry-run'] === true ? 'All of them are right; none was added.' : `${added.length} were added.`,
      )
      return { added: added.length }
    },
  },
}

/**
 * Writes a converted photograph's image files to disk, so that they do not stay in memory until the whole folder has
 * been checked.
 * @returns function that reads the photograph back
 */
function writeToDisk(path: string, { sizes, ...photo }: Photograph): () => Photograph {
  for (const { width, content } of sizes) writeFileSync(`${path}-${width}`, content)
  return () => ({ ...photo, sizes: sizes.map(({ width }) => ({ width, content: readFileSync(`${path}-${width}`) })) })
}

async function addToFacility(
  services: Services,
  locationCode: string,
  photographs: readonly ReadablePhotograph[],
): Promise<void> {
  const photos: Parameters<typeof addPhotos>[2][number][] = []
  for (const photograph of photographs) {
    const photo = photograph.photo()
    await storePhotographFiles(services, 'facilities', locationCode, photo, photograph.photo_id)
    const { width, height } = photo
    const origin = { added_at: services.clock.now(), added_by: 'the command line' }
    photos.push({ ...origin, photo_id: photograph.photo_id, alt: photograph.alt, slot: null, width, height })
  }
  if ((await addPhotos(services, locationCode, photos)) === null) throw new CommandFailed([`${locationCode} is gone.`])
}
