// What admission gives and refuses pods and claims: by limit ranges of the namespace, and by classes of priority. Both work some time
// after they were made, so they are waited for by tries of which the last is written down.
import { ok } from '../fixtures.ts'
import type { Script } from '../record.ts'
import type { Session } from '../session.ts'
import type { Json } from '../transcript.ts'

export const podAdmissionScripts: readonly Script[] = [
  { id: 'admission-limits', title: 'limit ranges', run: limits },
  { id: 'admission-limits-plain', title: 'a limit range that has nothing but a maximum', run: maximum },
  { id: 'admission-priority', title: 'classes of priority', run: priorities },
]

type Resources = { readonly limits?: Readonly<Record<string, string>>; readonly requests?: Readonly<Record<string, string>> }

function podOf(name: string, resources: readonly Resources[], rest: Readonly<Record<string, Json>> = {}): Json {
  const containers = resources.map((each, index) => ({ name: `c${index}`, image: 'example.com/c:1', resources: each }))
  const spec = { automountServiceAccountToken: false, containers, ...rest }
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec } as Json
}

function limitRange(name: string, items: readonly Json[]): Json {
  return { apiVersion: 'v1', kind: 'LimitRange', metadata: { name }, spec: { limits: items } } as Json
}

async function limits(s: Session): Promise<void> {
  const container = {
    type: 'Container',
    default: { cpu: '200m' },
    defaultRequest: { cpu: '100m', memory: '64Mi' },
    max: { cpu: '1' },
    min: { cpu: '50m' },
    maxLimitRequestRatio: { cpu: '4' },
  }
  const claims = { type: 'PersistentVolumeClaim', max: { storage: '10Gi' }, min: { storage: '1Gi' } }
  ok(await s.post(s.path('limitranges'), limitRange('limits', [container, { type: 'Pod', max: { cpu: '2' } }, claims])), 201)
  await waitFor(s, podOf('tried', [{ limits: { cpu: '2' } }]))
  const tries: readonly (readonly Resources[])[] = [
    [{}],
    [{ limits: { cpu: '2' } }],
    [{ requests: { cpu: '10m' } }],
    [{ limits: { cpu: '1' }, requests: { cpu: '100m' } }],
    [{ limits: { cpu: '400m' } }],
    [{ requests: { cpu: '300m' } }],
    [{ limits: { memory: '1Gi' } }],
    [{ limits: { cpu: '2' }, requests: { cpu: '10m' } }],
    [{ limits: { cpu: '1' }, requests: { cpu: '1' } }, { limits: { cpu: '1' }, requests: { cpu: '1' } }, {}],
    [{}, {}],
  ]
  for (const [index, resources] of tries.entries()) await s.post(`${s.path('pods')}?dryRun=All`, podOf(`p${index}`, resources))
  const init = { initContainers: [{ name: 'i', image: 'example.com/c:1' }] } as Record<string, Json>
  await s.post(`${s.path('pods')}?dryRun=All`, podOf('with-init', [{}], init))
  for (const storage of ['5Gi', '20Gi', '100Mi']) await s.post(`${s.path('persistentvolumeclaims')}?dryRun=All`, claim(storage))
}

async function maximum(s: Session): Promise<void> {
  ok(
    await s.post(s.path('limitranges'), limitRange('limits', [{ type: 'Pod', max: { memory: '1Gi' }, min: { cpu: '10m' } }])),
    201,
  )
  await waitFor(s, podOf('tried', [{}]))
  await s.post(`${s.path('pods')}?dryRun=All`, podOf('none', [{}]))
  await s.post(`${s.path('pods')}?dryRun=All`, podOf('large', [{ limits: { memory: '2Gi' }, requests: { cpu: '1m' } }]))
  await s.post(`${s.path('pods')}?dryRun=All`, podOf('fine', [{ limits: { memory: '1Gi', cpu: '1' } }]))
}

function claim(storage: string): Json {
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } }
  return { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'claim' }, spec }
}

async function priorities(s: Session): Promise<void> {
  const classes = s.clusterPath('priorityclasses.scheduling.k8s.io/v1')
  const made = (name: string, rest: object): Json =>
    ({ apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name }, ...rest }) as Json
  ok(await s.post(classes, made(`${s.ns}-high`, { value: 100, preemptionPolicy: 'Never' })), 201)
  const named = (name: string, rest: object = {}): Json => podOf('p', [{}], { priorityClassName: name, ...rest })
  await s.retry('POST', `${s.path('pods')}?dryRun=All`, ({ status }) => status === 201, { body: named(`${s.ns}-high`) })
  for (const pod of [
    named(`${s.ns}-high`),
    named('nobody'),
    named('system-cluster-critical'),
    named('system-node-critical'),
    named(`${s.ns}-high`, { priority: 100 }),
    named(`${s.ns}-high`, { priority: 5 }),
    named(`${s.ns}-high`, { preemptionPolicy: 'PreemptLowerPriority' }),
    podOf('p', [{}], { priority: 5 }),
    podOf('p', [{}]),
  ])
    await s.post(`${s.path('pods')}?dryRun=All`, pod)
  await s.post(classes, made('system-mine', { value: 1 }))
  await s.delete(`${classes}/${s.ns}-high`)
}

/** Until the pod is refused. */
async function waitFor(s: Session, pod: Json): Promise<void> {
  await s.retry('POST', `${s.path('pods')}?dryRun=All`, ({ status }) => status !== 201, { body: pod })
}
