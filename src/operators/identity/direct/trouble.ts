// A refusal by AWS in the words that a child object would have for it; what it means for the next step is the table of the room cloud.
import { redactText } from '#base'
import { cloudTrouble } from '#cloud'
import { explain } from '../children/trouble.ts'

export function awsTrouble(error: unknown, dependency: string): unknown {
  return cloudTrouble(error, {
    dependency,
    service: dependency,
    // An invalid request is made of the claim and of our code alone, so the same request would be refused again.
    isFinal: refused => refused.class === 'invalid',
    wordsFor: ({ code, message }) => explain(code, redactText(`${code}: ${message}`)).message,
  })
}
