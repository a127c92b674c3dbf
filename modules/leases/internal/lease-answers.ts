import * as v from 'valibot'

export const trueFalse = (value: boolean) => (value ? 'True' : 'False')

export const saved = v.object({
  SaveSuccessful: v.string(),
  ErrorMessage: v.string(),
})
