// What AWS said to a try: a refusal that means something, or nothing that could be told from.
import { AwsError } from '#aws'
import { sanitize } from '../findings/sanitize.ts'

/** What AWS said does not tell: the conditions stay as they are. */
export class Undecided extends Error {}

/** Throttling and outages decide nothing; neither does anything that is no refusal. */
export function refusalOf(error: unknown): AwsError {
  if (!(error instanceof AwsError)) throw new Undecided('AWS gave no answer', { cause: error })
  if ((error.httpStatus ?? 500) >= 500 || /Throttl|TooManyRequests|SlowDown|RequestLimit/i.test(error.code))
    throw new Undecided('AWS asks for patience', { cause: error })
  return error
}

/** For people, without what tells strangers about accounts. */
export function wordsOf(error: unknown): string {
  return sanitize(error instanceof Error ? error.message : String(error)).slice(0, 500)
}
