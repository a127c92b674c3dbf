/** The keys that seal: which there are, and exchanging them beside running servers. */
import { addKeys, fingerprint, keyCheck, knownChecks } from '../platform/installations/key-checks.ts'
import { type Command, Failed, Misused, noMore } from './command.ts'

export const keyCommands: Record<string, Command> = {
  keys: {
    usage: 'keys [add]',
    summary:
      'Says by fingerprint which keys this database is used with; add makes a new one known before servers use it.',
    details: ['add  KEYS holds the new key in front of the others; start the servers with the same KEYS afterwards'],
    async run(tools, [verb, ...more]) {
      noMore(more)
      const db = await tools.database()
      if (verb === undefined) {
        const known = (await knownChecks(db)).map(fingerprint)
        for (const one of known) tools.say(one)
        if (known.length === 0) tools.say('None yet: the first server leaves its own.')
        return { known }
      }
      if (verb !== 'add') throw new Misused(`What is ${verb}?`)
      const [given, known] = [tools.keys(), await knownChecks(db)]
      // Otherwise a stranger's keys would become the database's.
      if (known.length > 0 && !given.some((key) => known.includes(keyCheck(key))))
        throw new Failed([
          'None of the keys in KEYS is known to this database. Give the new key in front of the known ones.',
        ])
      const added = await addKeys(db, given, tools.clock.now())
      tools.say(added.length === 0 ? 'All of these keys are known.' : `Added: ${added.join(', ')}`)
      return { added }
    },
  },
}
