/**
 * Link to the privacy page beside a form that asks for personal data. It opens a new tab, so that the form keeps its
 * entries.
 */
export const PrivacyNote = ({ asked }: { asked: string }) => (
  <p className="small soft mt-4 max-w-text">
    What we do with {asked}, and how long we keep it:{' '}
    <a href="/privacy" target="_blank" rel="noopener">
      Privacy<span className="sr"> (opens in a new tab)</span>
    </a>
  </p>
)
