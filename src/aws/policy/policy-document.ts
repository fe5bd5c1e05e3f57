// A policy document as a value. One value and a list of one are kept apart, since documents are compared as text by others;
// comparison by meaning is in compare-policies.ts.

export type OneOrMany = string | readonly string[]

export interface PolicyDocument {
  /** Absent counts as `2008-10-17`, in which policy variables are plain text. */
  readonly version?: '2012-10-17' | '2008-10-17'
  readonly id?: string
  readonly statements: readonly Statement[]
}

export interface Statement {
  readonly sid?: string
  readonly effect: 'Allow' | 'Deny'
  readonly principal?: PolicyPrincipal
  readonly notPrincipal?: PolicyPrincipal
  readonly action?: OneOrMany
  readonly notAction?: OneOrMany
  readonly resource?: OneOrMany
  readonly notResource?: OneOrMany
  /** Operator, then key, then values. */
  readonly condition?: Conditions
}

export type Conditions = Readonly<Record<string, Readonly<Record<string, OneOrMany>>>>

export const principalKinds = ['AWS', 'Service', 'Federated', 'CanonicalUser'] as const
export type PrincipalKind = (typeof principalKinds)[number]
export type PolicyPrincipal = '*' | Readonly<Partial<Record<PrincipalKind, OneOrMany>>>

/** Where the document is used decides which members a statement must and must not have. */
export type PolicyUse = 'identity' | 'resource' | 'trust'

/** One value as a list of one. */
export function listOf(value: OneOrMany | undefined): readonly string[] {
  if (value === undefined) return []
  return typeof value === 'string' ? [value] : value
}
