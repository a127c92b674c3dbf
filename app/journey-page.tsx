import type { ReactNode } from 'react'
import type { JourneyFrameData } from './open-journey-step.ts'
import { ActionBar } from './ui/action-bar.tsx'
import { BackLink } from './ui/back-link.tsx'
import { Callout } from './ui/card-tag-and-callout.tsx'
import { Countdown } from './ui/countdown.tsx'
import { formatCents } from './ui/money.tsx'
import { PageFrame } from './ui/page.tsx'
import { PriceSummary } from './ui/price-summary.tsx'
import { StepBar } from './ui/step-progress-bar.tsx'
import { useLivePrice } from './use-price-of-form-choices.ts'

function laterPayment({ freeToday, totalCents, thenCents }: JourneyFrameData['summary']): string {
  // The word joiner keeps the line from breaking after the hyphen.
  return freeToday ? `${formatCents(totalCents)} at move-\u2060in` : `then ${formatCents(thenCents)} / month`
}

export function JourneyPage({
  chrome,
  title,
  wrong,
  lead,
  action,
  children,
}: {
  chrome: JourneyFrameData
  title: string
  wrong?: boolean | undefined
  lead?: ReactNode
  /** The step's buttons, outside the step's form. A submit button refers to the form by id. */
  action?: ReactNode
  children: ReactNode
}) {
  const { hold } = chrome
  const { summary, announcement, outdated, requestPrice } = useLivePrice(chrome)
  const price = (
    <PriceSummary
      title={summary.title}
      subtitle={summary.subtitle}
      lines={summary.lines}
      totalLabel={summary.totalLabel}
      totalCents={summary.totalCents}
      freeToday={summary.freeToday}
      perMonth={{ cents: summary.thenCents, note: summary.thenNote }}
      hold={hold ? <Countdown until={hold.until} now={hold.now} untilText={hold.text} /> : undefined}
    >
      {outdated && (
        <Callout tone="warn" className="mt-4">
          <p>{outdated}</p>
        </Callout>
      )}
      {summary.assumptions.length > 0 && (
        <p className="small soft mt-3">Assumed until you choose: {summary.assumptions.join(', ')}.</p>
      )}
    </PriceSummary>
  )
  return (
    <PageFrame title={title} brand={chrome.brand} wrong={wrong}>
      <BackLink to={chrome.back} />
      {chrome.step !== null && <StepBar step={chrome.step} />}
      <p className="sr" role="status">
        {outdated || announcement}
      </p>
      <ActionBar
        label="Due today"
        total={formatCents(summary.freeToday ? 0 : summary.totalCents)}
        then={outdated ? 'before your last choice' : laterPayment(summary)}
        summary={price}
        action={action}
        onInput={requestPrice}
      >
        <h1>{title}</h1>
        {lead && <p className="lead">{lead}</p>}
        {chrome.because && <Callout tone="info">{chrome.because}</Callout>}
        {children}
      </ActionBar>
    </PageFrame>
  )
}
