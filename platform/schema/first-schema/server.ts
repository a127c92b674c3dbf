import type { TableDeclaration } from '../migrations/create-table.ts'

/** Jobs, chores, simulated messages, limits, counters, idempotency keys, and the installation's servers, keys and marks. */
export const serverTables = {
  jobs: {
    columns: {
      job_id: 'text',
      kind: 'text',
      once: 'text',
      payload: 'text',
      state: 'text',
      run_at: 'whole',
      claimed_until: 'whole?',
      attempts: 'whole',
      last_error: 'text?',
      created_at: 'whole',
      done_at: 'whole?',
      request_id: 'text?',
      first_due_at: 'whole?',
      priority: 'whole',
    },
    defaults: { priority: 0 },
    primary: 'job_id',
    unique: ['kind, once'],
    indexes: [
      { columns: 'state, run_at' },
      { columns: 'state, claimed_until' },
      // This index has only waiting jobs: done jobs, which are kept for 90 days, would only enlarge it.
      { name: 'jobs_in_turn', columns: 'priority, run_at', where: "state = 'waiting'" },
    ],
  },
  mailbox: {
    columns: {
      message_id: 'text',
      channel: 'text',
      recipient: 'text',
      subject: 'text',
      text: 'text',
      html: 'text',
      attachments: 'text',
      created_at: 'whole',
    },
    primary: 'message_id',
    indexes: [{ columns: 'created_at' }, { columns: 'recipient' }],
  },
  /** Channels that are paused after failures. */
  circuits: {
    columns: {
      channel: 'text',
      opened_at: 'whole',
      probe_at: 'whole',
      why: 'text',
    },
    primary: 'channel',
  },
  /** Locks and last runs of scheduled chores; only one process of the installation runs a chore at a time. */
  chores: {
    columns: {
      chore: 'text',
      holder: 'text?',
      claimed_until: 'whole?',
      due_at: 'whole',
      begun_at: 'whole',
      succeeded_at: 'whole?',
      took_ms: 'whole?',
    },
    primary: 'chore',
  },
  limits: {
    columns: {
      key: 'text',
      points: 'whole',
      expires_at: 'whole',
    },
    primary: 'key',
    indexes: [{ columns: 'expires_at' }],
  },
  counters: {
    columns: {
      location_code: 'text',
      kind: 'text',
      next: 'whole',
    },
    primary: 'location_code, kind',
  },
  idempotency: {
    columns: {
      key: 'text',
      caller: 'text',
      request_hash: 'text',
      status: 'whole',
      answer: 'text',
      created_at: 'whole',
    },
    primary: 'caller, key',
    indexes: [{ columns: 'created_at' }],
  },
  installations: {
    columns: {
      instance: 'text',
      version: 'text',
      mode: 'text',
      public_url: 'text',
      key_check: 'text',
      started_at: 'whole',
      heartbeat_at: 'whole',
      stopped_at: 'whole?',
      files_marker: 'text?',
      role: 'text?',
    },
    primary: 'instance',
    indexes: [{ columns: 'heartbeat_at' }],
  },
  /** Hashes of the keys with which rows of this database are encrypted. */
  key_checks: {
    columns: {
      key_check: 'text',
      added_at: 'whole',
    },
    primary: 'key_check',
  },
  /**
   * Marks of this database, the newest of which the file store also has; `kept_at` is set once the file store
   * has the mark. A restored copy lacks the newest mark.
   */
  restore_marks: {
    columns: {
      mark: 'text',
      made_at: 'whole',
      kept_at: 'whole?',
    },
    primary: 'mark',
  },
  /** The newest migration that a program must know to use these tables; no row before the first contract migration. */
  database_readers: {
    columns: {
      oldest_reader: 'text',
    },
    primary: 'oldest_reader',
  },
} as const satisfies Record<string, TableDeclaration>
