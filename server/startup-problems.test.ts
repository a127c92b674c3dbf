import { readdirSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { SMTPServer } from 'smtp-server'
import { expect, test } from 'vitest'
import { lockDataDirectory } from '../platform/database/data-directory-lock.ts'
import { openDatabase } from '../platform/database/open.ts'
import { folderFiles } from '../ports/files/folder.ts'
import { smtpMail } from '../ports/mail/smtp.ts'
import { fixedClock } from '../ports/testing-clock-and-random.ts'
import {
  canUsePostgres,
  createPostgresDatabase,
  dropPostgresDatabase,
  temporaryFolder,
} from '../tests/support/postgres.ts'
import { StartupError } from './config/config.ts'
import { listen } from './http-server.ts'
import { explainOpenErrors, filesProblem, mailProblem } from './startup-problems.ts'

const folder = temporaryFolder()
const config = { dataDir: folder, databaseUrl: null, host: '127.0.0.1', port: 3000 }
const hold = (dataDir: string) =>
  lockDataDirectory({ dataDir, address: 'https://rent.example.com', clock: fixedClock(0) })

async function startupMessage(opened: Promise<unknown>): Promise<string> {
  const error = await opened.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof StartupError)) throw new Error(`It was not refused: ${error}`)
  return error.message
}

test('explains a data folder that is a file, and one that another server uses', async () => {
  const file = join(folder, 'a-file')
  writeFileSync(file, '')
  for (const dataDir of [file, join(file, 'below')])
    expect(await startupMessage(explainOpenErrors('folder', { ...config, dataDir }, () => hold(dataDir)))).toMatch(
      new RegExp(`- DATA_DIR should be a folder that this server may write to, not '${dataDir}' \\(E[A-Z]+\\)\\.$`),
    )
  const lock = hold(folder)
  expect(await startupMessage(explainOpenErrors('folder', config, () => hold(folder)))).toContain('Another process')
  lock.release()
})

test('explains a missing database server, without its password', async () => {
  const databaseUrl = 'postgres://latchkey:hunter2@127.0.0.1:1/latchkey'
  const open = () => openDatabase({ dataDir: folder, url: databaseUrl })
  const message = await startupMessage(explainOpenErrors('database', { ...config, databaseUrl }, open))
  expect(message).toContain('- DATABASE_URL should lead to a database that is there: ')
  expect(message).not.toContain('hunter2')
})

test.runIf(canUsePostgres())('explains a database that its server does not have', async () => {
  const name = `latchkey_refused_${process.pid}`
  const databaseUrl = await createPostgresDatabase(name)
  await dropPostgresDatabase(name)
  const open = () => openDatabase({ dataDir: folder, url: databaseUrl })
  expect(await startupMessage(explainOpenErrors('database', { ...config, databaseUrl }, open))).toContain(
    `DATABASE_URL should lead to a database that is there: database "${name}" does not exist.`,
  )
})

test('explains an address of another machine and a port in use, and passes on any other error', async () => {
  const socket = (host: string, port: number) => () =>
    listen({ fetch: () => new Response('ok'), first: () => false, host, port })
  const host = '192.0.2.1'
  expect(await startupMessage(explainOpenErrors('socket', { ...config, host }, socket(host, 0)))).toContain(
    "- HOST should be a name or address of this machine, not '192.0.2.1'.",
  )
  const server = await socket('127.0.0.1', 0)()
  const { port } = server.address() as { port: number }
  expect(await startupMessage(explainOpenErrors('socket', { ...config, port }, socket('127.0.0.1', port)))).toContain(
    `- PORT: ${port} is taken.`,
  )
  server.close()
  const other = new Error('a fault of our own')
  for (const part of ['folder', 'database', 'socket'] as const)
    await expect(
      explainOpenErrors(part, { ...config, databaseUrl: 'postgres://x' }, () => {
        throw other
      }),
    ).rejects.toBe(other)
})

test('explains a store that refuses files, naming its variables; a working one keeps no test file', async () => {
  const filesFolder = join(folder, 'files')
  expect(await filesProblem(folderFiles(filesFolder), { objectStore: null })).toBeNull()
  expect(readdirSync(filesFolder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())).toEqual(
    [],
  )
  const file = join(folder, 'no-folder')
  writeFileSync(file, '')
  expect(await filesProblem(folderFiles(file), { objectStore: null })).toMatch(
    /^No file can be kept, so no lease can be signed; see FILES_DIR or DATA_DIR: E[A-Z]+/,
  )
  const bucketless = {
    ...folderFiles(filesFolder),
    put: () => Promise.reject(new Error('The object store has no bucket b')),
  }
  const store = { url: 'https://s3.example.com', bucket: 'b', region: 'r', accessKeyId: 'i', secretAccessKey: 's' }
  expect(await filesProblem(bucketless, { objectStore: store })).toBe(
    'No file can be kept, so no lease can be signed; see S3_URL, S3_BUCKET and the S3 keys: The object store has no bucket b',
  )
})

test('explains a mail server that refuses the log-in or is missing, naming its variable without the password', async () => {
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ password }, _session, done) =>
      password === 'right'
        ? done(null, { user: 'site' })
        : done(Object.assign(new Error('Bad log-in'), { responseCode: 535 })),
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  const problemWith = async (password: string) => {
    const mail = smtpMail({ url: `smtp://site:${password}@127.0.0.1:${port}` })
    const problem = await mailProblem(mail)
    mail.close()
    return problem
  }
  expect(await problemWith('right')).toBeNull()
  const refused = await problemWith('wr0ng')
  expect(refused).toMatch(/^No mail can be sent as it is set up; .* See SMTP_URL: .*Bad log-in/)
  expect(refused).not.toContain('wr0ng')
  await new Promise<void>((resolve) => server.close(resolve))
  expect(await problemWith('right')).toMatch(/See SMTP_URL: .*ECONNREFUSED/)
  // Captured mail needs no server.
  expect(await mailProblem({ send: async () => {} })).toBeNull()
})

test('explains a database that this release is too old to read', async () => {
  const dataDir = temporaryFolder()
  const newer = await openDatabase({ dataDir })
  await sql`insert into kysely_migration (name, timestamp) values ('999-later', '')`.execute(newer.write)
  await newer.write.insertInto('database_readers').values({ oldest_reader: '999-later' }).execute()
  await newer.close()
  expect(await startupMessage(explainOpenErrors('database', config, () => openDatabase({ dataDir })))).toMatch(
    /last used by a newer version/,
  )
})

test('explains tables of a version before the first release', async () => {
  const dataDir = temporaryFolder()
  const before = await openDatabase({ dataDir })
  await sql`delete from kysely_migration where name <> '001-first-schema'`.execute(before.write)
  await sql`update kysely_migration set name = '001-first-tables'`.execute(before.write)
  await before.close()
  expect(await startupMessage(explainOpenErrors('database', config, () => openDatabase({ dataDir })))).toContain(
    'The database was made by a version before the first release. Move the data folder away and start again.',
  )
})
