import { storeUnsentForm } from '../request/unsent-form-storage.ts'
import type { FieldErrors } from '../ui/use-form-checks.ts'

export interface Upload {
  to: string
  form: FormData
  progress(percent: number): void
  done(): void
  /** Called when the upload has failed, with the errors by field; `form` is the error of the form as a whole. */
  refused(fields: FieldErrors): void
}

const connectionLost =
  'The connection was lost, and we do not know whether your file arrived. Open this page again and look under “What you have sent” before you send it again.'

/**
 * Sends the upload form and reports progress. On 401 it stores the page's unsent form (`storeUnsentForm`) and reloads the
 * page, which redirects a visitor whose sign-in has ended.
 */
export function uploadWithProgress({ to, form, progress, done, refused }: Upload): void {
  const request = new XMLHttpRequest()
  request.upload.onprogress = ({ loaded, total }) => progress(Math.floor((loaded / Math.max(1, total)) * 100))
  request.onload = () => {
    if (request.status === 200) return done()
    if (request.status === 401) {
      storeUnsentForm()
      return location.reload()
    }
    let error: { message?: string; fields?: FieldErrors } = {}
    try {
      error = JSON.parse(request.responseText).error ?? {}
    } catch {
      // A proxy's response is not JSON.
    }
    refused(error.fields ?? { form: error.message ?? 'The file could not be sent. Please try again.' })
  }
  // The server may have stored the file before its answer was lost.
  request.onerror = () => refused({ form: connectionLost })
  request.open('POST', to)
  progress(0)
  request.send(form)
}
