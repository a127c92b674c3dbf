import type { StillPlan } from './still-floor-plan.ts'

/** Shows a still floor plan; hidden from screen readers, since a text or list beside it says the same. */
export const PlanPicture = ({ picture: { box, shapes, labels } }: { picture: StillPlan }) => (
  <div className="plan">
    <svg
      viewBox={box.join(' ')}
      aria-hidden="true"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: made of numbers and escaped names by stillPlan
      dangerouslySetInnerHTML={{ __html: shapes }}
    />
    <svg
      className="plan-labels"
      aria-hidden="true"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: made of numbers and escaped names by stillPlan
      dangerouslySetInnerHTML={{ __html: labels }}
    />
  </div>
)
