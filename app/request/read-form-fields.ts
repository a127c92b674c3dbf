/**
 * Reads a form's text fields. Files are left out; of a repeated name the first value counts.
 * @throws TypeError when the body is no form
 */
export async function formFields(request: Request): Promise<Record<string, string>> {
  const form = await request.formData()
  const fields: Record<string, string> = {}
  for (const [name, value] of form) if (typeof value === 'string' && !Object.hasOwn(fields, name)) fields[name] = value
  return fields
}

/** Reads a form's text fields; {} when the body is no form, so that validation refuses it. */
export const readForm = (request: Request): Promise<Record<string, string>> => formFields(request).catch(() => ({}))
