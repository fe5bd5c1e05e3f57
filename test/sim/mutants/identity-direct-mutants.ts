// Defects of `--aws-writer direct`, hunted by the simulator with AWS in its world: what is sent, what is remembered of the answers, what an
// error is taken for; and of the issuer, whose key set, bucket and provider stand or fall together.
import { given } from '#base'
import type { FaultCode } from '#simulator'
import type { Mutant, MutantRow } from './mutants.ts'

const room = 'src/operators/identity/direct'
const role = `${room}/iam-role.ts`
const policy = `${room}/iam-policy.ts`
const association = `${room}/pod-association.ts`
const resources = `${room}/resources.ts`

const rows: readonly MutantRow<[faults?: readonly FaultCode[]]>[] = [
  ['role-unmarked', role, 'Tags: iamTags(tags),', 'Tags: [],', 'a role is made without its owner mark'],
  [
    'trust-kept',
    role,
    "if (!samePolicyText(wanted.trustPolicy, actual.trustPolicy, 'trust')) {",
    'if (wanted.name === "") {',
    'somebody else’s trust policy stays (B30)',
    ['F23'],
  ],
  [
    'inline-kept',
    role,
    'for (const PolicyName of actual.inline) calls',
    'for (const PolicyName of actual.inline.slice(99)) calls',
    'what somebody put into the role stays',
    ['F23'],
  ],
  [
    'attached-kept',
    role,
    'if (!wanted.policyArns.includes(PolicyArn)) calls',
    'if (PolicyArn === "") calls',
    'a policy that is wanted no more stays attached',
  ],
  [
    'attached-not-back',
    role,
    'wanted.policyArns.filter(arn => !actual.attached.includes(arn))',
    'wanted.policyArns.filter(arn => actual.attached.includes(arn))',
    'a policy that somebody detached stays away',
    ['F23'],
  ],
  [
    'deleted-attached',
    role,
    "    ...actual.attached.map(PolicyArn => call('DetachRolePolicy', { PolicyArn })),\n",
    '',
    'a role is deleted while policies hang on it',
  ],
  [
    'deleted-inline',
    role,
    "    ...actual.inline.map(PolicyName => call('DeleteRolePolicy', { PolicyName })),\n",
    '',
    'a role is deleted with somebody’s policy in it',
    ['F23', 'F19'],
  ],
  ['role-not-deleted', role, "    call('DeleteRole', {}),\n", '', 'only what hangs on the role is taken away'],
  ['policy-unmarked', policy, 'Tags: iamTags(tags),', 'Tags: [],', 'a policy is made without its owner mark'],
  [
    'policy-kept',
    policy,
    "if (!samePolicyText(wanted.document, actual.document, 'identity')) {",
    'if (wanted.name === "") {',
    'what somebody made of the policy stays',
    ['F23'],
  ],
  [
    'versions-kept',
    policy,
    '...oldVersions.map(VersionId',
    '...oldVersions.slice(99).map(VersionId',
    'a policy is deleted with old versions',
    ['F23', 'F19'],
  ],
  ['policy-not-deleted', policy, "    awsCall(place, 'DeletePolicy', { PolicyArn }, name),\n", '', 'a policy is never deleted'],
  [
    'token-shared',
    association,
    'clientRequestToken: uid,',
    "clientRequestToken: 'the-same-for-everybody-and-all-that-they-make',",
    'two associations are made with one token (P3)',
  ],
  ['association-unmarked', association, '        tags,\n      }),', '      }),', 'an association is made without its owner mark'],
  [
    'association-kept',
    resources,
    'return association === undefined ? [] : associationRemoval(place, name, association)',
    'return []',
    'an association is never deleted',
  ],
  [
    'adopts-by-name',
    resources,
    'if (actual.tags[labels.bindingUid] !== claim.metadata.uid) {',
    'if (actual.arn === undefined) {',
    'whatever has the name is ours (S2)',
    ['F24'],
  ],
  [
    'unwanted-policy-forgotten',
    resources,
    ' || status?.generatedPolicyARN !== undefined || (metadata.generation ?? 1) > 1',
    '',
    'the policy of a document that is gone stays',
  ],
]

const config = 'src/operators/identity/config'

const issuerRows: typeof rows = [
  [
    'signs-unpublished',
    `${config}/rotation.ts`,
    "if (waitMs > 0) return { phase: 'propagating', lookAgainMs: waitMs }",
    "if (waitMs > 600_000) return { phase: 'propagating', lookAgainMs: waitMs }",
    'a key signs before verifiers can know of it (S13)',
  ],
  [
    'retires-at-once',
    `${config}/rotation.ts`,
    'retiresMs: clusterMs + times.graceMs + clockSkewMs',
    'retiresMs: clusterMs + clockSkewMs',
    'the old key goes while tokens by it are alive (S12)',
  ],
  [
    'previous-unpublished',
    `${config}/key-ring.ts`,
    '...(previous === undefined ? [] : [previous])]',
    ']',
    'the old key leaves the key set at the handover (S12)',
  ],
  [
    'bucket-first',
    `${config}/removal.ts`,
    '    () => releaseProvider(seen, config, children),\n    () => releaseIssuer(seen, config, children),\n',
    '    () => releaseIssuer(seen, config, children),\n    () => releaseProvider(seen, config, children),\n',
    'the bucket’s name is free while IAM trusts it (S14)',
  ],
  [
    'bucket-unrecorded',
    `${room}/child-writer.ts`,
    'if (actual === undefined && !isRecorded(parent.object as WorkloadIdentityConfig, String(object.spec.name))) return []',
    '',
    'a bucket is made before it is on record that it will be (P2)',
    ['F1', 'F4'],
  ],
  [
    'provider-unmarked',
    `${room}/oidc-provider.ts`,
    'ClientIDList: wanted, Tags: iamTags(tags) })]',
    'ClientIDList: wanted })]',
    'a provider is made without its owner mark',
  ],
]

/** What heals by itself before any schedule expects an end, or is so rare in one that hundreds of them pass by it. */
const told: readonly MutantRow<[]>[] = [
  [
    'remembers-after-error',
    resources,
    '      readings.forget(memory)\n      if (isC',
    '      if (isC',
    'after a call with an unknown end the old state is believed',
  ],
  [
    'error-is-absence',
    `${room}/answer.ts`,
    "if (error instanceof AwsError && error.class === 'not-found') return undefined",
    'if (error instanceof AwsError) return undefined',
    'a refused look is taken for “it is not there” (P5)',
  ],
]

/** With AWS in the world, and the engine as it is; and those of decisions, which have their tests. */
export const identityDirectMutants: readonly Mutant[] = [
  ...rows.map(row => hunted(row, 'direct', 'identity-direct')),
  ...issuerRows.map(row => hunted(row, 'issuer', 'identity-config')),
  ...told.map(([id, file, find, replace, why]) => ({
    id: `direct-${id}`,
    file,
    find,
    replace,
    why,
    tests: ['src/operators/identity/direct/direct.test.ts'],
  })),
]

function hunted([id, file, find, replace, why, faults]: (typeof rows)[number], group: string, subject: string): Mutant {
  return { id: `${group}-${id}`, file, find, replace, why, controllers: [subject], ...given({ faults }) }
}
