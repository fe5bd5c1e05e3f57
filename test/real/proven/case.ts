// What is made of a kind that is proven, what is changed, and what AWS is asked afterwards.

export interface Probe {
  readonly service?: string
  readonly operation: string
  readonly input: object
  /** What the answer holds at least; `{error: code}` for a refusal, `null` for what is not there. */
  readonly says: object
}

export interface Change {
  readonly name: string
  readonly spec: object
  readonly probe: Probe
  /** What somebody else does to the same field. */
  readonly drift?: { readonly operation: string; readonly input: object }
}

export interface KindCase {
  readonly service: string
  readonly kind: string
  /** Calls that make what the resource needs. */
  readonly needs?: readonly (readonly [service: string, operation: string, input: object])[]
  /** Objects of our own that it refers to, made before it. */
  readonly others?: readonly { readonly kind: string; readonly service?: string; readonly name: string; readonly spec: object }[]
  /** Secrets that it names. */
  readonly objects?: readonly object[]
  readonly spec: object
  /** What identifies it and stands neither in its spec nor in its status, since it came by a reference. */
  readonly ids?: Readonly<Record<string, string>>
  readonly made: Probe
  readonly changes?: readonly Change[]
  readonly gone: Probe
  /** Steps that are not proven, and why: of our own, or of the AWS that is asked. */
  readonly cannot?: Readonly<Record<string, string>>
}

/** A list that holds this among others. */
export class Containing {
  readonly item: object
  constructor(item: object) {
    this.item = item
  }
}

export function containing(item: object): Containing {
  return new Containing(item)
}

export const allow = (action: string, resource = '*'): object => ({
  Version: '2012-10-17',
  Statement: [
    { Sid: 'a', Effect: 'Allow', Principal: { AWS: 'arn:aws:iam::123456789012:root' }, Action: action, Resource: resource },
  ],
})
