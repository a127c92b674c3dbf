import { useEffect, useState } from 'react'

/**
 * Returns whether the browser supports passkeys here; null until scripts run. Sites at an IP address cannot have any.
 */
export function usePasskeys(): boolean | null {
  const [isSupported, setIsSupported] = useState<boolean | null>(null)
  useEffect(() => {
    setIsSupported('PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(location.hostname))
  }, [])
  return isSupported
}
