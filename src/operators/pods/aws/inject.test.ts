// What is added to a pod whose identity is decided, and what is told of what stands in its way.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AddOperation, PatchObject, PatchValue } from '../patch.ts'
import { type AwsWebhookOptions, defaultAwsOptions } from './api.ts'
import type { Injection } from './decide.ts'
import { inject } from './inject.ts'

const web: Injection = { method: 'web-identity', roleArn: 'r', audience: 'aud', expirationSeconds: 900n, regionalSts: false }
const agent: Injection = { ...web, method: 'container-credentials', roleArn: '' }
const mountPath = '/var/run/secrets/eks.amazonaws.com/serviceaccount'
const mount = { name: 'aws-iam-token', readOnly: true, mountPath }
const pair = [
  { name: 'AWS_ROLE_ARN', value: 'r' },
  { name: 'AWS_WEB_IDENTITY_TOKEN_FILE', value: `${mountPath}/token` },
]

interface Given {
  readonly pod?: PatchObject
  readonly injection?: Partial<Injection>
  readonly flags?: Partial<AwsWebhookOptions>
}

function injected({ pod = podOf(), injection, flags }: Given) {
  const told: [string, string, unknown][] = []
  const teller = (kind: string) => (message: string, fields: unknown) => void told.push([kind, message, fields])
  const tell = { broken: teller('broken'), warn: teller('warn'), note: teller('note') }
  const operations = inject(pod, { ...web, ...injection }, { ...defaultAwsOptions, ...flags }, tell)
  return { operations, told }
}

function podOf(container: PatchObject = {}, spec: PatchObject = {}, metadata: PatchObject = {}): PatchObject {
  return { metadata, spec: { containers: [{ name: 'c', ...container }], ...spec } }
}

/** What is added at a path: the value, or nothing. */
function at(operations: readonly AddOperation[], path: string): PatchValue | undefined {
  return operations.find(operation => operation.path === path)?.value
}

const left = 'a volume of this name is there already and holds no such token; it is left as it is'
const token = { path: 'token', audience: 'aud', expirationSeconds: 1 }

for (const [what, projected, injection, isOurs] of [
  ['our token', { sources: [{ serviceAccountToken: token }] }, {}, true],
  ['our token among others', { sources: [{ configMap: {} }, { serviceAccountToken: token }] }, {}, true],
  ['a token at another path', { sources: [{ serviceAccountToken: { ...token, path: 'other' } }] }, {}, false],
  ['a token for another audience', { sources: [{ serviceAccountToken: { ...token, audience: 'other' } }] }, {}, false],
  ['a token for no audience', { sources: [{ serviceAccountToken: { path: 'token' } }] }, {}, false],
  ['a token for no audience, as ours', { sources: [{ serviceAccountToken: { path: 'token' } }] }, { audience: '' }, true],
  ['a token that is none', { sources: [{ serviceAccountToken: ['token'] }] }, {}, false],
  ['no sources', {}, {}, false],
  ['nothing projected', undefined, {}, false],
] as const satisfies readonly (readonly [string, PatchObject | undefined, Partial<Injection>, boolean])[])
  test(`a volume of our name with ${what} is left as it is, and ${isOurs ? 'nothing is' : 'that is'} told [§9.1]`, () => {
    const { operations, told } = injected({
      pod: podOf({}, { volumes: [{ name: 'aws-iam-token', ...(projected && { projected }) }] }),
      injection,
    })
    assert.deepEqual(at(operations, '/spec/volumes/0') ?? at(operations, '/spec/volumes'), undefined)
    assert.deepEqual(told, isOurs ? [] : [['warn', left, { volume: 'aws-iam-token' }]])
  })

for (const [what, injection, flags, volume, env] of [
  [
    'a role',
    {},
    {},
    {
      name: 'aws-iam-token',
      projected: { sources: [{ serviceAccountToken: { audience: 'aud', expirationSeconds: 900, path: 'token' } }] },
    },
    pair,
  ],
  [
    'a role for no audience, with a region',
    { audience: '', regionalSts: true },
    { defaultRegion: 'eu-west-1' },
    { name: 'aws-iam-token', projected: { sources: [{ serviceAccountToken: { expirationSeconds: 900, path: 'token' } }] } },
    [
      { name: 'AWS_STS_REGIONAL_ENDPOINTS', value: 'regional' },
      { name: 'AWS_DEFAULT_REGION', value: 'eu-west-1' },
      { name: 'AWS_REGION', value: 'eu-west-1' },
      ...pair,
    ],
  ],
  [
    'container credentials',
    agent,
    {},
    {
      name: 'eks-pod-identity-token',
      projected: {
        sources: [{ serviceAccountToken: { audience: 'aud', expirationSeconds: 900, path: 'eks-pod-identity-token' } }],
      },
    },
    [
      { name: 'AWS_CONTAINER_CREDENTIALS_FULL_URI', value: 'http://169.254.170.23/v1/credentials' },
      {
        name: 'AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE',
        value: '/var/run/secrets/pods.eks.amazonaws.com/serviceaccount/eks-pod-identity-token',
      },
    ],
  ],
] as const satisfies readonly (readonly [string, Partial<Injection>, Partial<AwsWebhookOptions>, PatchValue, PatchValue])[])
  test(`by ${what} a pod is given a volume, and each container its variables and a mount that is only read`, () => {
    const { operations, told } = injected({ injection, flags })
    assert.deepEqual(at(operations, '/spec/volumes'), [volume])
    assert.deepEqual(at(operations, '/spec/containers/0/env'), env)
    const where = what === 'container credentials' ? defaultAwsOptions.containerCredentials.mountPath : mountPath
    assert.deepEqual(at(operations, '/spec/containers/0/volumeMounts'), [{ name: volume.name, readOnly: true, mountPath: where }])
    const label = { 'eks.amazonaws.com/pod-identity': 'enabled' }
    assert.deepEqual(at(operations, '/metadata/labels'), what === 'container credentials' ? label : undefined)
    assert.deepEqual(told, [])
  })

for (const [names, added, isNoted, isLeft] of [
  [[], ['AWS_STS_REGIONAL_ENDPOINTS', 'AWS_DEFAULT_REGION', 'AWS_REGION', ...pair.map(({ name }) => name)], false, false],
  [['AWS_REGION'], ['AWS_STS_REGIONAL_ENDPOINTS', ...pair.map(({ name }) => name)], false, false],
  [['AWS_STS_REGIONAL_ENDPOINTS'], ['AWS_DEFAULT_REGION', 'AWS_REGION', ...pair.map(({ name }) => name)], false, false],
  [['AWS_REGION', 'AWS_STS_REGIONAL_ENDPOINTS'], pair.map(({ name }) => name), false, false],
  [['AWS_ROLE_ARN'], ['AWS_STS_REGIONAL_ENDPOINTS', 'AWS_DEFAULT_REGION', 'AWS_REGION'], true, false],
  [['AWS_ROLE_ARN', 'AWS_DEFAULT_REGION'], ['AWS_STS_REGIONAL_ENDPOINTS'], true, false],
  [['AWS_WEB_IDENTITY_TOKEN_FILE', 'AWS_STS_REGIONAL_ENDPOINTS'], ['AWS_DEFAULT_REGION', 'AWS_REGION'], true, false],
  [['AWS_ROLE_ARN', 'AWS_DEFAULT_REGION', 'AWS_STS_REGIONAL_ENDPOINTS'], [], true, true],
] as const)
  test(`a container with ${names.join(', ') || 'no variable'} is given ${added.join(', ') || 'none'}${isLeft ? ', and no mount' : ''} [2.4]`, () => {
    const env = names.map(name => ({ name }))
    const flags = { defaultRegion: 'eu-west-1' }
    const { operations, told } = injected({ pod: podOf({ env }), injection: { regionalSts: true }, flags })
    const values = operations
      .filter(({ path }) => path === '/spec/containers/0/env/-')
      .map(({ value }) => (value as PatchObject)['name'])
    assert.deepEqual(values, added)
    assert.deepEqual(at(operations, '/spec/containers/0/volumeMounts'), isLeft ? undefined : [mount])
    const note = ['note', 'the variables are there already', { container: 'c', leftAlone: String(isLeft) }]
    assert.deepEqual(told, isNoted ? [note] : [])
  })

const elsewhere = 'something else is mounted where the token belongs: the container is given the role and no token for it'
const twice = 'something else is mounted where the token is mounted as well'

for (const [container, isMounted, kind, message] of [
  [{}, true],
  [{ volumeMounts: [{ name: 'x', mountPath: '/x' }, { name: 'y' }], volumeDevices: [{ name: 'z', devicePath: '/z' }] }, true],
  [{ volumeMounts: [{ name: 'aws-iam-token', mountPath: '/x' }] }, false],
  [
    {
      volumeMounts: [
        { name: 'y', mountPath: '/y' },
        { name: 'x', mountPath },
      ],
    },
    false,
    'broken',
    elsewhere,
  ],
  [{ volumeMounts: [{ name: 'x', mountPath }], env: [{ name: 'AWS_ROLE_ARN' }] }, false, 'warn', elsewhere],
  [
    {
      volumeDevices: [
        { name: 'y', devicePath: '/y' },
        { name: 'x', devicePath: mountPath },
      ],
    },
    false,
    'broken',
    elsewhere,
  ],
  [
    {
      volumeDevices: [
        { name: 'y', devicePath: '/y' },
        { name: 'aws-iam-token', devicePath: '/x' },
      ],
    },
    false,
    'broken',
    elsewhere,
  ],
  [
    {
      volumeMounts: [
        { name: 'y', mountPath: '/y' },
        { name: 'x', mountPath: `${mountPath}/` },
      ],
    },
    true,
    'warn',
    twice,
  ],
] as const satisfies readonly (readonly [PatchObject, boolean, string?, string?])[])
  test(`a container with ${JSON.stringify(container)} is ${isMounted ? '' : 'not '}given the mount${kind === undefined ? '' : `, and that is told as ${kind}`} [F-04]`, () => {
    const { operations, told } = injected({ pod: podOf(container) })
    const path = '/spec/containers/0/volumeMounts'
    assert.deepEqual(
      at(operations, `${path}/-`) ?? (at(operations, path) as PatchValue[] | undefined)?.[0],
      isMounted ? mount : undefined,
    )
    const where = { container: 'c', path: mountPath }
    assert.deepEqual(
      told.filter(([, said]) => said !== 'the variables are there already'),
      kind === undefined ? [] : [[kind, message, where]],
    )
  })

for (const [path, file] of [
  ['/a/b', '/a/b/token'],
  ['/a/b/', '/a/b/token'],
  ['/a//b', '/a/b/token'],
  ['/a/./b', '/a/b/token'],
  ['/a/../b', '/b/token'],
  ['/../b', '/b/token'],
  ['a/../b', 'b/token'],
  ['../a/../b', '../b/token'],
  ['../../a', '../../a/token'],
  ['', 'token'],
] as const)
  test(`the file of the token below ${JSON.stringify(path)} is ${file}, and on Windows with a drive and backslashes [A-63]`, () => {
    for (const [spec, value] of [
      [{}, file],
      [{ nodeSelector: { 'kubernetes.io/os': 'windows' } }, `C:${file.replaceAll('/', '\\')}`],
    ] as const) {
      const { operations } = injected({ pod: podOf({}, spec), flags: { tokenMountPath: path } })
      assert.deepEqual((at(operations, '/spec/containers/0/env') as PatchObject[])[1]?.['value'], value)
      assert.deepEqual(at(operations, '/spec/containers/0/volumeMounts'), [{ ...mount, mountPath: path }])
    }
  })

test('a mount path that leads nowhere is where one without a path is', () => {
  const { told } = injected({ pod: podOf({ volumeMounts: [{ name: 'x' }] }), flags: { tokenMountPath: 'a/..' } })
  assert.deepEqual(told, [['warn', twice, { container: 'c', path: 'a/..' }]])
})

for (const [spec, flags, isWindows] of [
  [{}, {}, false],
  [{ nodeSelector: { 'kubernetes.io/os': 'windows' } }, {}, true],
  [{ nodeSelector: { 'beta.kubernetes.io/os': 'windows' } }, {}, true],
  [{ nodeSelector: { 'kubernetes.io/os': 'linux' } }, {}, false],
  [{ nodeSelector: null, os: { name: 'windows' } }, {}, false],
  [{ os: { name: 'windows' } }, { windowsFromPodOs: true }, true],
  [{ os: { name: 'linux' } }, { windowsFromPodOs: true }, false],
  [{ os: null }, { windowsFromPodOs: true }, false],
] as const)
  test(`a pod with ${JSON.stringify(spec)}${'windowsFromPodOs' in flags ? ', whose system is looked at,' : ''} is ${isWindows ? '' : 'not '}one for Windows [A-62]`, () => {
    const { operations } = injected({ pod: podOf({}, spec), flags })
    const [, { value } = assert.fail()] = at(operations, '/spec/containers/0/env') as { readonly value: string }[]
    assert.equal(value.startsWith('C:'), isWindows)
  })

for (const [annotations, flags, given] of [
  [{}, {}, ['a', 'b']],
  [{ 'skip-containers': 'a' }, {}, ['b']],
  [{ 'include-containers': 'a' }, {}, ['a', 'b']],
  [{}, { onlyIncludedContainers: true }, []],
  [{ 'include-containers': 'a' }, { onlyIncludedContainers: true }, ['a']],
  [{ 'include-containers': 'a,b', 'skip-containers': 'a' }, { onlyIncludedContainers: true }, ['b']],
] as const)
  test(`of containers a and b, with ${JSON.stringify(annotations)}${'onlyIncludedContainers' in flags ? ' where only included ones are' : ''}, ${given.join(' and ') || 'none'} is changed, and of the others it is noted [2.2]`, () => {
    const names = ['a', 'b']
    const prefixed = Object.fromEntries(Object.entries(annotations).map(([name, value]) => [`eks.amazonaws.com/${name}`, value]))
    const pod = { metadata: { annotations: prefixed }, spec: { initContainers: names.map(name => ({ name })), containers: [] } }
    const { operations, told } = injected({ pod, flags })
    const changed = names.filter((_, index) => at(operations, `/spec/initContainers/${index}/env`) !== undefined)
    assert.deepEqual(changed, given)
    const others = names.filter(name => !changed.includes(name))
    const message = 'the annotations of the pod leave the container out'
    assert.deepEqual(
      told,
      others.map(container => ['note', message, { container }]),
    )
  })

test('what is no container is left, and the next one keeps its place', () => {
  const { operations } = injected({ pod: { metadata: {}, spec: { containers: [7, { name: 'c' }] } } })
  assert.deepEqual(
    operations.map(({ path }) => path),
    ['/spec/volumes', '/spec/containers/1/env', '/spec/containers/1/volumeMounts'],
  )
})

test('without metadata, or with labels of its own, a pod is labelled for container credentials [A-79, A-80]', () => {
  const label = 'eks.amazonaws.com/pod-identity'
  for (const [pod, path, value] of [
    [{ spec: { containers: [] } }, '/metadata', { labels: { [label]: 'enabled' } }],
    [podOf({}, {}, { labels: { l: 'x' } }), '/metadata/labels/eks.amazonaws.com~1pod-identity', 'enabled'],
  ] as const)
    assert.deepEqual(injected({ pod, injection: agent }).operations[0], { op: 'add', path, value })
})

test('pods of one role share what they are given, as far as the last thousand identities go; container credentials differ', () => {
  const flags = { ...defaultAwsOptions }
  const silent = { broken: () => {}, warn: () => {}, note: () => {} }
  const given = (injection: Injection, spec: PatchObject = {}): PatchValue | undefined =>
    (at(inject(podOf({}, spec), injection, flags, silent), '/spec/containers/0/volumeMounts') as PatchValue[])[0]
  const first = given(web)
  assert.equal(given({ ...web }), first)
  assert.notEqual(given(web, { nodeSelector: { 'kubernetes.io/os': 'windows' } }), first)
  assert.notEqual(given(agent), given(agent))
  for (let index = 0; index < 998; index++) given({ ...web, roleArn: `r${index}` })
  assert.equal(given(web), first)
  for (let index = 0; index < 999; index++) given({ ...web, roleArn: `s${index}` })
  assert.equal(given(web), first)
  for (let index = 0; index < 1_000; index++) given({ ...web, roleArn: `t${index}` })
  assert.notEqual(given(web), first)
})
