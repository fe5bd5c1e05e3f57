// Drift against what the existing operator answers for the same pairs, and what this one looks at besides.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isEqualJson } from '#runtime'
import { noVectors, readVectors } from '../testing/vectors.fixture.ts'
import type { Container, DeploymentSpec } from './deployment.ts'
import { repaired } from './drift.ts'

const vectors = readVectors()
const skip = vectors === undefined ? noVectors : false

test('a recorded pair is judged as it was, with the mode of projected volumes ignored [21.3]', { skip }, () => {
  for (const { id, current, desired, changedWhenProjectedModeIgnored, mutationsOnlyTheSpecCompares } of vectors?.drift ?? []) {
    const spec = repaired(current, desired)
    const isOnlyOurs = mutationsOnlyTheSpecCompares !== undefined && hasOwnDifference(current, desired)
    assert.equal(spec !== undefined, changedWhenProjectedModeIgnored || isOnlyOurs, id)
  }
})

test('what a recorded Deployment is repaired to is what it was repaired to', { skip }, () => {
  for (const { id, current, desired, updated, changedWhenProjectedModeIgnored, mutationsOnlyTheSpecCompares } of vectors?.drift ??
    []) {
    if (updated === undefined || !changedWhenProjectedModeIgnored || mutationsOnlyTheSpecCompares !== undefined) continue
    const spec = repaired(current, desired)
    assert.ok(spec !== undefined, id)
    assert.deepEqual(comparable(spec), comparable(updated), id)
  }
})

test('what was repaired is well, and so is what was built with what an API server fills in', { skip }, () => {
  for (const { id, current, desired } of vectors?.drift ?? []) {
    const once = repaired(current, desired) ?? current
    assert.equal(repaired(once, desired), undefined, id)
    assert.equal(repaired(desired, desired), undefined, id)
  }
})

test('a variable whose source somebody changed is put back, and so is one that became a plain value [19.6]', () => {
  const from = (key: string): object => ({ secretKeyRef: { name: 'external-dns-credentials-blue', key } })
  const specWith = (variable: object): DeploymentSpec => {
    const container = { name: 'external-dns', image: 'x', env: [{ name: 'PASSWORD', ...variable }] }
    const template = { metadata: {}, spec: { serviceAccountName: 'x', containers: [container] } }
    const spec = { replicas: 1, strategy: { type: 'Recreate' }, selector: { matchLabels: {} }, template }
    return spec as unknown as DeploymentSpec
  }
  const wanted = specWith({ valueFrom: from('password') })
  for (const other of [{ valueFrom: from('another') }, { value: 'plain' }])
    assert.deepEqual(repaired(specWith(other), wanted)?.template.spec.containers[0]?.env, [
      { name: 'PASSWORD', valueFrom: from('password') },
    ])
  assert.equal(repaired(wanted, wanted), undefined)
})

/** A mutation may hit nothing: whether anything differs in what only this operator compares. */
function hasOwnDifference(current: DeploymentSpec, desired: DeploymentSpec): boolean {
  const view = ({ template: { metadata, spec } }: DeploymentSpec): unknown => [
    metadata?.labels,
    spec.nodeSelector,
    spec.tolerations,
    spec.containers.map(({ ports = [], env = [], resources = {} }) => [ports, env.map(({ valueFrom }) => valueFrom), resources]),
  ]
  return !isEqualJson(view(current), view(desired))
}

/** The order of appended things is no contract; the projected mode is ignored here and was not there. */
function comparable(spec: DeploymentSpec): unknown {
  const byName = <T extends { readonly name: string }>(list: readonly T[] = []): readonly T[] =>
    list.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const { spec: pod, ...template } = spec.template
  const volumes = byName(pod.volumes).map(volume => {
    const { projected } = volume as { readonly projected?: { readonly defaultMode?: number } }
    if (projected === undefined) return volume
    const { defaultMode: _mode, ...rest } = projected
    return { ...volume, projected: rest }
  })
  const containers: readonly Container[] = byName(pod.containers)
  return { ...spec, template: { ...template, spec: { ...pod, volumes, containers } } }
}

test('a strategy is kept where it is the one that is wanted, and replaced with what another one left in it', () => {
  const specWith = (strategy: object | undefined): DeploymentSpec => {
    const template = { metadata: {}, spec: { serviceAccountName: 'x', containers: [] } }
    return { replicas: 1, strategy, selector: { matchLabels: {} }, template } as unknown as DeploymentSpec
  }
  const recreate = { type: 'Recreate' }
  const rolling = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } }
  for (const [current, wanted, repairedTo] of [
    [recreate, recreate, undefined],
    [{ type: 'Recreate', rollingUpdate: null }, recreate, undefined],
    [{ type: 'Recreate', rollingUpdate: {} }, recreate, recreate],
    [rolling, recreate, recreate],
    [{ type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%' } }, rolling, undefined],
    [recreate, rolling, rolling],
    [undefined, recreate, recreate],
  ] as const)
    assert.deepEqual(repaired(specWith(current), specWith(wanted))?.strategy, repairedTo, JSON.stringify([current, wanted]))
})

/** One container in one pod, and what differs in them. */
function spec(pod: object = {}, container: object = {}, more: object = {}): DeploymentSpec {
  const template = { spec: { serviceAccountName: 'x', ...pod, containers: [{ name: 'a', image: 'i', ...container }] } }
  return {
    replicas: 1,
    strategy: { type: 'Recreate' },
    selector: { matchLabels: {} },
    template,
    ...more,
  } as unknown as DeploymentSpec
}

const volume = (name: string, more: object = {}): object => ({ name, secret: { secretName: name, ...more } })
const mount = (mountPath: string, more: object = {}): object => ({ name: 'v', mountPath, ...more })
const toleration = { key: 'k', operator: 'Exists', effect: 'NoSchedule' }
const reversed = Object.fromEntries(Object.entries(toleration).reverse())
const security = (more: object): object => ({ securityContext: more })
const drop = { capabilities: { drop: ['ALL'] } }

/** What there is, what is wanted, and whether that is put in the place of it. */
const pairs: readonly (readonly [what: string, current: DeploymentSpec, wanted: DeploymentSpec, isMended: boolean])[] = [
  ['a number of replicas that nobody names is one', spec({}, {}, { replicas: 3 }), spec({}, {}, { replicas: undefined }), true],
  ['one replica is none too many', spec(), spec({}, {}, { replicas: undefined }), false],
  ['two replicas that are wanted stay', spec({}, {}, { replicas: 2 }), spec({}, {}, { replicas: 2 }), false],
  ['a volume that is missing comes', spec(), spec({ volumes: [volume('v')] }), true],
  ['a volume that somebody added stays', spec({ volumes: [volume('other')] }), spec(), false],
  [
    'a volume of another Secret is put right',
    spec({ volumes: [volume('v', { secretName: 'x' })] }),
    spec({ volumes: [volume('v')] }),
    true,
  ],
  [
    'the mode of a volume is nobody’s wish',
    spec({ volumes: [volume('v', { defaultMode: 420 })] }),
    spec({ volumes: [volume('v')] }),
    false,
  ],
  ['an empty list of volumes is none', spec({ volumes: [] }), spec(), false],
  ['a mount that is missing comes', spec(), spec({}, { volumeMounts: [mount('/x')] }), true],
  ['an empty list of mounts is none', spec({}, { volumeMounts: [] }), spec(), false],
  ['a mount elsewhere is put right', spec({}, { volumeMounts: [mount('/y')] }), spec({}, { volumeMounts: [mount('/x')] }), true],
  [
    'a mount that may be written is put right',
    spec({}, { volumeMounts: [mount('/x')] }),
    spec({}, { volumeMounts: [mount('/x', { readOnly: true })] }),
    true,
  ],
  [
    'a mount that only may be read is put right',
    spec({}, { volumeMounts: [mount('/x', { readOnly: true })] }),
    spec({}, { volumeMounts: [mount('/x')] }),
    true,
  ],
  [
    'a mount that says it may be written is as good',
    spec({}, { volumeMounts: [mount('/x', { readOnly: false })] }),
    spec({}, { volumeMounts: [mount('/x')] }),
    false,
  ],
  ['an empty priority is none', spec({ priorityClassName: '' }), spec(), false],
  ['a selector of nodes that is null is none', spec({ nodeSelector: null }), spec(), false],
  ['a priority that nobody wants goes', spec({ priorityClassName: 'high' }), spec(), true],
  [
    'tolerations and their fields are in any order',
    spec({ tolerations: [{ key: 'a' }, reversed] }),
    spec({ tolerations: [toleration, { key: 'a' }] }),
    false,
  ],
  [
    'a toleration twice is one too many',
    spec({ tolerations: [toleration, toleration] }),
    spec({ tolerations: [toleration] }),
    true,
  ],
  ['the older name of the account is kept in step', spec({ serviceAccount: 'y' }), spec(), true],
  ['the older name of the account is no difference', spec({ serviceAccount: 'x' }), spec(), false],
  ['a security context that is missing comes', spec(), spec({}, security({ privileged: false })), true],
  [
    'what somebody added to the security context stays',
    spec({}, security({ privileged: false, readOnlyRootFilesystem: true })),
    spec({}, security({ privileged: false })),
    false,
  ],
  ['a privilege is taken away', spec({}, security({ privileged: true })), spec({}, security({ privileged: false })), true],
  ['a capability that is not dropped is', spec({}, security({})), spec({}, security(drop)), true],
  [
    'a capability that somebody added goes',
    spec({}, security({ capabilities: { add: ['NET_ADMIN'], drop: ['ALL'] } })),
    spec({}, security(drop)),
    true,
  ],
  [
    'capabilities in any order are the same',
    spec({}, security({ capabilities: { add: [], drop: ['B', 'A'] } })),
    spec({}, security({ capabilities: { drop: ['A', 'B'] } })),
    false,
  ],
  [
    'a profile that nobody wants stays',
    spec({}, security({ seccompProfile: { type: 'Unconfined' } })),
    spec({}, security({})),
    false,
  ],
  [
    'another profile is put right',
    spec({}, security({ seccompProfile: { type: 'Unconfined' } })),
    spec({}, security({ seccompProfile: { type: 'RuntimeDefault' } })),
    true,
  ],
  ['a security context of which nothing is wanted stays', spec({}, security({ privileged: true })), spec(), false],
  [
    'an empty variable is as good as one without a value',
    spec({}, { env: [{ name: 'A', value: '' }] }),
    spec({}, { env: [{ name: 'A' }] }),
    false,
  ],
  [
    'variables in another order are the same',
    spec({}, { env: [{ name: 'A', value: '1' }, { name: 'B' }] }),
    spec({}, { env: [{ name: 'B' }, { name: 'A', value: '1' }] }),
    false,
  ],
  ['a variable that somebody added goes', spec({}, { env: [{ name: 'A', value: '1' }] }), spec(), true],
  ['an argument twice is one too many', spec({}, { args: ['--a', '--a'] }), spec({}, { args: ['--a'] }), true],
]

for (const [what, current, wanted, isMended] of pairs)
  test(`${what}${isMended ? ', and then all is well' : ''}`, () => {
    const once = repaired(current, wanted)
    assert.equal(once !== undefined, isMended)
    if (once !== undefined) assert.equal(repaired(once, wanted), undefined)
  })

test('what a template says of itself is kept, what is wanted comes to it, and nothing comes where nothing is said', () => {
  const labelled = (metadata: object | undefined): DeploymentSpec => {
    const { template, ...rest } = spec()
    return { ...rest, template: { ...template, ...(metadata && { metadata }) } } as unknown as DeploymentSpec
  }
  const metadataOf = (current: object | undefined, wanted: object | undefined): unknown => {
    const there = labelled(current)
    return repaired({ ...there, replicas: 3 }, labelled(wanted))?.template.metadata
  }
  assert.equal(metadataOf(undefined, undefined), undefined)
  assert.deepEqual(metadataOf({}, undefined), {})
  assert.deepEqual(metadataOf(undefined, { labels: { a: 'b' } }), { labels: { a: 'b' } })
  const theirs = { labels: { a: 'x', c: 'd' }, annotations: { e: 'f' } }
  assert.deepEqual(metadataOf(theirs, { labels: { a: 'b' } }), { labels: { a: 'b', c: 'd' }, annotations: { e: 'f' } })
})

test('containers keep their places, what is new comes last, and of others only those that are listed stay', () => {
  const of = (...names: readonly string[]): DeploymentSpec => {
    const { template, ...rest } = spec()
    return {
      ...rest,
      template: { ...template, spec: { ...template.spec, containers: names.map(name => ({ name, image: 'i' })) } },
    }
  }
  const namesOf = (current: DeploymentSpec, wanted: DeploymentSpec, ...kept: readonly string[]): unknown =>
    repaired(current, wanted, new Set(kept))?.template.spec.containers.map(({ name }) => name)
  assert.equal(namesOf(of('c', 'b', 'a'), of('a', 'b', 'c')), undefined)
  assert.deepEqual(namesOf(of('a'), of('a', 'c'), 'a'), ['a', 'c'])
  assert.deepEqual(namesOf(of('b', 'a'), of('a', 'c', 'b')), ['b', 'a', 'c'])
  assert.deepEqual(namesOf(of('x', 'a', 'y'), of('a'), 'x', 'a'), ['x', 'a'])
  assert.equal(namesOf(of('x', 'a'), of('a'), 'x', 'a'), undefined)
})
