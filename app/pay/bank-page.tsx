import * as messages from '../../domain/texts/payment.ts'
import { PriceChanged } from '../move-in/price-changed.tsx'
import { formatCents } from '../ui/money.tsx'
import type { bankData } from './bank-lane.ts'
import { type BankAnswer, BankForm, useBankForm } from './parts/bank-form.tsx'
import { PayPage } from './parts/pay-parts.tsx'

/** 'Enter Bank Account Details', the same for a tenant and a guest. */
export function BankPage({
  brand,
  back,
  summary,
  autopay,
  spared,
  entry,
  answer,
}: Awaited<ReturnType<typeof bankData>> & { answer: BankAnswer | undefined }) {
  const { checks, wrong } = useBankForm(answer)
  return (
    <PayPage
      brand={brand}
      title={messages.enterBankAccountDetails}
      lead={
        entry.amount === 0
          ? 'Nothing is taken from your bank account today.'
          : `${formatCents(entry.amount)} is taken from your bank account${autopay ? ' now' : ', once'}.`
      }
      back={back}
      summary={summary}
      wrong={wrong}
    >
      {answer?.changed && (
        <div className="mt-6">
          <PriceChanged {...answer.changed} />
        </div>
      )}
      <BankForm {...entry} checks={checks} typed={answer?.values}>
        <p className="mt-6 soft">
          {spared > 0 && `From a bank account there is no card fee: ${formatCents(spared)} less. `}
          {autopay
            ? 'This account is then kept, encrypted, for autopay, and pays what comes due until you turn autopay off.'
            : 'Autopay stays as it is; this account is used for this payment only.'}
        </p>
      </BankForm>
    </PayPage>
  )
}
