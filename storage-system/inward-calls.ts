/** The list of the functions of inward.ts that a storage system answers to its website; one that does not stand here, none. */
import { followUpRefusal } from '../paying/autopay.ts'
import { reverseReturned } from '../paying/bank-returns.ts'
import { acceptTerms } from '../paying/current-lease.ts'
import { postPayment } from '../paying/payers.ts'
import { decideProof } from '../site-records/insurance-proofs.ts'
import { confirmEmailChange, withdrawEmailChange } from './account-changes.ts'
import { extendHoldOnce, keepHold } from './holds.ts'
import { declarationOf, type InwardCall } from './inward.ts'
import { scheduleMoveOut } from './move-outs.ts'
import { ensureProspect } from './reservations.ts'
import { finishReset, tryCode } from './reset.ts'
import { endSignIn } from './sign-in.ts'
import { endOneSignIn, endOtherSignIns, renewSignIn } from './sign-ins.ts'

export const inwardCalls: ReadonlyMap<string, InwardCall> = new Map(
  [
    ...[endSignIn, endOneSignIn, endOtherSignIns, renewSignIn, tryCode, finishReset],
    ...[withdrawEmailChange, confirmEmailChange, acceptTerms, ensureProspect, decideProof],
    ...[keepHold, extendHoldOnce, scheduleMoveOut, postPayment, reverseReturned, followUpRefusal],
  ].map((call) => {
    const declaration = declarationOf(call as Parameters<typeof declarationOf>[0])
    return [declaration.name, declaration]
  }),
)
