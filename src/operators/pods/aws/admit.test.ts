// The behaviour matrix of the AWS webhook (docs/rules/webhook.md §8.1), as far as it is decided by review and snapshot alone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AddOperation, PatchObject, PatchValue } from '../patch.ts'
import { admitPod } from './admit.ts'
import { readServiceAccount } from './annotations.ts'
import { type AwsWebhookOptions, type ConfigMapEntry, defaultAwsOptions, type IdentitySnapshot } from './api.ts'

const role = 'arn:aws:iam::111122223333:role/app'
const prefix = 'eks.amazonaws.com'
const tokenFile = '/var/run/secrets/eks.amazonaws.com/serviceaccount/token'
const mountPath = '/var/run/secrets/eks.amazonaws.com/serviceaccount'
const mount = { name: 'aws-iam-token', readOnly: true, mountPath }
const pair = [
  { name: 'AWS_ROLE_ARN', value: role },
  { name: 'AWS_WEB_IDENTITY_TOKEN_FILE', value: tokenFile },
]

interface Case {
  readonly id: string
  readonly why: string
  readonly account?: Readonly<Record<string, string>> | undefined
  readonly flags?: Partial<AwsWebhookOptions>
  readonly exact?: ConfigMapEntry
  readonly wildcard?: ConfigMapEntry
  readonly container?: boolean
  readonly random?: number
  readonly pod?: PatchObject
  readonly object?: PatchValue
  readonly expect: (pod: Pod, patch: readonly AddOperation[], warnings: readonly string[]) => void
}

interface Pod {
  readonly metadata: { readonly labels?: Record<string, string>; readonly annotations?: Record<string, string> }
  readonly spec: {
    readonly volumes?: { name: string; projected?: { sources: { serviceAccountToken: Record<string, unknown> }[] } }[]
    readonly containers: Container[]
    readonly initContainers?: Container[]
    readonly ephemeralContainers?: Container[]
  }
}

interface Container {
  readonly name: string
  readonly env?: { name: string; value?: string }[]
  readonly volumeMounts?: { name: string; mountPath: string }[]
  readonly [field: string]: unknown
}

const roleOnly = { [`${prefix}/role-arn`]: role }
const one = (more: PatchObject = {}): PatchObject => ({
  kind: 'Pod',
  metadata: {},
  spec: { containers: [{ name: 'a', ...more }] },
})
const annotated = (annotations: Record<string, string>, ...names: string[]): PatchObject => ({
  kind: 'Pod',
  metadata: { annotations },
  spec: { containers: (names.length === 0 ? ['a'] : names).map(name => ({ name })) },
})
const entry = (more: Partial<ConfigMapEntry> = {}): ConfigMapEntry => ({
  roleArn: role,
  audience: '',
  regionalSts: false,
  expirationSeconds: 0n,
  ...more,
})
const source = (pod: Pod): Record<string, unknown> | undefined =>
  pod.spec.volumes?.[0]?.projected?.sources[0]?.serviceAccountToken
const first = (pod: Pod): Container => pod.spec.containers[0] as Container
const untouched = (_: Pod, patch: readonly AddOperation[]): void => assert.deepEqual(patch, [])
const expires = (seconds: number) => (pod: Pod) => assert.equal(source(pod)?.['expirationSeconds'], seconds)
const sa = (more: Record<string, string>): Record<string, string> => ({
  ...roleOnly,
  ...Object.fromEntries(Object.entries(more).map(([name, value]) => [`${prefix}/${name}`, value])),
})
const names = (container: Container): string[] => (container.env ?? []).map(({ name }) => name)

const cases: readonly Case[] = [
  {
    id: 'A-01',
    why: 'a role alone gives volume, pair and mount with the defaults',
    account: roleOnly,
    expect: pod => {
      assert.deepEqual(pod.spec.volumes, [
        {
          name: 'aws-iam-token',
          projected: {
            sources: [{ serviceAccountToken: { audience: 'sts.amazonaws.com', expirationSeconds: 86400, path: 'token' } }],
          },
        },
      ])
      assert.deepEqual(first(pod), { name: 'a', env: pair, volumeMounts: [mount] })
    },
  },
  { id: 'A-02', why: 'a known ServiceAccount without a role changes nothing', account: {}, expect: untouched },
  { id: 'A-03', why: 'an unknown ServiceAccount changes nothing', expect: untouched },
  { id: 'A-11', why: 'an empty role is no role', account: { [`${prefix}/role-arn`]: '' }, expect: untouched },
  {
    id: 'A-12',
    why: 'a value that is no ARN is used as given, with a warning',
    account: { [`${prefix}/role-arn`]: 'not-an-arn' },
    expect: (pod, _, warnings) => {
      assert.equal(first(pod).env?.[0]?.value, 'not-an-arn')
      assert.equal(warnings.length, 1)
    },
  },
  {
    id: 'A-13',
    why: 'all four annotations are followed',
    account: sa({ audience: 'my-aud', 'sts-regional-endpoints': 'true', 'token-expiration': '7200' }),
    expect: pod => {
      assert.deepEqual(source(pod), { audience: 'my-aud', expirationSeconds: 7200, path: 'token' })
      assert.deepEqual(first(pod).env, [{ name: 'AWS_STS_REGIONAL_ENDPOINTS', value: 'regional' }, ...pair])
    },
  },
  {
    id: 'A-14',
    why: 'false beats a true flag',
    account: sa({ 'sts-regional-endpoints': 'false' }),
    flags: { regionalSts: true },
    expect: pod => assert.deepEqual(first(pod).env, pair),
  },
  {
    id: 'A-15',
    why: 'an invalid word leaves it to the flag',
    account: sa({ 'sts-regional-endpoints': 'yes' }),
    flags: { regionalSts: true },
    expect: pod => assert.equal(names(first(pod))[0], 'AWS_STS_REGIONAL_ENDPOINTS'),
  },
  {
    id: 'A-16',
    why: 'T is true',
    account: sa({ 'sts-regional-endpoints': 'T' }),
    expect: pod => assert.equal(names(first(pod))[0], 'AWS_STS_REGIONAL_ENDPOINTS'),
  },
  {
    id: 'A-17',
    why: 'an empty audience leaves the field out',
    account: sa({ audience: '' }),
    expect: pod => assert.deepEqual(source(pod), { expirationSeconds: 86400, path: 'token' }),
  },
  { id: 'A-18', why: 'five seconds become the minimum', account: sa({ 'token-expiration': '5' }), expect: expires(600) },
  { id: 'A-19', why: 'so do negative ones', account: sa({ 'token-expiration': '-1' }), expect: expires(600) },
  { id: 'A-20', why: 'a duration with a unit is ignored', account: sa({ 'token-expiration': '1h' }), expect: expires(86400) },
  { id: 'A-21', why: 'a long time is followed', account: sa({ 'token-expiration': '999999' }), expect: expires(999999) },
  ...[
    { id: 'A-22', value: '600', seconds: 600 },
    { id: 'A-23', value: '599', seconds: 600 },
    { id: 'A-24', value: 'abc', seconds: 7200 },
    { id: 'A-25', value: '+900', seconds: 900 },
    { id: 'A-26', value: ' 900', seconds: 7200 },
    { id: 'A-26', value: '1e4', seconds: 7200 },
    { id: 'A-27', value: '4294967296', seconds: 4294967296 },
    { id: 'A-28', value: '999999999999', seconds: 4294967296 },
    { id: 'A-28', value: '9999999999999999999', seconds: 7200 },
  ].map(({ id, value, seconds }) => ({
    id,
    why: `a pod that says ${JSON.stringify(value)} over a ServiceAccount's 7200 gets ${seconds}`,
    account: sa({ 'token-expiration': '7200' }),
    pod: annotated({ [`${prefix}/token-expiration`]: value }),
    expect: expires(seconds),
  })),
  {
    id: 'A-29',
    why: 'a flag below the minimum is raised',
    account: roleOnly,
    flags: { tokenExpirationSeconds: 300n },
    expect: expires(600),
  },
  {
    id: 'A-30',
    why: 'our volume comes first, others keep their order',
    account: roleOnly,
    pod: { kind: 'Pod', metadata: {}, spec: { volumes: [{ name: 'x' }], containers: [{ name: 'a' }] } },
    expect: pod =>
      assert.deepEqual(
        pod.spec.volumes?.map(({ name }) => name),
        ['aws-iam-token', 'x'],
      ),
  },
  ...[[], null].map(volumes => ({
    id: 'A-31',
    why: `volumes: ${JSON.stringify(volumes)} becomes one volume`,
    account: roleOnly,
    pod: { kind: 'Pod', metadata: {}, spec: { volumes, containers: [{ name: 'a' }] } },
    expect: (pod: Pod) =>
      assert.deepEqual(
        pod.spec.volumes?.map(({ name }) => name),
        ['aws-iam-token'],
      ),
  })),
  {
    id: 'A-32',
    why: 'a volume of our name stands in for ours',
    account: roleOnly,
    pod: { kind: 'Pod', metadata: {}, spec: { volumes: [{ name: 'aws-iam-token', emptyDir: {} }], containers: [{ name: 'a' }] } },
    expect: pod => {
      assert.deepEqual(pod.spec.volumes, [{ name: 'aws-iam-token', emptyDir: {} }])
      assert.deepEqual(first(pod), { name: 'a', env: pair, volumeMounts: [mount] })
    },
  },
  {
    id: 'A-33',
    why: 'a mount of our name elsewhere is kept, the file stays the default',
    account: roleOnly,
    pod: one({ volumeMounts: [{ name: 'aws-iam-token', mountPath: '/elsewhere' }] }),
    expect: pod => {
      assert.deepEqual(first(pod).volumeMounts, [{ name: 'aws-iam-token', mountPath: '/elsewhere' }])
      assert.deepEqual(first(pod).env, pair)
    },
  },
  {
    id: 'A-34',
    why: 'a foreign mount on our path is not doubled',
    account: roleOnly,
    pod: one({ volumeMounts: [{ name: 'mine', mountPath }] }),
    expect: (pod, _, warnings) => {
      assert.equal(first(pod).volumeMounts?.length, 1)
      assert.deepEqual(first(pod).env, pair)
      assert.equal(warnings.length, 1)
    },
  },
  ...[
    { name: 'mine', devicePath: mountPath },
    { name: 'aws-iam-token', devicePath: '/dev/x' },
  ].map(device => ({
    id: 'A-34',
    why: `nor is ${JSON.stringify(device)}, a block device at that path or of that name, which the API server takes beside no mount`,
    account: roleOnly,
    pod: one({ volumeDevices: [device] }),
    expect: (pod: Pod, _: unknown, warnings: readonly string[]) => {
      assert.deepEqual(first(pod), { name: 'a', volumeDevices: [device], env: pair })
      assert.equal(warnings.length, 1)
    },
  })),
  {
    id: '§9.1',
    why: 'a volume of our name that is no token is told of; one that is ours is not',
    account: roleOnly,
    pod: { kind: 'Pod', metadata: {}, spec: { volumes: [{ name: 'aws-iam-token', emptyDir: {} }], containers: [] } },
    expect: (_, patch, warnings) => {
      assert.deepEqual(patch, [])
      assert.equal(warnings.length, 1)
    },
  },
  ...[
    { id: 'A-35', env: [{ name: 'AWS_ROLE_ARN', value: 'x' }] },
    { id: 'A-36', env: [{ name: 'AWS_WEB_IDENTITY_TOKEN_FILE', value: 'x' }] },
    { id: 'A-37', env: [{ name: 'AWS_ROLE_ARN', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] },
  ].map(({ id, env }) => ({
    id,
    why: 'half of the pair set by hand keeps the whole pair out, not the mount',
    account: roleOnly,
    pod: one({ env }),
    expect: (pod: Pod) => {
      assert.deepEqual(first(pod).env, env)
      assert.deepEqual(first(pod).volumeMounts, [mount])
    },
  })),
  {
    id: 'A-38',
    why: 'all three groups set by hand: the container is left alone, the pod gets its volume',
    account: roleOnly,
    pod: one({ env: [{ name: 'AWS_ROLE_ARN' }, { name: 'AWS_DEFAULT_REGION' }, { name: 'AWS_STS_REGIONAL_ENDPOINTS' }] }),
    expect: pod => {
      assert.equal(first(pod).volumeMounts, undefined)
      assert.equal(pod.spec.volumes?.length, 1)
    },
  },
  {
    id: 'A-39',
    why: 'a part of the set: what is missing is added',
    account: roleOnly,
    flags: { regionalSts: true, defaultRegion: 'eu-west-1' },
    pod: one({ env: [{ name: 'AWS_ROLE_ARN' }, { name: 'AWS_REGION' }] }),
    expect: pod => {
      assert.deepEqual(names(first(pod)), ['AWS_ROLE_ARN', 'AWS_REGION', 'AWS_STS_REGIONAL_ENDPOINTS'])
      assert.deepEqual(first(pod).volumeMounts, [mount])
    },
  },
  {
    id: 'A-40',
    why: 'one region name keeps both out',
    account: roleOnly,
    flags: { defaultRegion: 'eu-west-1' },
    pod: one({ env: [{ name: 'AWS_REGION' }] }),
    expect: pod => assert.deepEqual(names(first(pod)), ['AWS_REGION', 'AWS_ROLE_ARN', 'AWS_WEB_IDENTITY_TOKEN_FILE']),
  },
  {
    id: 'A-41',
    why: 'the region comes before the pair',
    account: roleOnly,
    flags: { defaultRegion: 'eu-west-1' },
    expect: pod =>
      assert.deepEqual(names(first(pod)), ['AWS_DEFAULT_REGION', 'AWS_REGION', 'AWS_ROLE_ARN', 'AWS_WEB_IDENTITY_TOKEN_FILE']),
  },
  {
    id: 'A-42',
    why: 'STS, regions, pair',
    account: roleOnly,
    flags: { defaultRegion: 'eu-west-1', regionalSts: true },
    expect: pod =>
      assert.deepEqual(names(first(pod)), [
        'AWS_STS_REGIONAL_ENDPOINTS',
        'AWS_DEFAULT_REGION',
        'AWS_REGION',
        'AWS_ROLE_ARN',
        'AWS_WEB_IDENTITY_TOKEN_FILE',
      ]),
  },
  {
    id: 'A-43',
    why: 'what was there stays first',
    account: roleOnly,
    pod: one({ env: [{ name: 'A', value: 'b' }] }),
    expect: pod => assert.deepEqual(first(pod).env, [{ name: 'A', value: 'b' }, ...pair]),
  },
  {
    id: 'A-44',
    why: 'envFrom is not looked into',
    account: roleOnly,
    pod: one({ envFrom: [{ configMapRef: { name: 'x' } }] }),
    expect: pod => assert.deepEqual(first(pod).env, pair),
  },
  ...[
    { id: 'A-45', value: 'a', skipped: ['a'] },
    { id: 'A-46', value: 'a, b', skipped: ['a'] },
    { id: 'A-47', value: '"a"', skipped: ['a'] },
    { id: 'A-48', value: 'a"b,a', skipped: [] },
    { id: 'A-49', value: '', skipped: [] },
    { id: 'A-50', value: 'a\nb', skipped: ['a'] },
    { id: 'A-51', value: 'a,b', skipped: ['a', 'b'] },
  ].map(({ id, value, skipped }) => ({
    id,
    why: `skip-containers ${JSON.stringify(value)} skips ${skipped.join(' and ') || 'nothing'}`,
    account: roleOnly,
    pod: annotated({ [`${prefix}/skip-containers`]: value }, 'a', 'b'),
    expect: (pod: Pod) => {
      assert.deepEqual(
        pod.spec.containers.filter(({ env }) => env === undefined).map(({ name }) => name),
        skipped,
      )
      assert.equal(pod.spec.volumes?.length, 1)
    },
  })),
  ...[
    { value: undefined, changed: [] },
    { value: 'b', changed: ['b'] },
    { value: 'a,b', changed: ['a', 'b'] },
  ].map(({ value, changed }) => ({
    id: '§2.13',
    why: `--default-containers-mode=include with ${value ?? 'nothing'} named changes ${changed.join(' and ') || 'no container'}, and the volume is there`,
    account: roleOnly,
    flags: { onlyIncludedContainers: true },
    pod: annotated(value === undefined ? {} : { [`${prefix}/include-containers`]: value }, 'a', 'b'),
    expect: (pod: Pod) => {
      assert.deepEqual(
        pod.spec.containers.filter(({ env }) => env !== undefined).map(({ name }) => name),
        changed,
      )
      assert.equal(pod.spec.volumes?.length, 1)
    },
  })),
  {
    id: '§2.13',
    why: 'include names a container and skip leaves it out again',
    account: roleOnly,
    flags: { onlyIncludedContainers: true },
    pod: annotated({ [`${prefix}/include-containers`]: 'a,b', [`${prefix}/skip-containers`]: 'b' }, 'a', 'b'),
    expect: pod => assert.deepEqual(pod.spec.containers[1], { name: 'b' }),
  },
  {
    id: 'A-52, A-53, A-54, A-55',
    why: 'init containers are treated like others, named ones are skipped, native sidecars keep their policy, ephemeral ones are left alone',
    account: roleOnly,
    pod: {
      kind: 'Pod',
      metadata: { annotations: { [`${prefix}/skip-containers`]: 'skipped' } },
      spec: {
        containers: [{ name: 'a' }],
        initContainers: [{ name: 'skipped' }, { name: 'side', restartPolicy: 'Always' }],
        ephemeralContainers: [{ name: 'e' }],
      },
    },
    expect: pod => {
      assert.deepEqual(pod.spec.initContainers, [
        { name: 'skipped' },
        { name: 'side', restartPolicy: 'Always', env: pair, volumeMounts: [mount] },
      ])
      assert.deepEqual(pod.spec.ephemeralContainers, [{ name: 'e' }])
    },
  },
  {
    id: 'A-56, A-57',
    why: 'fields of a later Kubernetes are kept',
    account: roleOnly,
    pod: one({
      futureField: { deep: [1, null, { x: 'y' }] },
      livenessProbe: { grpc: { port: 1 } },
      resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }],
    }),
    expect: pod => {
      assert.deepEqual(first(pod)['futureField'], { deep: [1, null, { x: 'y' }] })
      assert.deepEqual(first(pod)['resizePolicy'], [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }])
    },
  },
  {
    id: 'A-58',
    why: 'no containers: the volume alone',
    account: roleOnly,
    pod: { kind: 'Pod', metadata: {}, spec: { containers: [] } },
    expect: (_, patch) => assert.equal(patch.length, 1),
  },
  ...[
    { id: 'A-59', selector: { 'kubernetes.io/os': 'windows' }, windows: true },
    { id: 'A-60', selector: { 'beta.kubernetes.io/os': 'windows' }, windows: true },
    { id: 'A-61', selector: { 'kubernetes.io/os': 'Windows' }, windows: false },
  ].map(({ id, selector, windows }) => ({
    id,
    why: `${JSON.stringify(selector)} ${windows ? 'gives' : 'does not give'} the Windows form of the file, never of the mount`,
    account: roleOnly,
    pod: { kind: 'Pod', metadata: {}, spec: { nodeSelector: selector, containers: [{ name: 'a' }] } },
    expect: (pod: Pod) => {
      assert.equal(
        first(pod).env?.[1]?.value,
        windows ? 'C:\\var\\run\\secrets\\eks.amazonaws.com\\serviceaccount\\token' : tokenFile,
      )
      assert.equal(first(pod).volumeMounts?.[0]?.mountPath, mountPath)
    },
  })),
  {
    id: 'A-62',
    why: 'spec.os alone is not looked at',
    account: roleOnly,
    pod: { kind: 'Pod', metadata: {}, spec: { os: { name: 'windows' }, containers: [{ name: 'a' }] } },
    expect: pod => assert.equal(first(pod).env?.[1]?.value, tokenFile),
  },
  {
    id: 'A-63',
    why: 'the mount path stays verbatim, the file is clean',
    account: roleOnly,
    flags: { tokenMountPath: '/x/y/' },
    expect: pod => {
      assert.equal(first(pod).volumeMounts?.[0]?.mountPath, '/x/y/')
      assert.equal(first(pod).env?.[1]?.value, '/x/y/token')
    },
  },
  {
    id: 'A-63',
    why: 'empty and single-dot parts are left out of the file',
    account: roleOnly,
    flags: { tokenMountPath: '/x//./y' },
    expect: pod => assert.equal(first(pod).env?.[1]?.value, '/x/y/token'),
  },
  {
    id: 'A-63',
    why: 'two dots take the part before them away',
    account: roleOnly,
    flags: { tokenMountPath: '/x/../y' },
    expect: pod => assert.equal(first(pod).env?.[1]?.value, '/y/token'),
  },
  {
    id: 'A-63',
    why: 'above the root there is nothing',
    account: roleOnly,
    flags: { tokenMountPath: '/../../y' },
    expect: pod => assert.equal(first(pod).env?.[1]?.value, '/y/token'),
  },
  {
    id: 'A-63',
    why: 'a path that begins nowhere stays so',
    account: roleOnly,
    flags: { tokenMountPath: 'x/./y' },
    expect: pod => assert.equal(first(pod).env?.[1]?.value, 'x/y/token'),
  },
  {
    id: 'A-63',
    why: 'two dots at its beginning stay',
    account: roleOnly,
    flags: { tokenMountPath: '../x/../../y' },
    expect: pod => assert.equal(first(pod).env?.[1]?.value, '../../y/token'),
  },
  {
    id: 'A-63',
    why: 'a part that begins with dots is a name',
    account: roleOnly,
    flags: { tokenMountPath: '/.x/..y' },
    expect: pod => assert.equal(first(pod).env?.[1]?.value, '/.x/..y/token'),
  },
  {
    id: 'A-64',
    why: 'another prefix does not see the usual annotation',
    account: roleOnly,
    flags: { annotationPrefix: 'foo.io' },
    expect: untouched,
  },
  {
    id: 'A-65',
    why: 'another prefix moves the annotations only',
    account: { 'foo.io/role-arn': role },
    flags: { annotationPrefix: 'foo.io' },
    expect: pod => assert.deepEqual(first(pod).volumeMounts, [mount]),
  },
  {
    id: 'A-66',
    why: 'the ConfigMap gives a role without an audience',
    account: {},
    exact: entry(),
    expect: pod => assert.deepEqual(source(pod), { expirationSeconds: 86400, path: 'token' }),
  },
  {
    id: 'A-67',
    why: 'the annotation beats the ConfigMap',
    account: roleOnly,
    exact: entry({ roleArn: `${role}2` }),
    expect: pod => assert.equal(first(pod).env?.[0]?.value, role),
  },
  {
    id: 'A-68',
    why: 'the entry for any namespace applies',
    account: {},
    wildcard: entry(),
    expect: pod => assert.equal(first(pod).env?.[0]?.value, role),
  },
  {
    id: 'A-69',
    why: 'the exact entry wins',
    account: {},
    exact: entry(),
    wildcard: entry({ roleArn: `${role}2` }),
    expect: pod => assert.equal(first(pod).env?.[0]?.value, role),
  },
  {
    id: 'A-69',
    why: 'the exact entry wins without a role too',
    account: {},
    exact: entry({ roleArn: '' }),
    wildcard: entry(),
    expect: untouched,
  },
  {
    id: 'A-71',
    why: 'no expiration in the entry: the flag',
    account: {},
    exact: entry(),
    flags: { tokenExpirationSeconds: 7200n },
    expect: expires(7200),
  },
  {
    id: 'A-72',
    why: 'an entry below the minimum is raised',
    account: {},
    exact: entry({ expirationSeconds: 300n }),
    expect: expires(600),
  },
  {
    id: 'A-73',
    why: 'an entry works for a ServiceAccount that is not there',
    exact: entry(),
    expect: pod => assert.equal(first(pod).env?.[0]?.value, role),
  },
  {
    id: 'A-78',
    why: 'container credentials: label, volume, pair, mount, jittered expiry',
    account: {},
    container: true,
    expect: pod => {
      assert.deepEqual(pod.metadata.labels, { 'eks.amazonaws.com/pod-identity': 'enabled' })
      assert.equal(pod.spec.volumes?.[0]?.name, 'eks-pod-identity-token')
      assert.deepEqual(source(pod), {
        audience: 'pods.eks.amazonaws.com',
        expirationSeconds: 79200,
        path: 'eks-pod-identity-token',
      })
      assert.deepEqual(first(pod).env, [
        { name: 'AWS_CONTAINER_CREDENTIALS_FULL_URI', value: 'http://169.254.170.23/v1/credentials' },
        {
          name: 'AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE',
          value: '/var/run/secrets/pods.eks.amazonaws.com/serviceaccount/eks-pod-identity-token',
        },
      ])
    },
  },
  ...[
    { id: 'A-79', labels: { x: 'y' }, expected: { x: 'y', 'eks.amazonaws.com/pod-identity': 'enabled' } },
    { id: 'A-80', labels: { 'eks.amazonaws.com/pod-identity': 'no' }, expected: { 'eks.amazonaws.com/pod-identity': 'enabled' } },
  ].map(({ id, labels, expected }) => ({
    id,
    why: 'the label is set, others are kept',
    account: {},
    container: true,
    pod: { kind: 'Pod', metadata: { labels }, spec: { containers: [{ name: 'a' }] } } as PatchObject,
    expect: (pod: Pod) => assert.deepEqual(pod.metadata.labels, expected),
  })),
  {
    id: 'A-81',
    why: 'container credentials beat a role',
    account: roleOnly,
    container: true,
    expect: pod => assert.ok(!names(first(pod)).includes('AWS_ROLE_ARN')),
  },
  {
    id: 'A-82',
    why: 'a chosen expiry is not jittered',
    account: sa({ 'token-expiration': '10000' }),
    container: true,
    expect: expires(10000),
  },
  {
    id: 'A-83',
    why: 'a chosen default is jittered all the same',
    account: {},
    container: true,
    random: 7200,
    pod: annotated({ [`${prefix}/token-expiration`]: '86400' }),
    expect: expires(86400),
  },
  {
    id: 'A-84',
    why: "the pod's word counts",
    account: {},
    container: true,
    pod: annotated({ [`${prefix}/token-expiration`]: '7200' }),
    expect: expires(7200),
  },
  {
    id: 'A-85',
    why: 'an unknown ServiceAccount that is listed gets neither flag',
    container: true,
    flags: { regionalSts: true, tokenExpirationSeconds: 1000n },
    expect: pod => {
      assert.deepEqual(names(first(pod)), ['AWS_CONTAINER_CREDENTIALS_FULL_URI', 'AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE'])
      assert.equal(source(pod)?.['expirationSeconds'], 79200)
    },
  },
  {
    id: 'A-86',
    why: 'half of the container pair by hand keeps it out, not the mount',
    account: {},
    container: true,
    pod: one({ env: [{ name: 'AWS_CONTAINER_CREDENTIALS_FULL_URI' }] }),
    expect: pod => {
      assert.equal(first(pod).env?.length, 1)
      assert.equal(first(pod).volumeMounts?.length, 1)
    },
  },
  {
    id: 'A-87',
    why: 'a role by hand does not block container credentials',
    account: {},
    container: true,
    pod: one({ env: [{ name: 'AWS_ROLE_ARN' }] }),
    expect: pod => assert.equal(first(pod).env?.length, 3),
  },
  {
    id: 'A-88',
    why: 'container credentials on Windows',
    account: {},
    container: true,
    pod: { kind: 'Pod', metadata: {}, spec: { nodeSelector: { 'kubernetes.io/os': 'windows' }, containers: [{ name: 'a' }] } },
    expect: pod =>
      assert.equal(
        first(pod).env?.[1]?.value,
        'C:\\var\\run\\secrets\\pods.eks.amazonaws.com\\serviceaccount\\eks-pod-identity-token',
      ),
  },
  {
    id: 'A-92',
    why: 'a name is completed to an ARN',
    account: { [`${prefix}/role-arn`]: 'my-role' },
    flags: { compose: { account: '111122223333', partition: 'aws-cn' } },
    expect: pod => assert.equal(first(pod).env?.[0]?.value, 'arn:aws-cn:iam::111122223333:role/my-role'),
  },
  {
    id: 'A-93',
    why: 'an ARN is not completed',
    account: roleOnly,
    flags: { compose: { account: '999999999999', partition: 'aws' } },
    expect: pod => assert.equal(first(pod).env?.[0]?.value, role),
  },
  {
    id: 'A-96',
    why: 'a Deployment names no ServiceAccount where a pod does, so it has no identity',
    account: undefined,
    object: { kind: 'Deployment', metadata: {}, spec: { template: { spec: { containers: [{ name: 'a' }] } } } },
    expect: untouched,
  },
  {
    id: 'A-101',
    why: 'a mirror pod is passed through',
    account: roleOnly,
    pod: annotated({ 'kubernetes.io/config.mirror': 'x' }),
    expect: untouched,
  },
]

for (const each of cases) {
  test(`${each.why} [${each.id}]`, () => {
    const { pod, patch, warnings, options } = admit(each)
    each.expect(pod, patch, warnings)
    const told = warnings.length
    const again = admitPod({ ...options, object: pod as unknown as PatchValue })
    assert.deepEqual(again, [], 'A-100: applied and sent again, nothing is added')
    if (patch.some(({ path }) => path.startsWith('/spec/volumes')))
      assert.equal(
        warnings.slice(told).some(warning => warning.startsWith('a volume of this name')),
        false,
      )
  })
}

function admit(each: Case): {
  pod: Pod
  patch: readonly AddOperation[]
  warnings: readonly string[]
  options: Parameters<typeof admitPod>[0]
} {
  const flags = { ...defaultAwsOptions, ...each.flags }
  const warnings: string[] = []
  const warn = (message: string): void => void warnings.push(message)
  const snapshot: IdentitySnapshot = {
    serviceAccount: each.account === undefined ? undefined : readServiceAccount(each.account, flags, warn),
    exactEntry: each.exact,
    wildcardEntry: each.wildcard,
    usesContainerCredentials: each.container ?? false,
  }
  const object = each.object ?? each.pod ?? one()
  const options = { object, snapshot, flags, randomBelow: () => each.random ?? 0, warn }
  const patch = admitPod(options)
  return { pod: applyAdds(object, patch) as Pod, patch, warnings, options }
}

/** What an API server makes of the patch: written apart from the engine that makes it. */
function applyAdds(object: PatchValue, patch: readonly AddOperation[]): unknown {
  const result = structuredClone(object) as Record<string, unknown>
  for (const { path, value } of patch) {
    const keys = path
      .slice(1)
      .split('/')
      .map(key => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    const last = keys.pop() as string
    const parent = keys.reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], result)
    if (Array.isArray(parent)) parent.splice(last === '-' ? parent.length : Number(last), 0, structuredClone(value))
    else (parent as Record<string, unknown>)[last] = structuredClone(value)
  }
  return result
}
