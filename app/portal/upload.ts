import { keepUnsent } from '../request/unsent-form.ts'
import type { FieldErrors } from '../ui/form-checks.ts'

export interface Upload {
  to: string
  form: FormData
  progress(percent: number): void
  done(): void
  /** What is wrong, by field, or `form` for the whole. Nothing was kept. */
  refused(fields: FieldErrors): void
}

/** On 401 keeps what the form holds, less the file, and reloads, which leads to signing in. */
export function sendUpload({ to, form, progress, done, refused }: Upload): void {
  const request = new XMLHttpRequest()
  request.upload.onprogress = ({ loaded, total }) => progress(Math.floor((loaded / Math.max(1, total)) * 100))
  request.onload = () => {
    if (request.status === 200) return done()
    if (request.status === 401) {
      keepUnsent()
      return location.reload()
    }
    let error: { message?: string; fields?: FieldErrors } = {}
    try {
      error = JSON.parse(request.responseText).error ?? {}
    } catch {
      // A proxy has answered.
    }
    refused(error.fields ?? { form: error.message ?? 'The file could not be sent. Please try again.' })
  }
  request.onerror = () => refused({ form: 'The connection was lost. Nothing was kept; please send it again.' })
  request.open('POST', to)
  progress(0)
  request.send(form)
}
