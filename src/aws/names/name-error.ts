/** What a refused name was meant to be. */
export type NameKind = 'arn' | 'account' | 'role ARN' | 'provider ARN' | 'issuer' | 'audience' | 'region' | 'partition'

/** A text that is not the name it was taken for. The message says what was expected and never repeats more than a line of the text. */
export class NameError extends Error {
  readonly code = 'invalid-name'
  readonly kind: NameKind
  constructor(kind: NameKind, text: string, expected: string) {
    super(`${JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text)} is no ${kind}: ${expected}`)
    this.name = 'NameError'
    this.kind = kind
  }
}
