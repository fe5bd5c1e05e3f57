import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AdmissionAttributes } from '../admission.ts'
import { type Objects, pluginWorld } from '../requests.fixture.ts'
import { limitRanges } from './limit-ranges.ts'

const range = (name: string, limits: readonly object[], namespace = 'x'): Objects => ({
  kind: 'LimitRange',
  metadata: { name, namespace },
  spec: { limits },
})

interface Resources {
  readonly requests?: Readonly<Record<string, string>>
  readonly limits?: Readonly<Record<string, string>>
}

const container = (name: string, resources?: Resources): object => ({ name, ...(resources && { resources }) })
const pod = (containers: readonly object[], initContainers?: readonly object[]): object => ({
  metadata: { name: 'p' },
  spec: { containers, ...(initContainers && { initContainers }) },
})
const both = (requests: Readonly<Record<string, string>>, limits = requests): Resources => ({ requests, limits })

/** What is refused of it, or undefined. */
function refusal(
  ranges: readonly Objects[],
  resource: string,
  object: object,
  more: Partial<AdmissionAttributes> = {},
): string | undefined {
  const { plugin, request } = pluginWorld(limitRanges, ranges)
  try {
    plugin.validate?.(request(resource, object, more))
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^.* is forbidden: /, '') : 'no error'
  }
}

const ofContainer = (more: object): readonly Objects[] => [range('r', [{ type: 'Container', ...more }])]
const ofPod = (more: object): readonly Objects[] => [range('r', [{ type: 'Pod', ...more }])]
const least = 'minimum cpu usage per Container is 100m'
const most = 'maximum cpu usage per Container is 200m'
const ratio = 'cpu max limit to request ratio per Container is 2'

const rows: readonly (readonly [ranges: readonly Objects[], resources: Resources | undefined, wanted: string | undefined])[] = [
  [ofContainer({ min: { cpu: '100m' } }), undefined, `${least}.  No request is specified`],
  [ofContainer({ min: { cpu: '100m' } }), both({ cpu: '50m' }), `${least}, but request is 50m`],
  [ofContainer({ min: { cpu: '100m' } }), both({ cpu: '0.1' }), undefined],
  [ofContainer({ min: { cpu: '100m' } }), { requests: { cpu: '100m' } }, undefined],
  [ofContainer({ min: { cpu: '100m' } }), both({ cpu: '100m' }, { cpu: '50m' }), `${least}, but limit is 50m`],
  [ofContainer({ max: { cpu: '200m' } }), undefined, `${most}.  No limit is specified`],
  [ofContainer({ max: { cpu: '200m' } }), { limits: { cpu: '300m' } }, `${most}, but limit is 300m`],
  [ofContainer({ max: { cpu: '200m' } }), { limits: { cpu: '200m' } }, undefined],
  [ofContainer({ max: { cpu: '200m' } }), both({ cpu: '300m' }, { cpu: '200m' }), `${most}, but request is 300m`],
  [ofContainer({ max: { cpu: '200m' } }), both({ cpu: '200m' }), undefined],
  [ofContainer({ maxLimitRequestRatio: { cpu: '2' } }), both({ cpu: '2' }, { cpu: '4' }), undefined],
  [
    ofContainer({ maxLimitRequestRatio: { cpu: '2' } }),
    both({ cpu: '2' }, { cpu: '5' }),
    `${ratio}, but provided ratio is 2.500000`,
  ],
  [
    ofContainer({ maxLimitRequestRatio: { cpu: '2' } }),
    { limits: { cpu: '1' } },
    `${ratio}, but no request is specified or request is 0`,
  ],
  [
    ofContainer({ maxLimitRequestRatio: { cpu: '2' } }),
    { requests: { cpu: '1' } },
    `${ratio}, but no limit is specified or limit is 0`,
  ],
  [
    ofContainer({ min: { cpu: '100m', memory: '1Mi' } }),
    both({ cpu: '50m', memory: '1Ki' }),
    `[${least}, but request is 50m, minimum memory usage per Container is 1Mi, but request is 1Ki]`,
  ],
  [[range('r', [{ type: 'Container', min: { cpu: '100m' } }], 'y')], undefined, undefined],
  [[range('a', []), range('b', [{ type: 'Container', min: { cpu: '100m' } }])], undefined, `${least}.  No request is specified`],
  [[{ kind: 'LimitRange', metadata: { name: 'r', namespace: 'x' } }], undefined, undefined],
]
for (const [ranges, resources, wanted] of rows)
  test(`of a container with ${JSON.stringify(resources ?? {})}: ${wanted ?? 'nothing'} (${JSON.stringify(ranges)})`, () => {
    assert.equal(refusal(ranges, '/v1/pods', pod([container('c', resources)])), wanted)
    assert.equal(refusal(ranges, '/v1/pods', pod([container('c', resources), container('d', resources)])), wanted, 'told once')
  })

test('a container before the others is bound as well', () => {
  const ranges = ofContainer({ max: { cpu: '200m' } })
  const containers = [container('c', both({ cpu: '100m' }))]
  assert.equal(
    refusal(ranges, '/v1/pods', pod(containers, [container('i', both({ cpu: '300m' }))])),
    `${most}, but limit is 300m`,
  )
})

for (const [containers, before, told] of [
  [['100m', '150m'], [], undefined],
  [['100m', '250m'], [], '350m'],
  [['100m', '150m'], ['300m'], undefined],
  [['100m', '150m'], ['100m', '400m', '200m'], '400m'],
] as const)
  test(`a pod of ${containers.join(' and ')}, ${before.join(' and ') || 'nothing'} before, asks ${told === undefined ? 'not too much' : `for ${told}`}`, () => {
    const asking = (cpu: string, index: number): object => container(`c${index}`, both({ cpu }))
    const wanted = told === undefined ? undefined : `maximum cpu usage per Pod is 300m, but limit is ${told}`
    assert.equal(refusal(ofPod({ max: { cpu: '300m' } }), '/v1/pods', pod(containers.map(asking), before.map(asking))), wanted)
  })

test('a pod is told in the form of its amounts', () => {
  const ranges = ofPod({ max: { memory: '1Gi' } })
  const asking = (...amounts: readonly string[]): object =>
    pod(amounts.map((memory, index) => container(`c${index}`, both({ memory }))))
  const said = 'maximum memory usage per Pod is 1Gi, but limit is'
  assert.equal(refusal(ranges, '/v1/pods', asking('1Gi', '1Gi')), `${said} 2Gi`)
  assert.equal(refusal(ranges, '/v1/pods', asking('1G', '1G')), `${said} 2G`)
})

test('a claim is bound by what it requests', () => {
  const ranges = [
    range('r', [
      { type: 'PersistentVolumeClaim', min: { storage: '2Gi' }, max: { storage: '4Gi' } },
      { type: 'Pod', max: { storage: '1' } },
    ]),
  ]
  const resource = '/v1/persistentvolumeclaims'
  const claim = (storage: string): object => ({ metadata: { name: 'c' }, spec: { resources: { requests: { storage } } } })
  const said = 'usage per PersistentVolumeClaim is'
  assert.equal(refusal(ranges, resource, claim('2Gi')), undefined)
  assert.equal(refusal(ranges, resource, claim('4Gi')), undefined)
  assert.equal(refusal(ranges, resource, claim('1Gi')), `minimum storage ${said} 2Gi, but request is 1Gi`)
  assert.equal(refusal(ranges, resource, claim('5Gi')), `maximum storage ${said} 4Gi, but request is 5Gi`)
  assert.equal(
    refusal(ranges, resource, claim('5Gi'), { operation: 'UPDATE' }),
    `maximum storage ${said} 4Gi, but request is 5Gi`,
  )
  assert.equal(refusal(ranges, resource, claim('5Gi'), { operation: 'UPDATE', subresource: 'status' }), undefined)
  assert.equal(refusal(ranges, resource, claim('5Gi'), { operation: 'DELETE' }), undefined)
  assert.equal(refusal(ranges, resource, { metadata: { name: 'c' } }), `minimum storage ${said} 2Gi.  No request is specified`)
})

test('what is no new pod is not bound', () => {
  const ranges = ofContainer({ min: { cpu: '100m' }, default: { cpu: '1' } })
  const object = pod([container('c')])
  for (const [resource, more] of [
    ['/v1/pods', { operation: 'UPDATE' }],
    ['/v1/pods', { subresource: 'eviction' }],
    ['/v1/podtemplates', {}],
  ] as const) {
    assert.equal(refusal(ranges, resource, object, more), undefined)
    const { plugin, request } = pluginWorld(limitRanges, ranges)
    assert.equal(plugin.mutate?.(request(resource, object, more)), object)
  }
})

test('a container that says nothing asks for what the ranges say, with a note on the pod', () => {
  const ranges = [
    range('a', [
      { type: 'Container', default: { cpu: '1', memory: '1Gi' }, defaultRequest: { memory: '1Mi', cpu: '1m' } },
      { type: 'Pod', default: { other: '1' } },
    ]),
  ]
  const { plugin, request } = pluginWorld(limitRanges, ranges)
  const given = pod(
    [container('c'), container('d', { requests: { cpu: '2m' }, limits: { cpu: '2', memory: '2Gi' } })],
    [container('i')],
  )
  const changed = plugin.mutate?.(request('/v1/pods', given))
  const whole = { requests: { memory: '1Mi', cpu: '1m' }, limits: { cpu: '1', memory: '1Gi' } }
  assert.deepEqual(changed?.spec, {
    containers: [
      { name: 'c', resources: whole },
      { name: 'd', resources: { requests: { memory: '1Mi', cpu: '2m' }, limits: { cpu: '2', memory: '2Gi' } } },
    ],
    initContainers: [{ name: 'i', resources: whole }],
  })
  assert.equal(
    changed?.metadata.annotations?.['kubernetes.io/limit-ranger'],
    'LimitRanger plugin set: cpu, memory request for container c; cpu, memory limit for container c; memory request for container d; cpu, memory request for init container i; cpu, memory limit for init container i',
  )
  const full = pod([container('c', whole)])
  assert.equal(plugin.mutate?.(request('/v1/pods', full)), full)
})
