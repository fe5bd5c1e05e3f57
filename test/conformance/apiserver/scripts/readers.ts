// Readers: pages, matches of revisions, selectors whose objects come and go, and watches that begin in each way.
import { configMap, pod } from '../fixtures.ts'
import type { Script } from '../record.ts'
import type { Session } from '../session.ts'

export const readerScripts: readonly Script[] = [
  { id: 'read-pages', title: 'pages with every other parameter', run: pages },
  { id: 'read-selected', title: 'a watch with a selector that objects come to fit, and fit no more', run: selected },
  { id: 'read-forms', title: 'watches of tables and of metadata alone', run: forms },
  { id: 'read-starts', title: 'where a watch may begin', run: starts },
  { id: 'read-fields', title: 'field selectors that a kind has, and has not', run: fields },
]

const table = { headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } }
const metadata = { headers: { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' } }
const metadataList = { headers: { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' } }

async function pages(s: Session): Promise<void> {
  const at = s.path('configmaps')
  for (const name of ['a', 'b', 'c', 'd'])
    await s.post(at, configMap(name, {}, { labels: { odd: name === 'a' || name === 'c' ? '1' : '0' } }))
  const first = await s.get(`${at}?limit=1`)
  const next = first.body.metadata.continue as string
  for (const more of [
    '&limit=2',
    '',
    '&limit=0',
    '&labelSelector=odd%3D1',
    '&fieldSelector=metadata.name%3Dd',
    '&resourceVersionMatch=Exact',
    '&resourceVersion=0',
    '&timeoutSeconds=1',
    '&watch=false',
  ])
    await s.get(`${at}?continue=${next}${more}`)
  await s.get(`${at}?continue=${next}`, table)
  await s.get(`${at}?continue=${next}`, metadataList)
  await s.get(`${s.path('secrets')}?continue=${next}`)
  await s.get(`/api/v1/configmaps?continue=${next}&fieldSelector=metadata.namespace%3D${s.ns}`)
  for (const query of [
    'limit=2&labelSelector=odd%3D1',
    'limit=1&labelSelector=odd%3D1',
    'limit=3&fieldSelector=metadata.name%3Dc',
    'limit=4',
    'limit=5',
    'limit=2&resourceVersionMatch=NotOlderThan&resourceVersion=0',
    'limit=1&resourceVersion=0&labelSelector=odd%3D0',
    'resourceVersionMatch=NotOlderThan',
    'resourceVersionMatch=NotOlderThan&resourceVersion=1&labelSelector=odd%3D1',
    'continue=x&limit=1',
    'continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiIifQ',
    'continue=eyJ2IjoibWV0YS5rOHMuaW8vdjIiLCJydiI6MSwic3RhcnQiOiJhIn0',
  ])
    await s.get(`${at}?${query}`)
  await s.delete(`${at}?limit=1`)
  await s.delete(`${at}?labelSelector=odd%3D1&dryRun=All`)
  await s.delete(`${at}?labelSelector=odd%3D1&fieldSelector=metadata.name%3Dc`)
  await s.get(`${at}?labelSelector=odd`)
}

async function selected(s: Session): Promise<void> {
  const at = s.path('configmaps')
  const start = await s.get(`${at}?labelSelector=on`)
  const from = start.body.metadata.resourceVersion
  const labelled = await s.watch(`${at}?labelSelector=on%3Dyes&resourceVersion=${from}`)
  const named = await s.watch(`${at}?fieldSelector=metadata.name%3Db&resourceVersion=${from}`)
  await s.post(at, configMap('a', { n: '1' }))
  await s.post(at, configMap('b', { n: '1' }, { labels: { on: 'yes' } }))
  await s.patch(`${at}/a`, 'merge', { metadata: { labels: { on: 'yes' } } })
  await s.patch(`${at}/a`, 'merge', { data: { n: '2' } })
  await s.patch(`${at}/a`, 'merge', { metadata: { labels: { on: 'no' } }, data: { n: '3' } })
  await s.patch(`${at}/a`, 'merge', { data: { n: '4' } })
  await s.patch(`${at}/a`, 'merge', { metadata: { labels: { on: 'yes' } } })
  await s.delete(`${at}/a`)
  await s.patch(`${at}/b`, 'merge', { metadata: { finalizers: ['example.com/hold'] } })
  await s.delete(`${at}/b`)
  await s.patch(`${at}/b`, 'merge', { metadata: { finalizers: null } })
  await labelled.next(9)
  await named.next(4)
  const pods = await s.watch(`${s.path('pods')}?fieldSelector=status.phase%3DRunning&resourceVersion=${from}`)
  await s.post(s.path('pods'), pod('p'))
  await s.patch(`${s.path('pods', 'p')}/status`, 'merge', { status: { phase: 'Running' } })
  await s.patch(`${s.path('pods', 'p')}/status`, 'merge', { status: { phase: 'Succeeded' } })
  await pods.next(2)
}

async function forms(s: Session): Promise<void> {
  const at = s.path('configmaps')
  const { body } = await s.post(at, configMap('first', { a: '1', b: '2' }))
  const from = body.metadata.resourceVersion
  const tables = await s.watch(`${at}?resourceVersion=${from}`, table)
  const whole = await s.watch(`${at}?resourceVersion=${from}&includeObject=Object`, table)
  const none = await s.watch(`${at}?resourceVersion=${from}&includeObject=None`, table)
  const partial = await s.watch(`${at}?resourceVersion=${from}`, metadata)
  await s.post(at, configMap('second'))
  await s.patch(`${at}/second`, 'merge', { data: { a: '2' } })
  await s.delete(`${at}/second`)
  for (const watch of [tables, whole, none, partial]) await watch.next(3)
  await s.watch(`${at}?resourceVersion=${from}`, metadataList)
  await s.get(`${at}/first`, metadata)
  await s.get(at, metadata)
  await s.get(`${at}/first`, metadataList)
  await s.get(`${at}/first`, table)
  await s.get(at, { headers: { accept: 'application/json;as=Table;v=v2;g=meta.k8s.io' } })
  await s.get(at, { headers: { accept: 'application/json;as=Table;v=v1beta1;g=meta.k8s.io' } })
  await s.get(at, { headers: { accept: 'application/json;as=Odd;v=v1;g=meta.k8s.io' } })
  await s.get(at, { headers: { accept: 'application/json;as=Odd;v=v1;g=meta.k8s.io, */*' } })
  await s.get(at, { headers: { accept: 'text/html' } })
}

async function starts(s: Session): Promise<void> {
  const at = s.path('configmaps')
  await s.post(at, configMap('a', {}, { labels: { mine: '' } }))
  const { body } = await s.post(at, configMap('b', {}, { labels: { mine: '' } }))
  const now = body.metadata.resourceVersion
  const opened = [
    await s.watch(`${at}?resourceVersion=0&fieldSelector=metadata.name%3Da`),
    await s.watch(
      `${at}?resourceVersionMatch=NotOlderThan&resourceVersion=${now}&sendInitialEvents=true&allowWatchBookmarks=true&fieldSelector=metadata.name%3Da`,
    ),
    await s.watch(
      `${at}?sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&labelSelector=mine,!yours&fieldSelector=metadata.name%3Da`,
    ),
  ]
  await opened[0]?.next(1)
  await opened[1]?.next(2)
  await opened[2]?.next(2)
  for (const query of [
    'resourceVersionMatch=Exact&resourceVersion=5',
    'resourceVersionMatch=NotOlderThan&resourceVersion=5',
    'sendInitialEvents=false',
    'sendInitialEvents=true&allowWatchBookmarks=true',
    'sendInitialEvents=false&resourceVersionMatch=NotOlderThan',
    'sendInitialEvents=true&resourceVersionMatch=Exact&resourceVersion=5',
    'resourceVersion=-5',
    'resourceVersion=abc',
    'limit=1&continue=x',
    'labelSelector=a%3D%3D%3Db',
    'fieldSelector=data.a%3Db',
  ])
    await s.watch(`${at}?${query}`)
  await s.watch(`${at}/a`)
  const ended = await s.watch(`${at}?resourceVersion=${now}&timeoutSeconds=1`)
  await ended.rest()
  await s.watch(`${s.path('configmaps', 'nothing')}?resourceVersion=${now}`)
}

async function fields(s: Session): Promise<void> {
  const ask = (resource: string, selector: string): Promise<unknown> =>
    s.get(`${s.path(resource)}?fieldSelector=${encodeURIComponent(selector)}`)
  await s.post(s.path('pods'), pod('p', { nodeName: 'n', restartPolicy: 'Never', serviceAccountName: 'default' }))
  for (const selector of [
    'spec.nodeName=n',
    'spec.nodeName!=n',
    'spec.restartPolicy=Never,spec.schedulerName=default-scheduler',
    'spec.serviceAccountName=default',
    'status.phase=Pending',
    'status.podIP=',
    'status.nominatedNodeName=',
    'spec.hostNetwork=false',
    'spec.containers=x',
    'metadata.labels=x',
    'metadata.namespace=elsewhere',
    `metadata.namespace=${s.ns},metadata.name=p`,
    'metadata.name=p,metadata.name!=p',
    'spec.nodeName',
    'spec.nodeName=n=m',
    'spec.nodeName=a\\,b',
    'spec.nodeName=a\\b',
    '=',
    ',',
    'metadata.name in (p)',
  ])
    await ask('pods', selector)
  for (const [resource, selector] of [
    ['replicasets.apps/v1', 'status.replicas=0'],
    ['jobs.batch/v1', 'status.successful=0'],
    ['replicationcontrollers', 'status.replicas=0'],
    ['events', 'type=Normal,reason=x,involvedObject.kind=Pod'],
    ['secrets', 'type=Opaque'],
    ['services', 'spec.clusterIP=None,spec.type=ClusterIP'],
    ['deployments.apps/v1', 'status.replicas=0'],
    ['serviceaccounts', 'metadata.uid=x'],
    ['leases.coordination.k8s.io/v1', 'spec.holderIdentity=x'],
  ] as const)
    await ask(resource, selector)
  for (const [resource, selector] of [
    ['nodes', 'spec.unschedulable=true'],
    ['namespaces', 'status.phase=Active,metadata.name=x'],
    ['certificatesigningrequests.certificates.k8s.io/v1', 'spec.signerName=x'],
    ['customresourcedefinitions.apiextensions.k8s.io/v1', 'spec.group=x'],
  ] as const)
    await s.get(`${s.clusterPath(resource)}?fieldSelector=${encodeURIComponent(selector)}`)
}
