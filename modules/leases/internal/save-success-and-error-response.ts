import * as v from 'valibot'

export const savedResponse = v.object({
  SaveSuccessful: v.string(),
  ErrorMessage: v.string(),
})
