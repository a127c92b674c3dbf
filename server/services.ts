/** Wires the house: the one place where adapters are picked, from the configuration. */
import { join } from 'node:path'
import { hash, verify } from '@node-rs/argon2'
import { developmentKeys, type Keys, parseSealingKeys } from '../database/keys.ts'
import { Limits } from '../database/limits.ts'
import type { Database } from '../database/open.ts'
import { Sealer } from '../database/sealed.ts'
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
import type { Sms } from '../ports/sms/sms.ts'
import { clockAt, systemClock, systemRandom } from '../ports/system.ts'
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

export function keysOf(config: Config): Keys {
  return config.keys
    ? { ...config.keys, sealing: parseSealingKeys(config.keys.sealing) }
    : developmentKeys(config.dataDir)
}

export interface Services {
  house: House
  mail: Mail
  sms: Sms
  keys: Keys
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
    ipLocation: configuredIpLocation(config.visitorLocation),
    errors: loggedErrors(log),
    passwords,
    publicUrl: config.publicUrl,
  }
  return {
    house,
    keys,
    mail: config.smtpUrl ? smtpMail({ url: config.smtpUrl }) : capturedMail({ mailbox, files, clock }),
    sms: capturedSms({ mailbox, clock }),
  }
}
