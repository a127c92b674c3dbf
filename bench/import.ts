/** A whole business in an operator's files, bringing it in, and the floor under that: the same rows as bare inserts. */
import { once } from 'node:events'
import { createWriteStream, mkdirSync } from 'node:fs'
import { join } from 'node:path'

const unitsEach = 600
const typesEach = 8

/** Writes the files of a business with so many units, nine of ten of them let. @returns rows over all files */
export async function writeBusiness(folder: string, units: number): Promise<number> {
  mkdirSync(folder, { recursive: true })
  const facilities = Math.ceil(units / unitsEach)
  const codeOf = (facility: number) => `F${String(facility + 1).padStart(5, '0')}`
  let count = 0
  const write = async (name: string, header: string, rows: Iterable<string>) => {
    const file = createWriteStream(join(folder, `${name}.csv`), { highWaterMark: 1 << 20 })
    file.write(`${header}\n`)
    for (const row of rows) {
      count += 1
      if (!file.write(`${row}\n`)) await once(file, 'drain')
    }
    file.end()
    await once(file, 'close')
  }
  function* eachFacility(row: (code: string, facility: number) => string, times = 1): Generator<string> {
    for (let facility = 0; facility < facilities; facility += 1)
      for (let time = 1; time <= times; time += 1) yield row(codeOf(facility), times === 1 ? facility : time)
  }
  /** One row for each unit: its facility's code, its number there from 1 and its number in all from 0. */
  function* eachUnit(row: (code: string, at: number, serial: number) => string | null): Generator<string> {
    for (let serial = 0; serial < units; serial += 1) {
      const text = row(codeOf(Math.floor(serial / unitsEach)), (serial % unitsEach) + 1, serial)
      if (text !== null) yield text
    }
  }
  const isLet = (serial: number) => serial % 10 !== 9

  await write('states', 'short_name,full_name', ['OR,Oregon'])
  await write(
    'facilities',
    'location_code,facility_id,name,address,city,state,zip,phone,lat,lng,time_zone,rent_tax_rate',
    eachFacility(
      (code, at) =>
        `${code},${at + 1},Storage ${code},${at + 1} Bench Road,Portland,OR,97202,(503) 555-0100,45.${at % 1000},-122.5,America/Los_Angeles,8.90`,
    ),
  )
  await write(
    'unit-types',
    'location_code,unit_type_id,unit_type_code,category_name,length,breadth,rent,internet_price',
    eachFacility(
      (code, type) => `${code},${type},T${type},Indoor,10,${type * 5},${100 + type}.00,${90 + type}.00`,
      typesEach,
    ),
  )
  await write(
    'units',
    'location_code,unit_id,unit_number,unit_type_id,status,floor_no,left_coordinate,top_coordinate,length,width,rotate',
    eachUnit(
      (code, at) =>
        `${code},${at},U${at},${(at % typesEach) + 1},free,1,${(at % 40) * 10},${Math.floor(at / 40) * 10},10,10,0`,
    ),
  )
  await write(
    'insurance',
    'location_code,scheme_id,scheme_name,coverage,premium',
    eachFacility((code) => `${code},1,Basic,2000.00,12.00`),
  )
  await write(
    'fees',
    'location_code,fee_id,description,amount,charged',
    eachFacility((code) => `${code},1,24 Hour Access Fee,20.00,on_choice`),
  )
  await write(
    'tenants',
    'location_code,tenant_id,first,last,email,cell_phone,address,city,state,zip,active_military',
    eachUnit((code, at, serial) =>
      isLet(serial)
        ? `${code},${at},Ada${at},Reyes,ada.${serial}@mail.example,503${5_550_000 + (serial % 10_000)},"${at} Oak Street, Unit 4",Portland,OR,97202,${serial % 100 === 0 ? 'yes' : 'no'}`
        : null,
    ),
  )
  await write(
    'leases',
    'location_code,lease_number,tenant_id,unit_number,move_in_date,paid_through,rent,insurance_scheme_id,insurance_premium,recurring_fees,gate_code,combo_code,signed_on',
    eachUnit((code, at, serial) =>
      isLet(serial)
        ? `${code},${at},${at},U${at},06/03/2026,2026-11-29,${100 + (at % 90)}.00,1,12.00,${serial % 5 === 0 ? '1' : ''},${100_000 + ((at * 7919) % 900_000)},4417,06/01/2026`
        : null,
    ),
  )
  await write(
    'balances',
    'location_code,lease_number,amount,posted_on',
    eachUnit((code, at, serial) => (isLet(serial) && serial % 10 === 1 ? `${code},${at},31.50,2026-11-01` : null)),
  )
  return count
}
