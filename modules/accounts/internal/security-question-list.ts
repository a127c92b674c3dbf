import { DEFAULT_SECURITY_QUESTION_ID } from '../rules/default-security-question.ts'

export const securityQuestions = [
  'What was the name of your first pet?',
  'In which city did your parents meet?',
  'What was the model of your first car?',
  'What was the name of your first school?',
  'What is the middle name of your oldest sibling?',
].map((text, index) => ({ id: DEFAULT_SECURITY_QUESTION_ID + index, text }))
