// What a review is answered and what is told of it, by the snapshot that was taken.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogTo, ManualClock, seededRandom } from '#base'
import { Metrics } from '#runtime'
import type { PatchObject } from '../patch.ts'
import { webhookMetrics } from '../serve/metrics.ts'
import { type AwsWebhookOptions, defaultAwsOptions, type IdentitySnapshot, type ServiceAccountIdentity } from './api.ts'
import { decideReview } from './decide-review.ts'
import type { Snapshots, TakenSnapshot } from './snapshots.ts'

const account: ServiceAccountIdentity = { roleArn: 'r', audience: 'aud', regionalSts: false, expirationSeconds: 900n }
const plain: ServiceAccountIdentity = { ...account, roleArn: '' }
const prefix = 'eks.amazonaws.com'

interface Given {
  readonly snapshot?: Partial<IdentitySnapshot>
  readonly outcome?: TakenSnapshot['outcome']
  readonly lacks?: boolean
  readonly object?: PatchObject
  readonly warns?: boolean
  readonly verbosity?: number
  readonly flags?: Partial<AwsWebhookOptions>
  readonly isLate?: boolean
}

function podOf(annotations: PatchObject = {}, spec: PatchObject = {}): PatchObject {
  return { metadata: { name: 'p', annotations }, spec: { serviceAccountName: 'a', containers: [{ name: 'c' }], ...spec } }
}

function decide(given: Given) {
  const clock = new ManualClock()
  const metrics = new Metrics()
  const lines: [string, string, unknown][] = []
  const untold: unknown[] = []
  const asked: unknown[] = []
  const taken: TakenSnapshot = {
    snapshot: {
      serviceAccount: undefined,
      exactEntry: undefined,
      wildcardEntry: undefined,
      usesContainerCredentials: false,
      ...given.snapshot,
    },
    lacksPromisedRole: given.lacks ?? false,
    outcome: given.outcome ?? 'hit',
  }
  const snapshots = {
    take: (key: unknown, requires: unknown) => {
      asked.push([key, requires])
      return given.isLate === true ? Promise.resolve(taken) : taken
    },
  } as unknown as Snapshots
  const options = {
    snapshots,
    flags: { ...defaultAwsOptions, ...given.flags },
    random: seededRandom(1),
    clock,
    log: createLogTo({ clock }, (level, message, fields) => lines.push([level, message, fields])),
    metrics: webhookMetrics(metrics),
    warns: given.warns ?? false,
    verbosity: given.verbosity ?? 0,
    tellUnconfirmed: (who: unknown) => void untold.push(who),
  }
  const patience = { signal: new AbortController().signal, untilMs: 1_000 }
  const decision = decideReview(options, { namespace: 'ns', object: given.object ?? podOf() }, patience)
  const shown = (name: string): string | undefined => new RegExp(`^${name} (.*)$`, 'm').exec(metrics.expose())?.[1]
  return { decision, lines, untold, asked, shown }
}

const byWebIdentity = 'pod_identity_webhook_pod_count\\{method="sts_web_identity"\\}'
const byContainer = 'pod_identity_webhook_pod_count\\{method="container_credentials"\\}'

for (const [reason, given] of [
  ['sa_role', { snapshot: { serviceAccount: account } }],
  ['sa_role', { snapshot: { serviceAccount: account, exactEntry: account }, outcome: 'timeout' }],
  ['cm_role', { snapshot: { exactEntry: account } }],
  ['cm_role', { snapshot: { serviceAccount: plain, wildcardEntry: account }, outcome: 'error' }],
  ['container_credentials', { snapshot: { serviceAccount: account, usesContainerCredentials: true } }],
] as const satisfies readonly (readonly [string, Given])[])
  test(`a pod that is given something is counted, and the reason is ${reason} [§2.16]`, async () => {
    for (const isLate of [false, true]) {
      const { decision, shown, untold } = decide({ ...given, isLate })
      assert.equal(decision instanceof Promise, isLate)
      const { verdict, reason: said } = await decision
      assert.equal(said, reason)
      assert.ok(verdict.kind === 'allow' && verdict.operations.length > 0)
      const isContainer = reason === 'container_credentials'
      assert.deepEqual(
        [shown(byWebIdentity), shown(byContainer), shown('pod_identity_webhook_used'), untold],
        [isContainer ? undefined : '1', isContainer ? '1' : undefined, '1', []],
      )
    }
  })

for (const [reason, given] of [
  ['no_role', { snapshot: { serviceAccount: plain }, outcome: 'not_found' }],
  ['sa_unknown', { outcome: 'not_found' }],
  ['sa_unknown', { outcome: 'hit' }],
  ['lookup_timeout', { outcome: 'timeout' }],
  ['lookup_timeout', { snapshot: { serviceAccount: plain }, outcome: 'error' }],
  ['mirror_pod', { snapshot: { serviceAccount: account }, object: podOf({ 'kubernetes.io/config.mirror': '' }) }],
  ['already_complete', { snapshot: { serviceAccount: account }, object: { spec: null } }],
  ['already_complete', { snapshot: { exactEntry: account }, object: { spec: null } }],
  ['already_complete', { snapshot: { usesContainerCredentials: true }, object: { spec: null } }],
] as const satisfies readonly (readonly [string, Given])[])
  test(`a pod that is let in as it is has the reason ${reason}, and none of them is counted as mutated [§2.16]`, async () => {
    const { decision, shown, untold, asked } = decide(given)
    const { verdict, reason: said } = await decision
    assert.equal(said, reason)
    const isUntold = reason === 'lookup_timeout'
    const audit = { 'role-unconfirmed': 'the API server did not say in time whether the ServiceAccount has a role' }
    const allowed = { kind: 'allow', operations: [] }
    assert.deepEqual(verdict, reason === 'mirror_pod' ? allowed : { ...allowed, warnings: [], ...(isUntold ? { audit } : {}) })
    assert.deepEqual(
      [shown(byWebIdentity), shown('pod_identity_webhook_used'), shown('identity_webhook_unconfirmed_total\\{provider="aws"\\}')],
      [undefined, '0', isUntold ? '1' : undefined],
    )
    assert.deepEqual(untold, isUntold ? [{ namespace: 'ns', serviceAccount: 'a' }] : [])
    assert.equal(asked.length, reason === 'mirror_pod' ? 0 : 1)
  })

for (const [annotations, requires] of [
  [{}, false],
  [{ [`${prefix}/require-role`]: 'true' }, true],
  [{ [`${prefix}/require-role`]: 'false' }, false],
  [{ [`${prefix}/require-role`]: true }, false],
  [{ 'kubernetes.io/config.mirror': 7 }, false],
] as const)
  test(`a pod with annotations ${JSON.stringify(annotations)} ${requires ? 'requires' : 'does not require'} a role [S20]`, () => {
    assert.deepEqual(decide({ object: podOf(annotations) }).asked, [[{ namespace: 'ns', name: 'a' }, requires]])
  })

test('a pod whose role is promised and not there is refused, with the time to try again [S20]', async () => {
  const { decision, shown } = decide({
    lacks: true,
    outcome: 'timeout',
    object: podOf({}, { serviceAccountName: 'a'.repeat(300) }),
  })
  const { verdict, reason } = await decision
  assert.equal(reason, 'role_promised')
  assert.ok(verdict.kind === 'refuse')
  const { message, ...rest } = verdict
  assert.deepEqual(rest, { kind: 'refuse', code: 429, reason: 'TooManyRequests', retryAfterSeconds: 1 })
  assert.ok(message.startsWith(`the role of ServiceAccount ns/${'a'.repeat(256)} is promised or required but not there yet`))
  assert.deepEqual(
    [shown('pod_identity_webhook_used'), shown('identity_webhook_unconfirmed_total\\{provider="aws"\\}')],
    ['0', undefined],
  )
})

const odd = podOf({ [`${prefix}/token-expiration`]: 'x', [`${prefix}/skip-containers`]: 'c' })
const oddMessage = 'token-expiration is no number of seconds; it is ignored'

for (const [verbosity, messages] of [
  [2, []],
  [3, [['info', 'pod mutated', { pod: 'p' }]]],
  [
    4,
    [
      ['warn', oddMessage, { value: 'x' }],
      ['info', 'the annotations of the pod leave the container out', { container: 'c' }],
      ['info', 'pod mutated', { pod: 'p', reason: 'sa_role' }],
    ],
  ],
] as const)
  test(`at verbosity ${verbosity} ${messages.length} lines are written of a pod [§2.18]`, async () => {
    const { decision, lines } = decide({ snapshot: { serviceAccount: account }, object: odd, verbosity })
    await decision
    assert.deepEqual(
      lines,
      messages.map(([level, message, fields]) => [level, message, { ...fields, namespace: 'ns', serviceAccount: 'a' }]),
    )
  })

for (const [what, given, message] of [
  ['is refused', { lacks: true }, 'pod refused'],
  ['is let in as it is', { outcome: 'not_found' }, 'pod not mutated'],
  ['has no name yet', { object: { metadata: { generateName: 'p-' }, spec: { serviceAccountName: 'a' } } }, 'pod not mutated'],
] as const satisfies readonly (readonly [string, Given, string])[])
  test(`a line says of a pod that ${what}: ${message} [§2.18]`, async () => {
    const { decision, lines } = decide({ ...given, verbosity: 3 })
    await decision
    const pod = what === 'has no name yet' ? 'p-' : 'p'
    assert.deepEqual(lines, [['info', message, { pod, namespace: 'ns', serviceAccount: 'a' }]])
  })

test('names that are no texts are none', async () => {
  const { decision, lines, asked } = decide({ object: { metadata: { name: 7 }, spec: { serviceAccountName: 7 } }, verbosity: 3 })
  await decision
  assert.deepEqual(asked, [[{ namespace: 'ns', name: '' }, false]])
  assert.deepEqual(lines, [['info', 'pod not mutated', { pod: '', namespace: 'ns', serviceAccount: '' }]])
})

for (const warns of [false, true])
  test(`what is odd is ${warns ? '' : 'not '}told to whoever makes the pod; what will not work is in any case [§5.1]`, async () => {
    const mountPath = '/var/run/secrets/eks.amazonaws.com/serviceaccount'
    const containers = [{ name: 'c', volumeMounts: [{ name: 'x', mountPath }] }]
    const object = podOf({ [`${prefix}/token-expiration`]: 'x' }, { containers })
    const { decision, lines } = decide({ snapshot: { serviceAccount: account }, object, warns })
    const { verdict } = await decision
    const broken = 'something else is mounted where the token belongs: the container is given the role and no token for it'
    assert.ok(verdict.kind === 'allow')
    assert.deepEqual(verdict.warnings, [...(warns ? [`${oddMessage} (x)`] : []), `${broken} (c, ${mountPath})`])
    assert.deepEqual(lines, [['warn', broken, { container: 'c', path: mountPath, namespace: 'ns', serviceAccount: 'a' }]])
  })
