import { NameError } from './name-error.ts'

declare const brand: unique symbol

/** For whom a token is, as it stands in its `aud`: one that means itself in a policy, without a wildcard and without a variable. */
export type Audience = string & { readonly [brand]: 'Audience' }

export function isAudience(text: string): text is Audience {
  return /^[\u0021-\u007e]{1,255}$/.test(text) && !/[*?$]/.test(text)
}

/** The text as an audience, once it has been seen to be one. Throws `NameError`. */
export function asAudience(text: string): Audience {
  if (isAudience(text)) return text
  throw new NameError('audience', text, 'expected up to 255 characters without blanks and without *, ? and $')
}
