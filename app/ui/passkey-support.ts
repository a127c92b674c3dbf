import { useEffect, useState } from 'react'

/**
 * Returns whether the browser supports passkeys here; null until scripts run. Sites at an IP address cannot have any.
 */
export function usePasskeys(): boolean | null {
  const [has, setHas] = useState<boolean | null>(null)
  useEffect(() => {
    setHas('PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(location.hostname))
  }, [])
  return has
}
