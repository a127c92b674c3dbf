import '../../styles/card-frame-and-completed-pages.css'
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Form, useNavigation } from 'react-router'
import { achFailed } from '../../../domain/texts/payment.ts'
import type { NotCharged } from '../../../modules/payments/texts/was-money-taken-by-payment-state.ts'
import type { PriceChange } from '../../../modules/pricing/rules/changed-price-of-quote-type.ts'
import { type FieldRules, useFieldRules, validateFields } from '../../request/use-form-rules.ts'
import { STEP_FORM } from '../../ui/action-bar.tsx'
import { Button, useHydrated } from '../../ui/buttons.tsx'
import { Callout } from '../../ui/card-tag-and-callout.tsx'
import { SelectField } from '../../ui/fields/choice.tsx'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import { FieldPair } from '../../ui/fields/field.tsx'
import { TextField } from '../../ui/fields/text.tsx'
import { Icon } from '../../ui/icons.tsx'
import { formatCents } from '../../ui/money.tsx'
import { PriceChanged } from '../../ui/price-changed.tsx'
import { PrivacyNote } from '../../ui/privacy-note.tsx'
import { ChargeStatementContext, PhoneContext } from '../../ui/refusal-advice-react-contexts.ts'
import { type FieldErrors, type FormChecks, type FormValues, useFormChecks } from '../../ui/use-form-checks.ts'

const CheckScanner = lazy(() => import('../../ui/check-scanner/read-check-numbers-with-camera.tsx'))

export interface BankEntry {
  amount: number
  authorization: string
  phone: string
  /** Account holder's name; '' where it is unknown or hidden from the payer. */
  holder: string
  /** Hidden field with the id of the quote or checkout that the page shows. The payer agrees to that price only. */
  agreed: { name: string; value: string }
}

export interface BankFormResult {
  fields: Record<string, string>
  /** Statement that nothing was charged, by the state of the refused debit. */
  charged?: NotCharged | null
  values?: FormValues
  changed?: { changes: PriceChange[]; total: number }
}

const fieldNames = ['routing_number', 'account_number', 'confirm_account', 'account_name', 'account_type'] as const

export function bankFormErrors(rules: FieldRules, form: FormValues): FieldErrors {
  const errors = validateFields(rules, 'bankForm', form)
  return Object.fromEntries(fieldNames.flatMap((name) => (errors[name] ? [[name, errors[name]]] : [])))
}

/**
 * Returns the checks of the bank payment form, for the page around it.
 * @param answer the action's result; `fields.form` concerns the whole form
 */
export function useBankForm(answer: BankFormResult | undefined): FormChecks {
  const rules = useFieldRules()
  return useFormChecks(rules && ((form) => bankFormErrors(rules, form)), answer?.fields)
}

export function BankAction({ amount }: { amount: number }) {
  return (
    <Button form={STEP_FORM} busy={useNavigation().formMethod === 'POST'} busyLabel="Processing…">
      {amount === 0 ? 'Keep this account, pay $0.00' : `Pay ${formatCents(amount)} from this account`}
    </Button>
  )
}

export function BankForm({
  amount,
  authorization,
  phone,
  holder,
  agreed,
  checks,
  answer,
  children,
}: BankEntry & { checks: FormChecks; answer: BankFormResult | undefined; children?: ReactNode }) {
  const hydrated = useHydrated()
  const busy = useNavigation().formMethod === 'POST'
  const [isScanning, setIsScanning] = useState(false)
  const [isFilled, setIsFilled] = useState(false)
  const opener = useRef<HTMLSpanElement>(null)
  const field = (name: (typeof fieldNames)[number]) => ({ ...checks.field(name), defaultValue: answer?.values?.[name] })
  const numberProps = { inputMode: 'numeric', autoComplete: 'off', spellCheck: false } as const

  const close = (next: HTMLElement | null | undefined = opener.current?.querySelector('button')) => {
    // The page is inert until the dialog is closed, and an inert element takes no focus.
    flushSync(() => setIsScanning(false))
    next?.focus()
  }
  const fillIn = (numbers: { routingNumber: string; accountNumber: string }) => {
    const form = checks.form.ref.current
    const setField = (name: string, value: string) => {
      const input = form?.elements.namedItem(name)
      if (!(input instanceof HTMLInputElement)) return
      input.value = value
      input.dispatchEvent(new Event('input', { bubbles: true }))
    }
    setField('routing_number', numbers.routingNumber)
    setField('account_number', numbers.accountNumber)
    setIsFilled(true)
    const confirm = form?.elements.namedItem('confirm_account')
    close(confirm instanceof HTMLInputElement ? confirm : undefined)
  }

  return (
    <>
      <div className="max-w-text [&>.problem]:mt-6">
        {/* The advice for refusals names the facility's phone number instead of the operator's. */}
        <PhoneContext value={phone}>
          <ChargeStatementContext value={answer?.charged ?? null}>
            <ErrorSummary {...checks.summary}>
              {checks.summary.errors.form === achFailed && (
                <p className="mt-2">Compare both numbers with a check and try again.</p>
              )}
            </ErrorSummary>
          </ChargeStatementContext>
        </PhoneContext>
      </div>
      {answer?.changed && (
        <div className="mt-6">
          <PriceChanged {...answer.changed} />
        </div>
      )}
      {/* The button takes its space before scripts run, so that the form does not move when it appears. */}
      <div className={`mt-6 max-w-text noscript:hidden ${hydrated ? '' : 'invisible'}`}>
        <span ref={opener}>
          <Button type="button" kind="secondary" onClick={() => setIsScanning(true)}>
            Scan a check
          </Button>
        </span>
        <p className="hint mt-2">Your camera reads both numbers. The picture stays on this device.</p>
      </div>
      {isScanning && (
        <Suspense fallback={<p role="status">Opening the scanner…</p>}>
          <CheckScanner onRead={fillIn} onClose={() => close()} />
        </Suspense>
      )}
      <p role="status" className={isFilled ? 'mt-4' : 'sr'}>
        {isFilled && (
          <>
            <Icon name="check" /> Filled in from your check. Compare both numbers with it, and type the account number
            once more.
          </>
        )}
      </p>
      <Form method="post" id={STEP_FORM} className="mt-6 max-w-text" {...checks.form}>
        <input type="hidden" name={agreed.name} value={agreed.value} />
        <TextField
          {...field('routing_number')}
          {...numberProps}
          label="Routing number"
          hint="Nine digits, at the bottom left of a check."
          maxLength={20}
          width={10}
        />
        <FieldPair>
          <TextField {...field('account_number')} {...numberProps} label="Account number" maxLength={40} />
          <TextField {...field('confirm_account')} {...numberProps} label="Confirm account number" maxLength={40} />
        </FieldPair>
        <TextField
          {...checks.field('account_name')}
          defaultValue={answer?.values?.account_name ?? holder}
          label="Name on the account"
          autoComplete="name"
          maxLength={100}
          width={20}
        />
        <SelectField
          {...checks.field('account_type')}
          label="Account type"
          empty={null}
          defaultValue={answer?.values?.account_type ?? 'Checking'}
          options={[
            { value: 'Checking', label: 'Checking' },
            { value: 'Savings', label: 'Savings' },
          ]}
          width={10}
        />
        <PrivacyNote asked="your bank account" />
        {children}
        <Callout className="mt-8" title="Authorization">
          <p>{authorization}</p>
          <p>
            You authorize this by pressing the button. A copy comes {amount === 0 ? 'by e-mail' : 'with your receipt'}.
          </p>
        </Callout>
        <p role="status" className="hint mt-2">
          {busy && 'We are asking your bank. This can take up to a minute; please leave this page open.'}
        </p>
      </Form>
    </>
  )
}
