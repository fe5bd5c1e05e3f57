// Every refusal of spec 13.1 with its message, from the API server that serves our CRDs.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type ApiServer, createApiServer } from '#apiserver'
import { given, ManualClock } from '#base'
import type { KubeObject, ResourceType } from '#kube'
import { createKubeClient, type KubeClient, KubeError } from '#kube/client'
import { configKind, operatorConfigKind, renderIdentityCrds, replicaSetKind, roleKind } from './kinds.ts'
import { reservedLabelKeys } from './labels.ts'

let server: ApiServer
let client: KubeClient

before(() => {
  const clock = new ManualClock()
  server = createApiServer({ seed: 1, clock, controllers: 'none', objects: renderIdentityCrds() })
  client = createKubeClient({ clock, address: 'test', exchange: server.as() })
})
after(() => server.close())

type Spec = Readonly<Record<string, unknown>>

const kinds = { config: configKind, role: roleKind, operatorConfig: operatorConfigKind, replicaSet: replicaSetKind }

function objectOf(kind: keyof typeof kinds, spec: Spec, name: string): KubeObject {
  const { apiVersion, type } = kinds[kind]
  const metadata = { name, ...(type.namespaced ? { namespace: 'default' } : {}) }
  return { apiVersion, kind: type.kind, metadata, spec } as KubeObject
}

/** `accepted`, or what the server says. */
async function tryCreate(
  kind: keyof typeof kinds,
  spec: Spec,
  name = kind === 'config' || kind === 'operatorConfig' ? 'default' : 'one',
): Promise<string> {
  return outcome(client.create(kinds[kind].type, objectOf(kind, spec, name), { dryRun: true }))
}

async function tryUpdate(kind: keyof typeof kinds, from: Spec, to: Spec): Promise<string> {
  const { type } = kinds[kind]
  const name = kind === 'config' || kind === 'operatorConfig' ? 'default' : 'changing'
  const created = await client.create(type, objectOf(kind, from, name))
  try {
    return await outcome(client.update(type, { ...created, spec: to } as KubeObject))
  } finally {
    await client.delete(type, { namespace: created.metadata.namespace ?? '', name })
  }
}

async function outcome(call: Promise<unknown>): Promise<string> {
  try {
    await call
    return 'accepted'
  } catch (error) {
    if (error instanceof KubeError) return error.status?.message ?? String(error.httpStatus)
    throw error
  }
}

async function stored(kind: keyof typeof kinds, spec: Spec): Promise<unknown> {
  const name = kind === 'operatorConfig' ? 'default' : 'stored'
  const { type } = kinds[kind]
  const { spec: found, metadata } = (await client.create(type, objectOf(kind, spec, name))) as unknown as {
    spec: unknown
    metadata: { namespace?: string }
  }
  await client.delete(type, { namespace: metadata.namespace ?? '', name })
  return found
}

const selfHosted = { type: 'SelfHostedIRSA', region: 'us-east-1' }
const issuerURL = 'https://oidc.eks.ap-northeast-1.amazonaws.com/id/EXAMPLE'
const externalArn = 'arn:aws:iam::123456789012:oidc-provider/oidc.eks.ap-northeast-1.amazonaws.com/id/EXAMPLE'
const eks = (more: Spec = {}): Spec => ({
  type: 'EKSIRSA',
  region: 'us-east-1',
  eksIRSA: { issuerURL, oidcProvider: { management: 'Managed' }, ...more },
})
const account = { namespace: 'default', name: 'app' }
const policyArn = (index: number | string): string => `arn:aws:iam::aws:policy/p${index}`
const role = (more: Spec = { policyARNs: [policyArn(1)] }): Spec => ({ serviceAccount: account, ...more })
const ref = (more: Spec = {}): Spec => ({ name: 'p', ...more })
const replicaSet = (more: { readonly placementRefs?: unknown; readonly metadata?: Spec; readonly spec?: Spec } = {}): Spec => ({
  placementRefs: more.placementRefs ?? [ref()],
  template: { ...given({ metadata: more.metadata }), spec: more.spec ?? role() },
})
const many = (count: number, value: string, prefix = 'k'): Readonly<Record<string, string>> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, value]))

/** The name of a test: what is tried and what becomes of it, then the case it is of. */
const told = (why: string, outcome: string): string => why.replace(/(?= \[#\d+\]$)|$/, ` is ${outcome}`)

type Row = readonly [why: string, kind: keyof typeof kinds, spec: Spec, said: 'accepted' | RegExp, name?: string]

const rows: readonly Row[] = [
  ['a Config of another name [#1]', 'config', selfHosted, /metadata\.name must be default/, 'other'],
  ['an operator config of another name [#1]', 'operatorConfig', {}, /metadata\.name must be default/, 'other'],
  [
    'EKSIRSA without its part [#2]',
    'config',
    { type: 'EKSIRSA', region: 'us-east-1' },
    /spec\.eksIRSA must be present exactly when spec\.type is EKSIRSA/,
  ],
  ['its part without EKSIRSA [#2]', 'config', { ...eks(), type: 'EKSPodIdentity' }, /spec\.eksIRSA must be present exactly when/],
  [
    'its part with SelfHostedIRSA [#2]',
    'config',
    { ...eks(), type: 'SelfHostedIRSA' },
    /spec\.eksIRSA must be present exactly when/,
  ],
  [
    'Managed with an ARN [#4]',
    'config',
    eks({ oidcProvider: { management: 'Managed', arn: externalArn } }),
    /arn must be omitted for Managed and required for External/,
  ],
  [
    'External without one [#4]',
    'config',
    eks({ oidcProvider: { management: 'External' } }),
    /arn must be omitted for Managed and required for External/,
  ],
  [
    'External with the ARN of a role [#5]',
    'config',
    eks({ oidcProvider: { management: 'External', arn: 'arn:aws:iam::123456789012:role/x' } }),
    /should match/,
  ],
  ['External with an ARN', 'config', eks({ oidcProvider: { management: 'External', arn: externalArn } }), 'accepted'],
  ...['us-gov-east-1', 'us-iso-east-1', 'us-isob-east-1', 'eu-isoe-west-1', 'eusc-de-east-1', 'cn-north-1', 'ap-northeast-1'].map(
    (region): Row => [`region ${region} [#6]`, 'config', { ...selfHosted, region }, 'accepted'],
  ),
  ...['US-EAST-1', 'us-east', 'us east 1', 'us_east_1', '1us-east-1', ''].map(
    (region): Row => [`region ${JSON.stringify(region)} [#7]`, 'config', { ...selfHosted, region }, /spec\.region/],
  ),
  [
    'a region of 33 characters [#7]',
    'config',
    { ...selfHosted, region: `us-${'e'.repeat(28)}-1` },
    /Too long|may not be (?:longer|more)/,
  ],
  [
    'an issuer of 256 characters [#8]',
    'config',
    eks({ issuerURL: `https://oidc.eks.ap-northeast-1.amazonaws.com/id/${'A'.repeat(207)}` }),
    'accepted',
  ],
  [
    'an issuer of 257 [#8]',
    'config',
    eks({ issuerURL: `https://oidc.eks.ap-northeast-1.amazonaws.com/id/${'A'.repeat(208)}` }),
    /Too long|may not be (?:longer|more)/,
  ],
  ...[
    'https://oidc.eks.ap-northeast-1.amazonaws.com:443/id/X',
    'https://oidc.eks.ap-northeast-1.amazonaws.com/id/X/',
    'https://oidc.eks.ap-northeast-1.amazonaws.com/id/example',
    'http://oidc.eks.ap-northeast-1.amazonaws.com/id/X',
    'https://eks.ap-northeast-1.amazonaws.com/id/X',
    'https://oidc.eks.ap-northeast-1.amazonaws.com/X',
  ].map((url): Row => [`issuer ${url} [#9]`, 'config', eks({ issuerURL: url }), /issuerURL.*should match/]),
  ...['cn-north-1.amazonaws.com.cn/id/CHINA1', 'us-iso-east-1.c2s.ic.gov/id/ISO1', 'us-isob-east-1.sc2s.sgov.gov/id/ISOB1'].map(
    (rest): Row => [`issuer in ${rest} [#10]`, 'config', eks({ issuerURL: `https://oidc.eks.${rest}` }), 'accepted'],
  ),
  ['a Role with neither [#11]', 'role', role({}), /exactly one of spec\.policyARNs or spec\.policyDocument must be specified/],
  ['a Role with both [#11]', 'role', role({ policyARNs: [policyArn(1)], policyDocument: { Version: 'x' } }), /exactly one of/],
  ['an empty list and a document [#12]', 'role', role({ policyARNs: [], policyDocument: { Version: 'x' } }), 'accepted'],
  ['an empty list alone [#13]', 'role', role({ policyARNs: [] }), /exactly one of/],
  ...(['text', ['list'], {}] as const).map(
    (policyDocument): Row => [
      `a document that is ${JSON.stringify(policyDocument)} [#14]`,
      'role',
      role({ policyDocument }),
      /policyDocument/,
    ],
  ),
  [
    'eleven policies [#15]',
    'role',
    role({ policyARNs: Array.from({ length: 11 }, (_, index) => policyArn(index)) }),
    /must have at most 10 items|Too many/,
  ],
  ['one policy twice [#15]', 'role', role({ policyARNs: [policyArn(1), policyArn(1)] }), /[Dd]uplicate/],
  [
    'policies of AWS and of a path in another partition [#16]',
    'role',
    role({ policyARNs: ['arn:aws:iam::aws:policy/X', 'arn:aws-us-gov:iam::123456789012:policy/p/X'] }),
    'accepted',
  ],
  ['an account of 11 digits [#17]', 'role', role({ policyARNs: ['arn:aws:iam::12345678901:policy/X'] }), /should match/],
  ['the ARN of a role [#17]', 'role', role({ policyARNs: ['arn:aws:iam::123456789012:role/X'] }), /should match/],
  [
    'a ServiceAccount with dots [#20]',
    'role',
    { ...role(), serviceAccount: { namespace: 'default', name: 'a.b.c' } },
    'accepted',
  ],
  ['a namespace with dots [#20]', 'role', { ...role(), serviceAccount: { namespace: 'a.b', name: 'app' } }, /namespace/],
  ['no placement [#21]', 'replicaSet', replicaSet({ placementRefs: [] }), /placementRefs/],
  [
    'seventeen placements [#21]',
    'replicaSet',
    replicaSet({ placementRefs: Array.from({ length: 17 }, (_, index) => ref({ name: `p${index}` })) }),
    /placementRefs/,
  ],
  ['one placement twice [#21]', 'replicaSet', replicaSet({ placementRefs: [ref(), ref()] }), /[Dd]uplicate/],
  ...(['progressive', 'progressivePerGroup'] as const).flatMap((strategy): Row[] => {
    const groups = (count: number): Spec =>
      replicaSet({
        placementRefs: [
          ref({
            rolloutStrategy: {
              type: 'All',
              [strategy]: { mandatoryDecisionGroups: Array.from({ length: count }, () => ({ groupName: 'g' })) },
            },
          }),
        ],
      })
    return [
      [`32 groups (${strategy}) [#24]`, 'replicaSet', groups(32), 'accepted'],
      [
        `33 groups (${strategy}) [#24]`,
        'replicaSet',
        groups(33),
        new RegExp(`rolloutStrategy\\.${strategy}\\.mandatoryDecisionGroups must have at most 32 entries`),
      ],
    ]
  }),
  ...(['101%', 'abc'] as const).map(
    (maxFailures): Row => [`${maxFailures} failures [#25]`, 'replicaSet', strategy({ maxFailures }), /maxFailures/],
  ),
  ...(['100%', 5, '5'] as const).map(
    (maxFailures): Row => [`${maxFailures} failures are fine [#25]`, 'replicaSet', strategy({ maxFailures }), 'accepted'],
  ),
  ['a deadline of 10x [#26]', 'replicaSet', strategy({ progressDeadline: '10x' }), /progressDeadline/],
  ...['10m', 'None', '10|', 'xNone'].map(
    (progressDeadline): Row => [
      `a deadline of ${progressDeadline} [#26]`,
      'replicaSet',
      strategy({ progressDeadline }),
      'accepted',
    ],
  ),
  ...['a/b/c', '', 'a b'].map(
    (key): Row => [
      `label key ${JSON.stringify(key)} [#27]`,
      'replicaSet',
      replicaSet({ metadata: { labels: { [key]: 'x' } } }),
      /label keys must be valid Kubernetes qualified names/,
    ],
  ),
  ['a label value of 64 characters [#28]', 'replicaSet', replicaSet({ metadata: { labels: { a: 'x'.repeat(64) } } }), /labels/],
  ['a label value with a blank [#28]', 'replicaSet', replicaSet({ metadata: { labels: { a: 'x y' } } }), /labels/],
  ['an empty label value, a key without prefix [#29]', 'replicaSet', replicaSet({ metadata: { labels: { a: '' } } }), 'accepted'],
  ...reservedLabelKeys.map(
    (key): Row => [
      `label ${key} [#30]`,
      'replicaSet',
      replicaSet({ metadata: { labels: { [key]: 'x' } } }),
      /label key is reserved by aws-workload-identity-operator; reserved keys: app\.kubernetes\.io\/managed-by, aws\.identity\.appthrust\.io\/\{binding-uid,config-uid,delivery,inventory-namespace,owner-ref,replicaset-uid,runtime,service-account\}/,
    ],
  ),
  [
    'another label of our prefix [#31]',
    'replicaSet',
    replicaSet({ metadata: { labels: { 'aws.identity.appthrust.io/custom': 'x' } } }),
    'accepted',
  ],
  [
    'the annotation of the owner [#32]',
    'replicaSet',
    replicaSet({ metadata: { annotations: { 'aws.identity.appthrust.io/replicaset-owner-ref': 'x' } } }),
    /annotation key 'aws\.identity\.appthrust\.io\/replicaset-owner-ref' is reserved by aws-workload-identity-operator/,
  ],
  ['65 labels [#33]', 'replicaSet', replicaSet({ metadata: { labels: many(65, 'x') } }), /labels/],
  ['65 annotations [#33]', 'replicaSet', replicaSet({ metadata: { annotations: many(65, 'x') } }), /annotations/],
  [
    'an annotation of 262145 characters [#34]',
    'replicaSet',
    replicaSet({ metadata: { annotations: { a: 'x'.repeat(262_145) } } }),
    /annotations/,
  ],
  [
    '64 annotations of 4083 characters [#35]',
    'replicaSet',
    replicaSet({ metadata: { annotations: many(64, 'x'.repeat(4_083)) } }),
    /annotations total size \(sum of all key and value bytes\) must not exceed 261120 bytes/,
  ],
  [
    '60 annotations of 3982 characters [#35]',
    'replicaSet',
    replicaSet({ metadata: { annotations: many(60, 'x'.repeat(3_982)) } }),
    'accepted',
  ],
  ['empty maps of labels and annotations', 'replicaSet', replicaSet({ metadata: { labels: {}, annotations: {} } }), 'accepted'],
]

function strategy(more: Spec): Spec {
  return replicaSet({ placementRefs: [ref({ rolloutStrategy: { type: 'Progressive', progressive: more } })] })
}

describe('what the API takes and refuses [13.1]', () => {
  for (const [why, kind, spec, said, name] of rows) {
    test(told(why, said === 'accepted' ? 'accepted' : 'refused'), async () => {
      const answer = await tryCreate(kind, spec, name)
      if (said === 'accepted') assert.equal(answer, 'accepted')
      else assert.match(answer, said)
    })
  }
})

describe('what may change [13.1]', () => {
  const changes: readonly (readonly [why: string, kind: keyof typeof kinds, from: Spec, to: Spec, said: 'accepted' | RegExp])[] =
    [
      ['the type [#3]', 'config', selfHosted, { ...selfHosted, type: 'EKSPodIdentity' }, /spec\.type is immutable/],
      ['the region [#3]', 'config', selfHosted, { ...selfHosted, region: 'eu-west-1' }, /spec\.region is immutable/],
      ['the issuer [#3]', 'config', eks(), eks({ issuerURL: `${issuerURL}2` }), /spec\.eksIRSA is immutable/],
      [
        'who manages the provider [#3]',
        'config',
        eks(),
        eks({ oidcProvider: { management: 'External', arn: externalArn } }),
        /spec\.eksIRSA is immutable/,
      ],
      [
        'the ServiceAccount of a Role [#18]',
        'role',
        role(),
        { ...role(), serviceAccount: { namespace: 'default', name: 'b' } },
        /spec\.serviceAccount is immutable/,
      ],
      ['from ARNs to a document [#19]', 'role', role(), role({ policyDocument: { Version: 'x' } }), 'accepted'],
      [
        'the webhook namespace [#38]',
        'operatorConfig',
        { selfHostedIRSA: { webhookNamespace: 'a' } },
        { selfHostedIRSA: { webhookNamespace: 'b' } },
        /spec\.selfHostedIRSA\.webhookNamespace is immutable/,
      ],
      [
        'a boundary that is added [#39]',
        'operatorConfig',
        {},
        { permissionsBoundaryARN: policyArn(1), selfHostedIRSA: { webhookNamespace: 'aws-pod-identity-webhook' } },
        'accepted',
      ],
      [
        'a boundary that is removed [#39]',
        'operatorConfig',
        { permissionsBoundaryARN: policyArn(1) },
        { selfHostedIRSA: { webhookNamespace: 'aws-pod-identity-webhook' } },
        'accepted',
      ],
    ]
  for (const [why, kind, from, to, said] of changes) {
    test(told(why, said === 'accepted' ? 'accepted' : 'refused'), async () => {
      const answer = await tryUpdate(kind, from, to)
      if (said === 'accepted') assert.equal(answer, 'accepted')
      else assert.match(answer, said)
    })
  }
  test('the ServiceAccount of a template is refused with two messages [#36]', async () => {
    const to = replicaSet({ spec: { ...role(), serviceAccount: { namespace: 'default', name: 'b' } } })
    const answer = await tryUpdate('replicaSet', replicaSet(), to)
    assert.match(answer, /spec\.template\.spec\.serviceAccount is immutable/)
    assert.match(answer, /spec\.serviceAccount is immutable/)
  })
})

describe('what is filled in [13.1]', () => {
  test('a placement without a strategy gets All [#22]', async () => {
    assert.deepEqual(((await stored('replicaSet', replicaSet())) as { placementRefs: unknown }).placementRefs, [
      { name: 'p', rolloutStrategy: { type: 'All' } },
    ])
  })
  test('an empty strategy gets its defaults [#23]', async () => {
    const found = (await stored(
      'replicaSet',
      replicaSet({ placementRefs: [ref({ rolloutStrategy: { progressive: {} } })] }),
    )) as { placementRefs: readonly { rolloutStrategy: Spec }[] }
    assert.deepEqual(found.placementRefs[0]?.rolloutStrategy, {
      type: 'All',
      progressive: { maxFailures: 0, minSuccessTime: '0', progressDeadline: 'None' },
    })
  })
  test('an empty operator config gets the webhook namespace [#37]', async () => {
    assert.deepEqual(await stored('operatorConfig', {}), { selfHostedIRSA: { webhookNamespace: 'aws-pod-identity-webhook' } })
  })
})

describe('what a status may hold [13.1]', () => {
  const condition = (type: string): Spec => ({
    type,
    status: 'True',
    reason: 'R',
    message: '',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  })
  const entry = (name: string): Spec => ({ apiVersion: 'v1', kind: 'X', namespace: 'a', name })
  const publication = { bucketName: 'b', issuerURL: 'https://x', signingKeyID: 'k', objectSetDigest: `sha256:${'0'.repeat(64)}` }
  const numbered = <T>(count: number, make: (name: string) => T): T[] =>
    Array.from({ length: count }, (_, index) => make(`n${index}`))
  const published = (more: Spec): Spec => ({ selfHostedIssuer: { bucketName: 'b', publication: { ...publication, ...more } } })
  const statuses: readonly (readonly [why: string, kind: keyof typeof kinds, status: Spec, said: 'accepted' | RegExp])[] = [
    ['a publication [#40]', 'config', published({}), 'accepted'],
    ['a key id with a dot [#40]', 'config', published({ signingKeyID: 'a.b' }), /signingKeyID/],
    ['a digest without its algorithm [#40]', 'config', published({ objectSetDigest: '0'.repeat(64) }), /objectSetDigest/],
    ['32 conditions [#41]', 'config', { conditions: numbered(32, condition) }, 'accepted'],
    ['33 conditions [#41]', 'config', { conditions: numbered(33, condition) }, /conditions/],
    ['17 children [#41]', 'role', { ackResources: numbered(17, entry) }, /ackResources/],
    [
      '101 clusters [#41]',
      'replicaSet',
      { clusters: numbered(101, clusterName => ({ clusterName, phase: 'Ready' })) },
      /clusters/,
    ],
    [
      '51 failed clusters [#41]',
      'replicaSet',
      { failedClusters: numbered(51, clusterName => ({ clusterName, phase: 'Failed' })) },
      /failedClusters/,
    ],
    ['a negative count [#41]', 'replicaSet', { readyClusterCount: -1 }, /readyClusterCount/],
  ]
  const specs: Readonly<Record<keyof typeof kinds, Spec>> = {
    config: selfHosted,
    role: role(),
    replicaSet: replicaSet(),
    operatorConfig: {},
  }
  for (const [why, kind, status, said] of statuses) {
    test(told(why, said === 'accepted' ? 'accepted' : 'refused as a whole'), async () => {
      const type: ResourceType = kinds[kind].type
      const name = kind === 'config' ? 'default' : 'with-status'
      const { metadata } = await client.create(type, objectOf(kind, specs[kind], name))
      const key = { namespace: metadata.namespace ?? '', name }
      try {
        const answer = await outcome(client.patch(type, key, 'merge', { status }, { subresource: 'status' }))
        if (said === 'accepted') assert.equal(answer, 'accepted')
        else assert.match(answer, said)
      } finally {
        await client.delete(type, key)
      }
    })
  }
})
