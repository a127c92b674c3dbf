/** The form's fields as text; files are left out. Of a name that a form repeats the first counts. @throws TypeError for a body that is no form */
export async function formFields(request: Request): Promise<Record<string, string>> {
  const form = await request.formData()
  const fields: Record<string, string> = {}
  for (const [name, value] of form) if (typeof value === 'string' && !Object.hasOwn(fields, name)) fields[name] = value
  return fields
}

/** The same; a body that is no form is an empty one, which the rules then judge. */
export const readForm = (request: Request): Promise<Record<string, string>> => formFields(request).catch(() => ({}))
