import { NameError } from './name-error.ts'

declare const brand: unique symbol

/** Twelve digits. A text and never a number: some begin with zero. */
export type AccountId = string & { readonly [brand]: 'AccountId' }

export function isAccountId(text: string): text is AccountId {
  return /^\d{12}$/.test(text)
}

export function parseAccountId(text: string): AccountId {
  if (isAccountId(text)) return text
  throw new NameError('account', text, 'expected twelve digits')
}
