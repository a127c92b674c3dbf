import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openerForTests } from '../../tests/support/databases.ts'
import { partialIndexColumns } from './sqlite-literal-query-compiler.ts'

const open = openerForTests()

it('knows every column whose values a partial index names', async () => {
  const { rows } = await sql<{ sql: string }>`select sql from sqlite_master where type = 'index'`.execute(
    (await open()).read,
  )
  const conditions = rows.map((row) => /\bwhere (.*)$/i.exec(row.sql ?? '')?.[1] ?? '')
  const columns = conditions.flatMap((condition) =>
    [...condition.matchAll(/(\w+) (?:=|<>|in) (?:\(?'\w|\d)/gi)].map((match) => match[1]),
  )
  expect([...new Set(columns)].sort()).toEqual([...partialIndexColumns].sort())
})

it('writes limits and values of those columns into the statement, and binds the others', async () => {
  const { read } = await open()
  const { sql: text, parameters } = read
    .selectFrom('leases')
    .select('lease_number')
    .where('leases.status', '!=', 'Closed')
    .where('status', 'in', ['Past Due', 'Auction'])
    .where('overlocked', '=', 1)
    .where('location_code', '=', 'GA1')
    .limit(3)
    .compile()
  expect(text).toBe(
    `select "lease_number" from "leases" where "leases"."status" != 'Closed' and "status" in ('Past Due', 'Auction') and "overlocked" = 1 and "location_code" = ? limit 3`,
  )
  expect(parameters).toEqual(['GA1'])
})

it.each(["x' or '1' = '1", 'a"b', 'with\u0000nul', '', 'é', '1'])(
  'binds the text %j also for those columns',
  async (text) => {
    const { read } = await open()
    const query = read
      .selectFrom('jobs')
      .select('job_id')
      .where('kind', '=', text as 'receipt')
    expect(query.compile().parameters).toEqual([text])
    expect(await query.execute()).toEqual([])
  },
)
