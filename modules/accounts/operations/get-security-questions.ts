import * as v from 'valibot'
import { operation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { securityQuestions } from '../internal/security-question-list.ts'

export const GetSecurityQuestions = operation({
  name: 'GetSecurityQuestions',
  summary: 'The questions from which one is chosen with an online account.',
  access: 'anyone',
  input: v.object({}),
  output: v.object({ SecurityQuestion: v.array(v.object({ id: v.number(), text: v.string() })) }),
  writes: false,
  example: {
    input: {},
    output: { SecurityQuestion: [{ id: 1, text: 'What was the name of your first pet?' }] },
  },
  run: async () => succeed({ SecurityQuestion: securityQuestions }),
})
