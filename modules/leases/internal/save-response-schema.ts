import * as v from 'valibot'

export const wireBoolean = (value: boolean) => (value ? 'True' : 'False')

export const savedResponse = v.object({
  SaveSuccessful: v.string(),
  ErrorMessage: v.string(),
})
