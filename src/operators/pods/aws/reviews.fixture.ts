// Random pods, identities and flags, and what must hold of what is added to them: for the properties beside the code and for the fuzzer.
import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import type { AddOperation, PatchObject, PatchValue } from '../patch.ts'
import {
  type AwsWebhookOptions,
  type ConfigMapEntry,
  defaultAwsOptions,
  type IdentitySnapshot,
  type ServiceAccountIdentity,
} from './api.ts'

const prefix = 'eks.amazonaws.com'

const names = fc.constantFrom('a', 'b', 'c', 'a, b', 'x"y', '')
const unknown = fc.dictionary(
  fc.constantFrom('futureField', 'x', 'resources', '__proto__', 'a/b~c'),
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<PatchValue>,
  { maxKeys: 2 },
)
const env = fc.array(
  fc.record({
    name: fc.constantFrom(
      'A',
      'AWS_REGION',
      'AWS_DEFAULT_REGION',
      'AWS_ROLE_ARN',
      'AWS_WEB_IDENTITY_TOKEN_FILE',
      'AWS_STS_REGIONAL_ENDPOINTS',
      'AWS_CONTAINER_CREDENTIALS_FULL_URI',
    ),
    value: fc.string({ maxLength: 3 }),
  }),
  { maxLength: 4 },
)
const paths = fc.constantFrom(
  '/x',
  '/y',
  '/var/run/secrets/eks.amazonaws.com/serviceaccount',
  '/var/run/secrets/eks.amazonaws.com/serviceaccount/',
  '/var/run/secrets/pods.eks.amazonaws.com/serviceaccount',
)
const volumeNames = fc.constantFrom('v', 'w', 'aws-iam-token', 'eks-pod-identity-token')
const absent = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | null | undefined> =>
  fc.oneof({ weight: 4, arbitrary: of }, fc.constant(null), fc.constant(undefined))
/** Valid as far as mounts go: each names a volume of the pod, no path twice, letter by letter as the API server compares them. */
const mounts = fc.uniqueArray(fc.record({ name: fc.constantFrom('v', 'w'), mountPath: paths }), {
  maxLength: 2,
  selector: ({ mountPath }) => mountPath,
})
const container = fc
  .tuple(fc.record({ name: names, env: absent(env), volumeMounts: absent(mounts) }), unknown)
  .map(([known, more]) => withoutUndefined({ ...more, ...known }))
export const pods: fc.Arbitrary<PatchObject> = fc
  .record({
    metadata: absent(
      fc.record({
        labels: absent(
          fc.dictionary(fc.constantFrom('l', 'eks.amazonaws.com/pod-identity', '__proto__'), fc.constantFrom('x', 'enabled')),
        ),
        annotations: absent(
          fc.dictionary(
            fc.constantFrom(`${prefix}/token-expiration`, `${prefix}/skip-containers`, 'constructor'),
            fc.constantFrom('900', 'x', '-1', '99999999999', 'a', 'a,b', '"a"', 'a"b'),
          ),
        ),
      }),
    ),
    spec: fc.record({
      containers: fc.array(container, { maxLength: 3 }),
      initContainers: absent(fc.array(container, { maxLength: 2 })),
      ephemeralContainers: absent(fc.array(container, { maxLength: 1 })),
      volumes: fc
        .uniqueArray(volumeNames, { maxLength: 4 })
        .map(list => [...new Set(['v', 'w', ...list])].map(name => ({ name, emptyDir: {} }))),
      nodeSelector: absent(fc.dictionary(fc.constantFrom('kubernetes.io/os', 'x'), fc.constantFrom('windows', 'linux'))),
    }),
    status: fc.constant({}),
  })
  .map(value => withoutUndefined(value) as PatchObject)
const entry: fc.Arbitrary<ConfigMapEntry> = fc.record({
  roleArn: fc.constantFrom('', 'arn:aws:iam::111122223333:role/cm'),
  audience: fc.constantFrom('', 'aud'),
  regionalSts: fc.boolean(),
  expirationSeconds: fc.constantFrom(0n, 300n, 7_200n, 86_400n),
})
const account: fc.Arbitrary<ServiceAccountIdentity> = fc.record({
  roleArn: fc.constantFrom('', 'arn:aws:iam::111122223333:role/sa'),
  audience: fc.constantFrom('', 'sts.amazonaws.com'),
  regionalSts: fc.boolean(),
  expirationSeconds: fc.constantFrom(600n, 86_400n),
})
export const snapshots: fc.Arbitrary<IdentitySnapshot> = fc.record({
  serviceAccount: fc.option(account, { nil: undefined }),
  exactEntry: fc.option(entry, { nil: undefined }),
  wildcardEntry: fc.option(entry, { nil: undefined }),
  usesContainerCredentials: fc.boolean(),
})
export const flagSets: fc.Arbitrary<AwsWebhookOptions> = fc
  .record({
    defaultRegion: fc.constantFrom('', 'eu-west-1'),
    windowsFromPodOs: fc.boolean(),
    configMapDefaultAudience: fc.boolean(),
  })
  .map(more => ({ ...defaultAwsOptions, ...more }))

/** Operations are additions at the known places (§6.2). */
export function assertAdditions(operations: readonly AddOperation[]): void {
  for (const { op, path } of operations) {
    assert.equal(op, 'add')
    assert.match(
      path,
      /^\/metadata($|\/labels($|\/))|^\/spec\/volumes($|\/0$)|^\/spec\/(initC|c)ontainers\/\d+\/(env|volumeMounts)($|\/-$)/,
    )
  }
}

interface Container {
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[] | null
}

/** T-03: volume names stay unique, mount paths stay unique in each container, and each mount has its volume. */
export function assertMounts(pod: unknown): void {
  const { spec } = pod as {
    spec: { volumes: { name: string }[]; containers: Container[]; initContainers?: Container[] | null }
  }
  const volumes = spec.volumes.map(({ name }) => name)
  assert.equal(new Set(volumes).size, volumes.length)
  for (const { volumeMounts } of [...spec.containers, ...(spec.initContainers ?? [])]) {
    const at = (volumeMounts ?? []).map(({ mountPath }) => mountPath)
    assert.equal(new Set(at).size, at.length)
    for (const { name } of volumeMounts ?? []) assert.ok(volumes.includes(name))
  }
}

/** Everything of `before` is in `after`: lists keep their items in order, with others before and behind. */
export function assertContains(after: PatchValue | undefined, before: PatchValue | undefined, path: readonly string[]): void {
  const where = path.join('.')
  if (path.join('/') === 'metadata/labels/eks.amazonaws.com/pod-identity') return
  // A null list or map counts as missing and may be replaced by one.
  if (before === null || before === undefined) return
  if (Array.isArray(before)) {
    assert.ok(Array.isArray(after), where)
    const shift = path.at(-1) === 'volumes' ? after.length - before.length : 0
    for (const [index, item] of before.entries())
      assertContains((after as PatchValue[])[index + shift], item as PatchValue, [...path, String(index)])
  } else if (typeof before === 'object') {
    assert.ok(typeof after === 'object' && after !== null, where)
    for (const [key, value] of Object.entries(before)) {
      const got = Object.getOwnPropertyDescriptor(after, key)?.value as PatchValue
      assertContains(got, value as PatchValue, [...path, key])
    }
  } else assert.deepEqual(after, before, where)
}

export function reversed(value: PatchValue): PatchValue {
  if (Array.isArray(value)) return value.map(item => reversed(item as PatchValue))
  if (typeof value !== 'object' || value === null) return value
  return fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, reversed(item as PatchValue)]),
  )
}

function withoutUndefined(value: unknown): PatchValue {
  return JSON.parse(JSON.stringify(value)) as PatchValue
}

/** Keeps a key called `__proto__` as a key. */
function fromEntries(entries: readonly (readonly [string, PatchValue])[]): PatchObject {
  return JSON.parse(
    `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',')}}`,
  ) as PatchObject
}
