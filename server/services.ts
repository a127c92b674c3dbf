/** Wires the house: the one place where adapters are picked, from the configuration. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { hash, verify } from '@node-rs/argon2'
import { developmentKeys, type Keys } from '../database/keys.ts'
import { Limits } from '../database/limits.ts'
import type { Database } from '../database/open.ts'
import { Sealer } from '../database/sealed.ts'
import { BankUnavailable } from '../ports/bank/bank.ts'
import { edgeExpress } from '../ports/card-provider/edge-express.ts'
import type { Clock, Random } from '../ports/clock.ts'
import { loggedErrors } from '../ports/errors/log.ts'
import { folderFiles } from '../ports/files/folder.ts'
import { gazetteer } from '../ports/geocoder/gazetteer.ts'
import { configuredIpLocation } from '../ports/ip-location/configured.ts'
import { capturedMail } from '../ports/mail/captured.ts'
import type { Mail } from '../ports/mail/mail.ts'
import { smtpMail } from '../ports/mail/smtp.ts'
import { capturedSms } from '../ports/sms/captured.ts'
import { clockAt, systemClock, systemRandom } from '../ports/system.ts'
import { embeddedPropertyManagement } from '../site-records/appointments.ts'
import { mailboxOf } from '../site-records/mailbox.ts'
import type { House } from '../storage-system/operation.ts'
import type { Config } from './config.ts'
import type { Log } from './log.ts'

export const clockOf = (config: Config): Clock => (config.clock === null ? systemClock : clockAt(config.clock))

/** OWASP's parameters for argon2id: 19 MiB, two passes, one lane. */
const argon2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const passwords: House['passwords'] = {
  hash: (password) => hash(password, argon2),
  verify: (stored, password) => verify(stored, password).catch(() => false),
}

/** In production the environment's keys; in a demo those that the first start makes in the data folder. */
export function keysOf(config: Config): Pick<Keys, 'sealing' | 'cookie'> {
  if (config.keys.length === 0) return developmentKeys(config.dataDir)
  return {
    // The id goes into what is sealed, so that a rotated key is found again: it must come from the key alone.
    sealing: config.keys.map((key) => ({
      id: createHash('sha256').update(key).digest('hex').slice(0, 8),
      key: Buffer.from(key, 'hex'),
    })),
    cookie: [...config.keys],
  }
}

export interface Services {
  house: House
  mail: Mail
  keys: Pick<Keys, 'sealing' | 'cookie'>
}

export function openServices(parts: {
  config: Config
  db: Database
  log: Log
  clock: Clock
  random?: Random
}): Services {
  const { config, db, log, clock } = parts
  const random = parts.random ?? systemRandom
  const keys = keysOf(config)
  const files = folderFiles(join(config.dataDir, 'files'))
  const mailbox = mailboxOf(db)
  const house: House = {
    db,
    clock,
    random,
    files,
    limits: new Limits({ db, clock }),
    sealer: new Sealer({ keys: keys.sealing }),
    cardProvider: edgeExpress(config.cardProvider),
    geocoder: gazetteer(),
    ipLocation: configuredIpLocation(config.visitorAt),
    errors: loggedErrors(log),
    sms: capturedSms({ mailbox, clock }),
    bank: new Proxy({} as House['bank'], {
      get: () => async () => {
        throw new BankUnavailable('refused', 'no bank is configured')
      },
    }),
    propertyManagement: embeddedPropertyManagement({ db, clock }),
    passwords,
    publicUrl: config.publicUrl,
  }
  return {
    house,
    keys,
    mail: config.mail.smtpUrl ? smtpMail({ url: config.mail.smtpUrl }) : capturedMail({ mailbox, files, clock }),
  }
}
