import { useEffect, useState } from 'react'

/** Whether this browser has passkeys; an address of digits cannot have any. null until scripts run. */
export function usePasskeys(): boolean | null {
  const [has, setHas] = useState<boolean | null>(null)
  useEffect(() => {
    setHas('PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(location.hostname))
  }, [])
  return has
}
