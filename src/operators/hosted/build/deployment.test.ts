// What the Deployment of the platform becomes, and when its pods are all of one template.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { azurePlane, kubeApiserver } from '../testing/hosted-world.ts'
import { ourChoices } from './choices.ts'
import { hasAnySidecar, isRolledOut, type KubeApiserver, withSidecar } from './deployment.ts'
import { platformOf } from './platform.ts'
import { providers } from './provider.ts'
import { buildSidecar, type Sidecar } from './sidecar.ts'

type Pod = KubeApiserver['spec']['template']['spec']

const { name, servingVolume, kubeconfigVolume } = providers.Azure

function sidecarOf(image: string): Sidecar {
  const answer = platformOf(azurePlane, ['Azure'])
  assert.ok(answer.kind === 'sidecar')
  return buildSidecar(answer.input, image, ourChoices)
}

function withPod(pod: Pod): KubeApiserver {
  const held = kubeApiserver() as KubeApiserver
  return { ...held, spec: { ...held.spec, template: { ...held.spec.template, spec: pod } } }
}

const podOf = ({ spec }: KubeApiserver): Pod => spec.template.spec
const bare = kubeApiserver() as KubeApiserver
const placed = withSidecar(bare, sidecarOf('one'))
const namesOf = (items: readonly { readonly name: string }[] | undefined): readonly string[] => (items ?? []).map(one => one.name)

const states: readonly (readonly [
  what: string,
  isOut: boolean,
  generation: number | undefined,
  replicas: number | undefined,
  status: KubeApiserver['status'],
])[] = [
  ['each pod is of the newest template', true, 2, 3, { observedGeneration: 2, updatedReplicas: 3, replicas: 3 }],
  ['a later generation was looked at', true, 2, 3, { observedGeneration: 3, updatedReplicas: 3, replicas: 3 }],
  ['one pod, as it is where no number is said', true, 1, undefined, { observedGeneration: 1, updatedReplicas: 1, replicas: 1 }],
  ['none is wanted and none is there', true, 1, 0, { observedGeneration: 1 }],
  ['nothing was ever counted and none is wanted', true, undefined, 0, {}],
  ['the change was not looked at yet', false, 2, 3, { observedGeneration: 1, updatedReplicas: 3, replicas: 3 }],
  ['nobody looked at it yet', false, 1, 0, {}],
  ['a pod of the new template is missing', false, 2, 3, { observedGeneration: 2, updatedReplicas: 2, replicas: 3 }],
  ['a pod of the old template is left', false, 2, 3, { observedGeneration: 2, updatedReplicas: 3, replicas: 4 }],
  ['nothing is said of it', false, 1, 1, undefined],
]

for (const [what, isOut, generation, replicas, status] of states)
  test(`the API server is ${isOut ? '' : 'not '}rolled out: ${what} [4.12]`, () => {
    const { spec } = bare
    const metadata = generation === undefined ? {} : { generation }
    const { replicas: _one, ...others } = spec
    const deployment = { ...bare, metadata, spec: replicas === undefined ? others : { ...others, replicas }, status }
    assert.equal(isRolledOut(deployment as KubeApiserver), isOut)
  })

test('one container or one volume of ours among others is enough to be a sidecar that is left [4.12]', () => {
  const others = [{ name: 'kube-apiserver' }, { name: 'logs' }]
  assert.equal(hasAnySidecar(withPod({ containers: others })), false)
  assert.equal(hasAnySidecar(withPod({ containers: others, volumes: others })), false)
  assert.equal(hasAnySidecar(withPod({ containers: [...others, { name }] })), true)
  assert.equal(hasAnySidecar(withPod({ containers: [...others, { name }], volumes: others })), true)
  assert.equal(hasAnySidecar(withPod({ containers: others, volumes: [...others, { name: kubeconfigVolume }] })), true)
})

test('what nobody has to change is the very object that was read', () => {
  assert.equal(withSidecar(placed, sidecarOf('one')), placed)
  assert.equal(withSidecar(bare, undefined), bare)
  const withoutVolumes = withPod({ containers: [{ name: 'kube-apiserver' }] })
  assert.equal(withSidecar(withoutVolumes, undefined), withoutVolumes)
})

test('what an API server fills into containers and probes is no change', () => {
  const { containers, volumes } = podOf(placed)
  const filled = containers.map(container => {
    if (container.name !== name) return container
    const probes = Object.entries(container).filter(([field]) => field.endsWith('Probe'))
    const filledIn = { timeoutSeconds: 1, successThreshold: 1, failureThreshold: 3 }
    const own = Object.fromEntries(probes.map(([field, probe]) => [field, { ...filledIn, ...(probe as unknown as object) }]))
    return { ...container, ...own, terminationMessagePath: '/dev/termination-log' }
  })
  const stored = withPod({ containers: filled, volumes: volumes ?? [] })
  assert.equal(withSidecar(stored, sidecarOf('one')), stored)
})

test('an edited container is put right at its place, and so is each volume [4.12, H-18]', () => {
  const { containers, volumes = [] } = podOf(placed)
  const last = { name: 'kms', image: 'kms:1' }
  const edited = withPod({ containers: [...containers, last], volumes: [...volumes, last] })
  const renewed = podOf(withSidecar(edited, sidecarOf('two')))
  assert.deepEqual(namesOf(renewed.containers), [...namesOf(containers), 'kms'])
  assert.deepEqual(
    renewed.containers.map(one => one === last || containers.includes(one)),
    [true, true, true, false, true],
    'only the sidecar is another',
  )
  assert.deepEqual(renewed.volumes, [...volumes, last])
  const swapped = volumes.map(volume => ({ name: volume.name, secret: { secretName: 'another' } }))
  assert.deepEqual(
    podOf(withSidecar(withPod({ containers, volumes: swapped.slice(3) }), sidecarOf('one'))).volumes?.slice(0, 2),
    [
      { name: servingVolume, secret: { secretName: providers.Azure.servingSecret, defaultMode: 0o640 } },
      { name: kubeconfigVolume, secret: { secretName: providers.Azure.kubeconfigSecret, defaultMode: 0o640 } },
    ],
  )
})

test('a sidecar that has lost its volumes gets them back, and volumes without a sidecar get it back [4.12]', () => {
  const { containers, volumes = [] } = podOf(placed)
  assert.deepEqual(
    podOf(withSidecar(withPod({ containers, volumes: podOf(bare).volumes ?? [] }), sidecarOf('one'))).volumes,
    volumes,
  )
  assert.deepEqual(
    podOf(withSidecar(withPod({ containers: podOf(bare).containers, volumes }), sidecarOf('one'))).containers,
    containers,
  )
})

test('switched off, the sidecar and its volumes go, and nothing else does [4.12, S-31]', () => {
  assert.deepEqual(podOf(withSidecar(placed, undefined)), podOf(bare))
  const { containers, volumes = [] } = podOf(placed)
  assert.deepEqual(
    namesOf(podOf(withSidecar(withPod({ containers, volumes: podOf(bare).volumes ?? [] }), undefined)).containers),
    ['kube-apiserver', 'konnectivity-server', 'audit-logs'],
  )
  assert.deepEqual(namesOf(podOf(withSidecar(withPod({ containers: podOf(bare).containers, volumes }), undefined)).volumes), [
    'logs',
    'kas-config',
    'tmp-dir',
  ])
})

test('the scratch volume is the platform’s own: one of that name and of another kind is not mounted', () => {
  const mountsOf = (volumes: readonly { readonly name: string }[]): readonly string[] => {
    const { containers } = podOf(withSidecar(withPod({ containers: [], volumes }), sidecarOf('one')))
    const [sidecar] = containers as readonly { readonly volumeMounts?: readonly { readonly name: string }[] }[]
    return namesOf(sidecar?.volumeMounts)
  }
  const own = [servingVolume, kubeconfigVolume]
  const scratch = { name: 'tmp-dir', emptyDir: {} }
  const cases = [
    [{ name: 'logs', emptyDir: {} }, scratch],
    [{ name: 'tmp-dir', configMap: {} }],
    [{ name: 'logs', emptyDir: {} }],
    [],
  ]
  assert.deepEqual(cases.map(mountsOf), [[...own, 'tmp-dir'], own, own, own])
})
