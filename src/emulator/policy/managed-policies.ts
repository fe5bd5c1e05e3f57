// The managed policies of AWS that the emulator knows: those that its services bring, and the one that is made of all of them. Their
// documents cover the actions of the emulated services in the meaning of their namesakes; they are not copies of AWS's texts, which name
// hundreds of other services.

interface Statement {
  readonly Effect: 'Allow'
  readonly Action?: readonly string[] | string
  readonly NotAction?: readonly string[]
  readonly Resource: string
}

/** Statements by the name of the policy. */
export type ManagedPolicies = Readonly<Record<string, readonly Statement[]>>

export interface AwsPolicy {
  readonly name: string
  readonly path: string
  readonly arn: string
  readonly id: string
  readonly document: string
}

/** A statement that allows these actions on everything. */
export function allow(...actions: readonly string[]): Statement {
  return { Effect: 'Allow', Action: actions, Resource: '*' }
}

/** The actions of a service that only read, by their usual names. */
export function readsOf(service: string): readonly string[] {
  return [`${service}:Get*`, `${service}:List*`, `${service}:Describe*`]
}

interface Bringer {
  readonly managedPolicies?: ManagedPolicies
  readonly readActions?: readonly string[]
}

/** The policies of a partition, by ARN, in the order of their names. */
export function managedPoliciesOf(services: Iterable<Bringer>, partition: string): ReadonlyMap<string, AwsPolicy> {
  const all = [...services]
  const readOnly = { ReadOnlyAccess: [allow(...all.flatMap(({ readActions }) => readActions ?? []))] }
  const statements: ManagedPolicies = Object.assign({}, ...all.map(({ managedPolicies }) => managedPolicies), readOnly)
  const named = Object.entries(statements).map(([name, list]) => policyNamed(partition, name, list))
  return new Map(named.sort((a, b) => (a.name < b.name ? -1 : 1)).map(policy => [policy.arn, policy]))
}

function policyNamed(partition: string, name: string, statements: readonly Statement[]): AwsPolicy {
  const letters = name.toUpperCase().replace(/[^A-Z2-7]/g, '')
  return {
    name,
    path: '/',
    arn: `arn:${partition}:iam::aws:policy/${name}`,
    id: `ANPA${letters.padEnd(17, 'A').slice(0, 17)}`,
    document: JSON.stringify({ Version: '2012-10-17', Statement: statements }),
  }
}
