// The managed policies of AWS that the emulator knows: the ones that are attached most, with the documents that IAM returns for them.
import { createHash } from 'node:crypto'
import { onFirstUse } from '#aws'
import type { Instant } from '#base'
import { text } from './aws-policies.gen.ts'

export interface AwsPolicy {
  readonly name: string
  readonly path: string
  readonly arn: string
  readonly id: string
  /** Of the default version, the only one that is known. */
  readonly version: string
  readonly createdAtMs: Instant
  readonly updatedAtMs: Instant
  readonly document: string
}

interface Recorded {
  readonly path: string
  readonly version: string
  readonly created: string
  readonly updated: string
  readonly document: unknown
}

const recorded = onFirstUse(() => Object.entries(JSON.parse(text) as Readonly<Record<string, Recorded>>))

const byPartition = new Map<string, ReadonlyMap<string, AwsPolicy>>()

/** The policies of a partition, by ARN, in the order of their names; made once in a process. */
export function managedPoliciesOf(partition: string): ReadonlyMap<string, AwsPolicy> {
  const known = byPartition.get(partition) ?? policiesOf(partition)
  byPartition.set(partition, known)
  return known
}

function policiesOf(partition: string): ReadonlyMap<string, AwsPolicy> {
  const named = recorded().map(([name, policy]) => policyNamed(partition, name, policy))
  return new Map(named.sort((a, b) => (a.name < b.name ? -1 : 1)).map(policy => [policy.arn, policy]))
}

function policyNamed(partition: string, name: string, { path, version, created, updated, document }: Recorded): AwsPolicy {
  return {
    name,
    path,
    arn: `arn:${partition}:iam::aws:policy${path}${name}`,
    id: idOf(name),
    version,
    createdAtMs: Date.parse(created),
    updatedAtMs: Date.parse(updated),
    document: JSON.stringify(document).replaceAll('arn:aws:', `arn:${partition}:`),
  }
}

const idLetters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Like AWS's; the recording has none. */
function idOf(name: string): string {
  const digest = createHash('sha256').update(name).digest().subarray(0, 17)
  return `ANPA${[...digest].map(byte => idLetters[byte % idLetters.length]).join('')}`
}
