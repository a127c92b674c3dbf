/** Beside forms that ask for a license, card, bank account or mobile number. Opens beside the form, which keeps what was typed. */
export const PrivacyNote = ({ asked }: { asked: string }) => (
  <p className="small soft mt-4 max-w-text">
    What we do with {asked}, and how long we keep it:{' '}
    <a href="/privacy" target="_blank" rel="noopener">
      Privacy<span className="sr"> (opens in a new tab)</span>
    </a>
  </p>
)
