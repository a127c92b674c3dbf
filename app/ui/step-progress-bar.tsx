import '../styles/form-pages.css'
import { moveInSteps } from '../../modules/reservations/rules/journey/journey-steps.ts'
import { Icon } from './icons.tsx'

/**
 * Progress bar of the move-in.
 * @param step current step, starting at 1
 */
export function StepBar({ step }: { step: number }) {
  return (
    <>
      <ol className="steps" aria-label="Progress">
        {moveInSteps.map((name, index) => {
          const at = index + 1
          const state = at < step ? 'done' : at === step ? 'now' : 'to-do'
          return (
            <li key={name} className={state} aria-current={state === 'now' ? 'step' : undefined}>
              {state === 'done' && <Icon name="check" />} {name}
              <span className="sr">{state === 'done' ? ', done' : state === 'now' ? ', this step' : ', to do'}</span>
            </li>
          )
        })}
      </ol>
      <p className="soft small mb-[0.35rem] print:hidden">
        Step {step} of {moveInSteps.length} – {moveInSteps[step - 1]}
      </p>
    </>
  )
}
