// The flags of the identity operator: those of the reference manager by name, default and check (§11.1), and ours after them.
import { type AwsChoices, awsFlagGroup, readAwsFlags, readEndpoint } from '#aws/client'
import { FlagError, type FlagGroup, type FlagValues, flagOf, parseDuration, renderDuration } from '#base'
import { type NameRule, parseNameRule, type RolloutRules, readProfileNamespaces } from '#fleet'
import type { ProcessChoices } from '#runtime'

const { text } = flagOf

export const flagGroups: readonly FlagGroup[] = [
  {
    title: 'Workload identity',
    flags: [
      text(
        'clusterprofile-provider-file',
        'clusterprofile-provider-file.json',
        'which programs give credentials of which access providers; none when neither it nor the default is there',
      ),
      text(
        'cluster-profile-namespaces',
        '',
        'where ClusterProfiles are looked for, separated by commas; * is everywhere (required)',
      ),
      text(
        'cluster-name-bindings',
        '',
        'which clusters the ClusterProfiles of a namespace may be, as fleet=*,team-a=team-a-*; any when empty',
      ),
      text(
        'pod-identity-webhook-image',
        '',
        'image of the webhook on targets, ours or upstream’s; default: vouch of this version',
      ),
      text(
        'issuer-bucket-salt',
        '',
        'a text of your own that makes the names of issuer buckets unpredictable; for buckets yet to be made',
      ),
      text('aws-endpoint-url', '', 'endpoint of S3 instead of its own, for the documents of issuers'),
      text(
        'aws-writer',
        'children',
        'children: AWS resources are objects that ACK or the resources operator reads; direct: calls of our own',
      ),
      text(
        'foreign-role-annotation',
        'overwrite',
        'a ServiceAccount that has another role already: overwrite it, or refuse and say so',
      ),
      text(
        'rollout-rules',
        'safe',
        'how ReplicaSets roll out: safe, or ocm, which plans as the library of Open Cluster Management does, to the letter',
      ),
      text('signing-key-propagation', '15m', 'how long a new signing key is published before it signs'),
      text(
        'signing-key-grace',
        '25h',
        'how long an old one stays after the cluster signs with the new; longer than any token lives',
      ),
    ],
  },
  awsFlagGroup,
]

export interface IdentitySettings {
  readonly providerFile: string
  /** It was named, and so has to be there. */
  readonly isProviderFileNamed: boolean
  /** `undefined`: all. */
  readonly profileNamespaces: readonly string[] | undefined
  /** Which names a ClusterProfile may have; `undefined`: any. */
  readonly mayName: NameRule | undefined
  readonly bucketSalt: string
  readonly webhookImage: string
  readonly s3Endpoint: string | undefined
  readonly workers: number
  readonly aws: AwsChoices
  /** When a signing key that is replaced may sign, and when the old one goes. */
  readonly rotation: { readonly propagationMs: number; readonly graceMs: number }
  /** How AWS resources are made. */
  readonly awsWriter: 'children' | 'direct'
  readonly foreignAnnotation: 'overwrite' | 'refuse'
  readonly rolloutRules: RolloutRules
}

/** Throws `FlagError` with the flag and what it takes. */
export function readIdentityFlags(values: FlagValues, { workers, env }: ProcessChoices): IdentitySettings {
  return {
    providerFile: values.text('clusterprofile-provider-file'),
    isProviderFileNamed: values.given.has('clusterprofile-provider-file'),
    profileNamespaces: readProfileNamespaces(values.text('cluster-profile-namespaces')),
    mayName: readNameRule(values.text('cluster-name-bindings')),
    bucketSalt: values.text('issuer-bucket-salt'),
    webhookImage: values.text('pod-identity-webhook-image'),
    s3Endpoint: readEndpoint(values, 'aws-endpoint-url'),
    workers,
    aws: readAwsFlags(values, env),
    awsWriter: readOneOf(values, 'aws-writer', ['children', 'direct']),
    foreignAnnotation: readOneOf(values, 'foreign-role-annotation', ['overwrite', 'refuse']),
    rolloutRules: readOneOf(values, 'rollout-rules', ['safe', 'ocm']),
    rotation: {
      propagationMs: readSpan(values, 'signing-key-propagation', 60_000),
      graceMs: readSpan(values, 'signing-key-grace', 3_600_000),
    },
  }
}

function readNameRule(text: string): NameRule | undefined {
  if (text.trim() === '') return undefined
  const rule = parseNameRule(text)
  if (typeof rule === 'function') return rule
  throw new FlagError(`--cluster-name-bindings: ${JSON.stringify(rule.wrong)} is no namespace=names, such as team-a=team-a-*`)
}

function readOneOf<T extends string>(values: FlagValues, flag: string, choices: readonly T[]): T {
  const given = values.text(flag)
  const found = choices.find(choice => choice === given)
  if (found !== undefined) return found
  throw new FlagError(`--${flag}: ${JSON.stringify(given)} is none of ${choices.join(', ')}`)
}

/** A shorter one would refuse tokens that are good. */
function readSpan(values: FlagValues, name: string, msMin: number): number {
  const ms = parseDuration(values.text(name))
  if (ms !== undefined && ms >= msMin) return ms
  throw new FlagError(`--${name}: ${JSON.stringify(values.text(name))} is no duration of ${renderDuration(msMin)} or more`)
}
