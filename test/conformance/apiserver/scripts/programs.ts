// What programs of others were seen to write, and what a real server makes of it: times with fractions and offsets, paths of columns with
// spaces, secrets of accounts by more than their names, images of strange names.
import type { Script } from '../record.ts'
import type { Session } from '../session.ts'
import type { Json } from '../transcript.ts'

export const programScripts: readonly Script[] = [
  { id: 'program-times', title: 'times in other forms than they are kept in', run: times },
  { id: 'program-columns', title: 'columns and scales at odd paths', run: columns },
  { id: 'program-objects', title: 'accounts, images, versions', run: objects },
]

async function times(s: Session): Promise<void> {
  await s.post(s.path('serviceaccounts'), { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } })
  const containers = [{ name: 'c', image: 'i' }]
  await s.post(s.path('pods'), { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers } })
  const status = `${s.path('pods', 'p')}/status`
  for (const time of [
    '2025-01-01T00:00:00.662497775Z',
    '2025-01-01T02:00:00+02:00',
    '2025-01-01T00:00:00,5Z',
    '2025-01-01T1:00:00Z',
  ]) {
    await s.patch(`${status}?dryRun=All`, 'merge', { status: { startTime: time } })
    const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: time }]
    await s.patch(`${status}?dryRun=All`, 'strategic', { status: { conditions } })
    await s.patch(`${status}?dryRun=All&fieldManager=m`, 'apply', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p' },
      status: { conditions },
    })
  }
  const leases = `${s.path('leases.coordination.k8s.io/v1')}?dryRun=All`
  for (const renewTime of ['2025-01-01T02:00:00.120000+02:00', '2025-01-01T00:00:00.123456789Z', '2025-01-01T02:00:00Z'])
    await s.post(leases, { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'l' }, spec: { renewTime } })
}

async function columns(s: Session): Promise<void> {
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }
  const define = (more: object): Promise<unknown> =>
    s.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All', {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'odds.programs.example.com' },
      spec: {
        group: 'programs.example.com',
        scope: 'Namespaced',
        names: { plural: 'odds', kind: 'Odd' },
        versions: [{ ...version, ...more }],
      },
    } as Json)
  for (const jsonPath of ['.status.conditions[?(@.type == "Ready")].status', '.a b', '. ', 'a', ' .a', '$.a', '.a['])
    await define({ additionalPrinterColumns: [{ name: 'c', type: 'string', jsonPath }] })
  for (const specReplicasPath of ['.spec.a b', '.spec. a', '.spec', '.status.a'])
    await define({ subresources: { scale: { specReplicasPath, statusReplicasPath: '.status.x' } } })
}

const images = [
  'Not Valid!',
  'UPPER/x',
  'Upper.io/x',
  'x/Upper',
  'x:Tag',
  'x:latest',
  'host:5000/x',
  'x@sha256:abc',
  'x//y',
  'x___y',
  'localhost/X',
  `x@sha256:${'0123456789abcdef'.repeat(4)}`,
  `x:latest@sha256:${'0123456789abcdef'.repeat(4)}`,
  '0123456789abcdef'.repeat(4),
]

async function objects(s: Session): Promise<void> {
  const account = { apiVersion: 'v1', kind: 'ServiceAccount' }
  await s.post(s.path('serviceaccounts'), { ...account, metadata: { name: 'default' } })
  await s.post(s.path('serviceaccounts'), {
    ...account,
    metadata: { name: 'a' },
    secrets: [{ name: 'x', namespace: 'y', kind: 'Secret' }],
  })
  await s.patch(s.path('serviceaccounts', 'a'), 'merge', { secrets: [{ name: 'x' }, { namespace: 'z' }] })
  await s.patch(`${s.path('serviceaccounts', 'a')}?fieldManager=m`, 'apply', {
    ...account,
    metadata: { name: 'a' },
    secrets: [{ name: 'w' }],
  })
  const containers = images.map((image, index) => ({ name: `c${index}`, image }))
  await s.post(`${s.path('pods')}?dryRun=All`, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers } })
  const config = (metadata: object): Json =>
    ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', ...metadata } }) as Json
  for (const resourceVersion of ['A', '0', '00']) await s.post(`${s.path('configmaps')}?dryRun=All`, config({ resourceVersion }))
  for (const generation of [-1, 5]) await s.post(`${s.path('configmaps')}?dryRun=All`, config({ generation }))
  await s.post(s.path('configmaps'), config({ resourceVersion: '5' }))
  await s.post(s.path('configmaps'), config({ resourceVersion: 'A' }))
}
