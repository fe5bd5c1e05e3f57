// Every refusal of spec 13.1 with its message, from the API server that serves our CRDs.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type ApiServer, createApiServer } from '#apiserver'
import { ManualClock } from '#base'
import type { KubeObject, ResourceType } from '#kube'
import { createKubeClient, type KubeClient, KubeError } from '#kube/client'
import {
  configKind,
  operatorConfigKind,
  renderIdentityCrds,
  replicaSetKind,
  roleKind,
} from '../../src/operators/identity/api/kinds.ts'
import { reservedLabelKeys } from '../../src/operators/identity/api/labels.ts'

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
  template: { ...(more.metadata === undefined ? {} : { metadata: more.metadata }), spec: more.spec ?? role() },
})
const many = (count: number, value: string, prefix = 'k'): Readonly<Record<string, string>> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, value]))

type Row = readonly [why: string, kind: keyof typeof kinds, spec: Spec, said: 'accepted' | RegExp, name?: string]

const rows: readonly Row[] = [
  ['1: a Config of another name', 'config', selfHosted, /metadata\.name must be default/, 'other'],
  ['1: an operator config of another name', 'operatorConfig', {}, /metadata\.name must be default/, 'other'],
  [
    '2: EKSIRSA without its part',
    'config',
    { type: 'EKSIRSA', region: 'us-east-1' },
    /spec\.eksIRSA must be present exactly when spec\.type is EKSIRSA/,
  ],
  ['2: its part without EKSIRSA', 'config', { ...eks(), type: 'EKSPodIdentity' }, /spec\.eksIRSA must be present exactly when/],
  [
    '2: its part with SelfHostedIRSA',
    'config',
    { ...eks(), type: 'SelfHostedIRSA' },
    /spec\.eksIRSA must be present exactly when/,
  ],
  [
    '4: Managed with an ARN',
    'config',
    eks({ oidcProvider: { management: 'Managed', arn: externalArn } }),
    /arn must be omitted for Managed and required for External/,
  ],
  [
    '4: External without one',
    'config',
    eks({ oidcProvider: { management: 'External' } }),
    /arn must be omitted for Managed and required for External/,
  ],
  [
    '5: External with the ARN of a role',
    'config',
    eks({ oidcProvider: { management: 'External', arn: 'arn:aws:iam::123456789012:role/x' } }),
    /should match/,
  ],
  ['External with an ARN', 'config', eks({ oidcProvider: { management: 'External', arn: externalArn } }), 'accepted'],
  ...['us-gov-east-1', 'us-iso-east-1', 'us-isob-east-1', 'eu-isoe-west-1', 'eusc-de-east-1', 'cn-north-1', 'ap-northeast-1'].map(
    (region): Row => [`6: region ${region}`, 'config', { ...selfHosted, region }, 'accepted'],
  ),
  ...['US-EAST-1', 'us-east', 'us east 1', 'us_east_1', '1us-east-1', ''].map(
    (region): Row => [`7: region ${JSON.stringify(region)}`, 'config', { ...selfHosted, region }, /spec\.region/],
  ),
  [
    '7: a region of 33 characters',
    'config',
    { ...selfHosted, region: `us-${'e'.repeat(28)}-1` },
    /Too long|may not be (?:longer|more)/,
  ],
  [
    '8: an issuer of 256 characters',
    'config',
    eks({ issuerURL: `https://oidc.eks.ap-northeast-1.amazonaws.com/id/${'A'.repeat(207)}` }),
    'accepted',
  ],
  [
    '8: an issuer of 257',
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
  ].map((url): Row => [`9: issuer ${url}`, 'config', eks({ issuerURL: url }), /issuerURL.*should match/]),
  ...['cn-north-1.amazonaws.com.cn/id/CHINA1', 'us-iso-east-1.c2s.ic.gov/id/ISO1', 'us-isob-east-1.sc2s.sgov.gov/id/ISOB1'].map(
    (rest): Row => [`10: issuer in ${rest}`, 'config', eks({ issuerURL: `https://oidc.eks.${rest}` }), 'accepted'],
  ),
  ['11: a Role with neither', 'role', role({}), /exactly one of spec\.policyARNs or spec\.policyDocument must be specified/],
  ['11: a Role with both', 'role', role({ policyARNs: [policyArn(1)], policyDocument: { Version: 'x' } }), /exactly one of/],
  ['12: an empty list and a document', 'role', role({ policyARNs: [], policyDocument: { Version: 'x' } }), 'accepted'],
  ['13: an empty list alone', 'role', role({ policyARNs: [] }), /exactly one of/],
  ...(['text', ['list'], {}] as const).map(
    (policyDocument): Row => [
      `14: a document that is ${JSON.stringify(policyDocument)}`,
      'role',
      role({ policyDocument }),
      /policyDocument/,
    ],
  ),
  [
    '15: eleven policies',
    'role',
    role({ policyARNs: Array.from({ length: 11 }, (_, index) => policyArn(index)) }),
    /must have at most 10 items|Too many/,
  ],
  ['15: one policy twice', 'role', role({ policyARNs: [policyArn(1), policyArn(1)] }), /[Dd]uplicate/],
  [
    '16: policies of AWS and of a path in another partition',
    'role',
    role({ policyARNs: ['arn:aws:iam::aws:policy/X', 'arn:aws-us-gov:iam::123456789012:policy/p/X'] }),
    'accepted',
  ],
  ['17: an account of 11 digits', 'role', role({ policyARNs: ['arn:aws:iam::12345678901:policy/X'] }), /should match/],
  ['17: the ARN of a role', 'role', role({ policyARNs: ['arn:aws:iam::123456789012:role/X'] }), /should match/],
  ['20: a ServiceAccount with dots', 'role', { ...role(), serviceAccount: { namespace: 'default', name: 'a.b.c' } }, 'accepted'],
  ['20: a namespace with dots', 'role', { ...role(), serviceAccount: { namespace: 'a.b', name: 'app' } }, /namespace/],
  ['21: no placement', 'replicaSet', replicaSet({ placementRefs: [] }), /placementRefs/],
  [
    '21: seventeen placements',
    'replicaSet',
    replicaSet({ placementRefs: Array.from({ length: 17 }, (_, index) => ref({ name: `p${index}` })) }),
    /placementRefs/,
  ],
  ['21: one placement twice', 'replicaSet', replicaSet({ placementRefs: [ref(), ref()] }), /[Dd]uplicate/],
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
      [`24: 32 groups (${strategy})`, 'replicaSet', groups(32), 'accepted'],
      [
        `24: 33 groups (${strategy})`,
        'replicaSet',
        groups(33),
        new RegExp(`rolloutStrategy\\.${strategy}\\.mandatoryDecisionGroups must have at most 32 entries`),
      ],
    ]
  }),
  ...(['101%', 'abc'] as const).map(
    (maxFailures): Row => [`25: ${maxFailures} failures`, 'replicaSet', strategy({ maxFailures }), /maxFailures/],
  ),
  ...(['100%', 5, '5'] as const).map(
    (maxFailures): Row => [`25: ${maxFailures} failures are fine`, 'replicaSet', strategy({ maxFailures }), 'accepted'],
  ),
  ['26: a deadline of 10x', 'replicaSet', strategy({ progressDeadline: '10x' }), /progressDeadline/],
  ...['10m', 'None', '10|', 'xNone'].map(
    (progressDeadline): Row => [
      `26: a deadline of ${progressDeadline}`,
      'replicaSet',
      strategy({ progressDeadline }),
      'accepted',
    ],
  ),
  ...['a/b/c', '', 'a b'].map(
    (key): Row => [
      `27: label key ${JSON.stringify(key)}`,
      'replicaSet',
      replicaSet({ metadata: { labels: { [key]: 'x' } } }),
      /label keys must be valid Kubernetes qualified names/,
    ],
  ),
  ['28: a label value of 64 characters', 'replicaSet', replicaSet({ metadata: { labels: { a: 'x'.repeat(64) } } }), /labels/],
  ['28: a label value with a blank', 'replicaSet', replicaSet({ metadata: { labels: { a: 'x y' } } }), /labels/],
  ['29: an empty label value, a key without prefix', 'replicaSet', replicaSet({ metadata: { labels: { a: '' } } }), 'accepted'],
  ...reservedLabelKeys.map(
    (key): Row => [
      `30: label ${key}`,
      'replicaSet',
      replicaSet({ metadata: { labels: { [key]: 'x' } } }),
      /label key is reserved by aws-workload-identity-operator; reserved keys: app\.kubernetes\.io\/managed-by, aws\.identity\.appthrust\.io\/\{binding-uid,config-uid,delivery,inventory-namespace,owner-ref,replicaset-uid,runtime,service-account\}/,
    ],
  ),
  [
    '31: another label of our prefix',
    'replicaSet',
    replicaSet({ metadata: { labels: { 'aws.identity.appthrust.io/custom': 'x' } } }),
    'accepted',
  ],
  [
    '32: the annotation of the owner',
    'replicaSet',
    replicaSet({ metadata: { annotations: { 'aws.identity.appthrust.io/replicaset-owner-ref': 'x' } } }),
    /annotation key 'aws\.identity\.appthrust\.io\/replicaset-owner-ref' is reserved by aws-workload-identity-operator/,
  ],
  ['33: 65 labels', 'replicaSet', replicaSet({ metadata: { labels: many(65, 'x') } }), /labels/],
  ['33: 65 annotations', 'replicaSet', replicaSet({ metadata: { annotations: many(65, 'x') } }), /annotations/],
  [
    '34: an annotation of 262145 characters',
    'replicaSet',
    replicaSet({ metadata: { annotations: { a: 'x'.repeat(262_145) } } }),
    /annotations/,
  ],
  [
    '35: 64 annotations of 4083 characters',
    'replicaSet',
    replicaSet({ metadata: { annotations: many(64, 'x'.repeat(4_083)) } }),
    /annotations total size \(sum of all key and value bytes\) must not exceed 261120 bytes/,
  ],
  [
    '35: 60 annotations of 3982 characters',
    'replicaSet',
    replicaSet({ metadata: { annotations: many(60, 'x'.repeat(3_982)) } }),
    'accepted',
  ],
  ['empty maps of labels and annotations', 'replicaSet', replicaSet({ metadata: { labels: {}, annotations: {} } }), 'accepted'],
]

function strategy(more: Spec): Spec {
  return replicaSet({ placementRefs: [ref({ rolloutStrategy: { type: 'Progressive', progressive: more } })] })
}

describe('13.1: what the API takes and refuses', () => {
  for (const [why, kind, spec, said, name] of rows) {
    test(`${why} is ${said === 'accepted' ? 'accepted' : 'refused'}`, async () => {
      const answer = await tryCreate(kind, spec, name)
      if (said === 'accepted') assert.equal(answer, 'accepted')
      else assert.match(answer, said)
    })
  }
})

describe('13.1: what may change', () => {
  const changes: readonly (readonly [why: string, kind: keyof typeof kinds, from: Spec, to: Spec, said: 'accepted' | RegExp])[] =
    [
      ['3: the type', 'config', selfHosted, { ...selfHosted, type: 'EKSPodIdentity' }, /spec\.type is immutable/],
      ['3: the region', 'config', selfHosted, { ...selfHosted, region: 'eu-west-1' }, /spec\.region is immutable/],
      ['3: the issuer', 'config', eks(), eks({ issuerURL: `${issuerURL}2` }), /spec\.eksIRSA is immutable/],
      [
        '3: who manages the provider',
        'config',
        eks(),
        eks({ oidcProvider: { management: 'External', arn: externalArn } }),
        /spec\.eksIRSA is immutable/,
      ],
      [
        '18: the ServiceAccount of a Role',
        'role',
        role(),
        { ...role(), serviceAccount: { namespace: 'default', name: 'b' } },
        /spec\.serviceAccount is immutable/,
      ],
      ['19: from ARNs to a document', 'role', role(), role({ policyDocument: { Version: 'x' } }), 'accepted'],
      [
        '38: the webhook namespace',
        'operatorConfig',
        { selfHostedIRSA: { webhookNamespace: 'a' } },
        { selfHostedIRSA: { webhookNamespace: 'b' } },
        /spec\.selfHostedIRSA\.webhookNamespace is immutable/,
      ],
      [
        '39: a boundary that is added',
        'operatorConfig',
        {},
        { permissionsBoundaryARN: policyArn(1), selfHostedIRSA: { webhookNamespace: 'aws-pod-identity-webhook' } },
        'accepted',
      ],
      [
        '39: a boundary that is removed',
        'operatorConfig',
        { permissionsBoundaryARN: policyArn(1) },
        { selfHostedIRSA: { webhookNamespace: 'aws-pod-identity-webhook' } },
        'accepted',
      ],
    ]
  for (const [why, kind, from, to, said] of changes) {
    test(`${why} is ${said === 'accepted' ? 'accepted' : 'refused'}`, async () => {
      const answer = await tryUpdate(kind, from, to)
      if (said === 'accepted') assert.equal(answer, 'accepted')
      else assert.match(answer, said)
    })
  }
  test('36: the ServiceAccount of a template is refused with two messages', async () => {
    const to = replicaSet({ spec: { ...role(), serviceAccount: { namespace: 'default', name: 'b' } } })
    const answer = await tryUpdate('replicaSet', replicaSet(), to)
    assert.match(answer, /spec\.template\.spec\.serviceAccount is immutable/)
    assert.match(answer, /spec\.serviceAccount is immutable/)
  })
})

describe('13.1: what is filled in', () => {
  test('22: a placement without a strategy gets All', async () => {
    assert.deepEqual(((await stored('replicaSet', replicaSet())) as { placementRefs: unknown }).placementRefs, [
      { name: 'p', rolloutStrategy: { type: 'All' } },
    ])
  })
  test('23: an empty strategy gets its defaults', async () => {
    const found = (await stored(
      'replicaSet',
      replicaSet({ placementRefs: [ref({ rolloutStrategy: { progressive: {} } })] }),
    )) as { placementRefs: readonly { rolloutStrategy: Spec }[] }
    assert.deepEqual(found.placementRefs[0]?.rolloutStrategy, {
      type: 'All',
      progressive: { maxFailures: 0, minSuccessTime: '0', progressDeadline: 'None' },
    })
  })
  test('37: an empty operator config gets the webhook namespace', async () => {
    assert.deepEqual(await stored('operatorConfig', {}), { selfHostedIRSA: { webhookNamespace: 'aws-pod-identity-webhook' } })
  })
})

describe('13.1: what a status may hold', () => {
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
    ['40: a publication', 'config', published({}), 'accepted'],
    ['40: a key id with a dot', 'config', published({ signingKeyID: 'a.b' }), /signingKeyID/],
    ['40: a digest without its algorithm', 'config', published({ objectSetDigest: '0'.repeat(64) }), /objectSetDigest/],
    ['41: 32 conditions', 'config', { conditions: numbered(32, condition) }, 'accepted'],
    ['41: 33 conditions', 'config', { conditions: numbered(33, condition) }, /conditions/],
    ['41: 17 children', 'role', { ackResources: numbered(17, entry) }, /ackResources/],
    ['41: 101 clusters', 'replicaSet', { clusters: numbered(101, clusterName => ({ clusterName, phase: 'Ready' })) }, /clusters/],
    [
      '41: 51 failed clusters',
      'replicaSet',
      { failedClusters: numbered(51, clusterName => ({ clusterName, phase: 'Failed' })) },
      /failedClusters/,
    ],
    ['41: a negative count', 'replicaSet', { readyClusterCount: -1 }, /readyClusterCount/],
  ]
  const specs: Readonly<Record<keyof typeof kinds, Spec>> = {
    config: selfHosted,
    role: role(),
    replicaSet: replicaSet(),
    operatorConfig: {},
  }
  for (const [why, kind, status, said] of statuses) {
    test(`${why} is ${said === 'accepted' ? 'accepted' : 'refused as a whole'}`, async () => {
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
