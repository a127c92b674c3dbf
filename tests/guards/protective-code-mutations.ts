/** Code that protects money or inventory, and the tests that fail without it. */
export interface Guard {
  /** What the guard protects. */
  subject: 'clock' | 'keys' | 'restore' | 'files' | 'last unit' | 'once' | 'limits' | 'approvals'
  /** Failure that the guard prevents, as a sentence. */
  prevents: string
  file: string
  /** Code of the guard as written in `file`. Every occurrence is replaced. */
  code: string
  /** Replacement code, as if the guard had been forgotten. */
  without: string
  tests: string[]
}

export const guards: Guard[] = [
  {
    subject: 'clock',
    prevents: 'Billing, autopay and other dated chores run while the clock is in doubt',
    file: 'server/schedule.ts',
    code: 'if (task.dated && (await inDoubt())) return',
    without: '',
    tests: ['tests/drills/wrong-clock-billing.test.ts'],
  },
  {
    subject: 'clock',
    prevents: 'A server starts although the database and the outside clocks contradict its own',
    file: 'server/clock-watch.ts',
    code: 'if (knownProblem !== null && referenceProblem !== null)',
    without: 'if (knownProblem !== null && referenceProblem === knownProblem)',
    tests: ['server/clock-watch.test.ts'],
  },
  {
    subject: 'clock',
    prevents: 'A command charges although the clock is in doubt',
    file: 'operator/commands.ts',
    code: 'if (command.movesMoney) await refuseWrongClock(services.db, config, clock)',
    without: '',
    tests: ['server/clock-watch.test.ts'],
  },
  {
    subject: 'clock',
    prevents: 'Billing catches up more than three days without a person',
    file: 'modules/billing/run-billing.ts',
    code: 'return today > furthest ? { date: furthest, heldFor: today } : { date: today, heldFor: null }',
    without: 'return { date: today, heldFor: null }',
    tests: ['modules/billing/missed-days-and-reversed-runs.test.ts'],
  },
  {
    subject: 'clock',
    prevents: 'A process dates what it writes by a clock that has jumped by more than three days',
    file: 'platform/clock-ignoring-jumps.ts',
    code: 'if (Math.abs(instant - this.#steady()) <= LONGEST_JUMP_MS) this.#rebase(instant)',
    without: 'this.#rebase(instant)',
    tests: ['platform/clock-ignoring-jumps.test.ts'],
  },
  {
    subject: 'keys',
    prevents: 'A process writes although it lacks keys that the database needs',
    file: 'platform/server-registry/key-checks.ts',
    code: 'if (missing.length > 0)',
    without: 'if (missing.length < 0)',
    tests: ['operator/refuse-mismatched-settings.test.ts'],
  },
  {
    subject: 'keys',
    prevents: 'A command writes beside servers of another installation',
    file: 'operator/commands.ts',
    code: 'const besideAny = reads || command.allowsOtherSettings === true',
    without: 'const besideAny = reads || command.allowsOtherSettings !== false',
    tests: ['operator/refuse-mismatched-settings.test.ts'],
  },
  {
    subject: 'restore',
    prevents: 'A restored database goes on before charges unknown to it are decided',
    file: 'operator/resume-after-restore-command.ts',
    code: 'if (options.undecided !== true) await refuseUndecided(services, { since: last, future })',
    without: '',
    tests: ['operator/reconcile-provider.test.ts'],
  },
  {
    subject: 'restore',
    prevents: 'Mails and other jobs of a restored database leave before a person resumes it',
    file: 'platform/jobs/job-runner.ts',
    code: 'if (kinds.length === 0 || (await isPaused())) return undefined',
    without: 'if (kinds.length === 0) return undefined',
    tests: ['server/restored-server-sends-nothing.test.ts'],
  },
  {
    subject: 'restore',
    prevents: 'Chores of a restored database run before a person resumes it',
    file: 'server/schedule.ts',
    code: 'if (stopped || (!task.looks && (await restoreGuard?.mustWait()))) return',
    without: 'if (stopped) return',
    tests: ['server/restored-server-sends-nothing.test.ts'],
  },
  {
    subject: 'files',
    prevents: 'Two servers keep leases and uploads in different folders',
    file: 'server/check-shared-file-store.ts',
    code: 'if (found && Buffer.from(found.content).toString() === other.instance) continue',
    without: 'if (found || !found) continue',
    tests: ['tests/drills/servers-need-shared-files.test.ts'],
  },
  {
    subject: 'last unit',
    prevents: 'A unit that is held is given to the next renter too',
    file: 'modules/facilities/change-unit-status.ts',
    code: '.where(isAvailable(now))',
    without: '',
    tests: ['modules/reservations/reservations.test.ts'],
  },
  {
    subject: 'last unit',
    prevents: 'Invented names hold every unit of a type',
    file: 'modules/reservations/limit-and-extend-unproven-holds.ts',
    code: "return all >= most.all ? 'all' : null",
    without: 'return null',
    tests: ['modules/reservations/limit-and-extend-unproven-holds.test.ts'],
  },
  {
    subject: 'once',
    prevents: 'An operation that is repeated under its key works twice',
    file: 'platform/operations/idempotency.ts',
    code: 'if (!claimed) return loadStoredOutcome<O>(services, { key, caller, context, hash })',
    without: 'if (!claimed && key === "") return loadStoredOutcome<O>(services, { key, caller, context, hash })',
    tests: ['api/routes.test.ts'],
  },
  {
    subject: 'once',
    prevents: 'A refused card is charged again before its next try is due',
    file: 'modules/payments/autopay/charge-autopay.ts',
    code: 'if (autopay_try === null) return null',
    without: '',
    tests: ['modules/payments/autopay.test.ts'],
  },
  {
    subject: 'once',
    prevents: 'An order that is settled already is moved and posted again',
    file: 'modules/payments/payment-orders.ts',
    code: ".where('state', 'in', statesBefore(intermediate))",
    without: '',
    tests: ['modules/payments/posted-order-ignores-later-results.test.ts'],
  },
  {
    subject: 'once',
    prevents: 'A payment is posted although the provider approved another amount',
    file: 'modules/payments/settle-payment.ts',
    code: 'const differs = result.orderId !== orderId || result.approvedAmount !== payment.amount',
    without: 'const differs = result.orderId !== orderId',
    tests: ['modules/payments/refund-unpostable-payment.test.ts'],
  },
  {
    subject: 'limits',
    prevents: 'A person spends more than the limits of their roles without a second person',
    file: 'modules/staff/rules/approval-limits.ts',
    code: 'cents <= act && spent + cents <= day',
    without: 'cents <= Infinity || act + day + spent > 0',
    tests: ['tests/approval-limits.test.ts'],
  },
  {
    subject: 'limits',
    prevents: 'The day of a limit is not counted',
    file: 'modules/staff/rules/approval-limits.ts',
    code: 'spent + cents <= day',
    without: 'spent >= 0 && cents <= day',
    tests: ['tests/approval-limits.test.ts'],
  },
  {
    subject: 'approvals',
    prevents: 'A person approves what they asked for themselves',
    file: 'modules/staff/approvals.ts',
    code: "if (request.asked_by === actor.staff.staffId) return refuse(403, 'own_request', cannotDecideOwnRequest)",
    without: '',
    tests: ['modules/ledger/staff-operations.test.ts'],
  },
  {
    subject: 'approvals',
    prevents: 'A person approves more than their own limit',
    file: 'modules/staff/approvals.ts',
    code: 'if (!(await mayDecide(tx, callers, row)))',
    without: 'if (row === null)',
    tests: ['modules/ledger/staff-operations.test.ts'],
  },
]
