// The whole story: from a few lines of YAML on the hub to pods in three clusters that read one object, each by its own way to its role, and
// then one role for all of them.
import type { KubeObject, ResourceType, StoredCondition } from '#kube'
import { type KubeClient, KubeError } from '#kube/client'
import { configKind, roleKind } from '#operators/identity'
import { tellCertificates } from './certificates/chapter.ts'
import { tellDns } from './dns/index.ts'
import { tellFleet } from './fleet.ts'
import { followConditions, type WithConditions } from './follow.ts'
import { followHealing } from './healing.ts'
import { tellHosted } from './hosted/story.ts'
import { publishInventory } from './inventory.ts'
import { type RunningOperators, startOperators } from './operators.ts'
import { pictureOf } from './picture.ts'
import { type Delivery, dataBucket, dataKey, dataText, proveDeliveries } from './proof.ts'
import { applyManifests, type ManifestFile, readManifests } from './quickstart.ts'
import type { Screen } from './screen.ts'
import { until } from './until.ts'
import { startWebhooks } from './webhooks.ts'
import type { DevCluster, DevWorld } from './world.ts'

/** True when every read of the proof went as it must. What it starts runs until the signal aborts, and ends with `running`. */
export async function tellStory(
  world: DevWorld,
  screen: Screen,
  signal: AbortSignal,
  running: Promise<unknown>[],
): Promise<boolean> {
  const operators: RunningOperators = await screen.during(() => 'the operators start', startOperators(world, signal))
  running.push(operators.stopped)
  await publishInventory(world)
  const names = operators.names.join(', ')
  screen.line('done', `operators: ${names} on the hub, the pod identity webhook for each cluster`)
  const webhooks = startWebhooks(world, signal)
  running.push(webhooks.stopped)
  await screen.during(() => 'the webhooks start', webhooks.ready)
  running.push(followConditions({ kube: world.hub.kube, types: [configKind.type, roleKind.type], screen, signal }))
  const [platform, ...claims] = await readManifests('hub')
  screen.chapter('platform', 'The platform team says how each cluster gets its identities')
  if (platform !== undefined) await applyToHub(world, platform, screen)
  await untilReady(world, screen, { type: configKind.type, signal })
  screen.chapter('application', 'The application team says who may do what, and starts its pods in the same breath')
  await Promise.all([
    ...claims.map(file => applyToHub(world, file, screen)),
    ...clustersOf(world).map(cluster => applyToCluster(cluster, screen, signal)),
  ])
  await untilReady(world, screen, { type: roleKind.type, signal })
  screen.line('proven', 'everything is Ready')
  await putData(world, signal)
  // The healing begins to watch before the proof runs, so that it knows the objects by the time when a person may break one.
  running.push(followHealing(world, screen, signal))
  const held = await prove(world, screen, signal)
  const isRolledOut = await tellFleet(world, screen, signal, running)
  const isHosted = await tellHosted(world, screen, signal, running)
  const isNamed = await tellDns(world, screen, signal, running)
  return (await tellCertificates(world, screen, signal, running)) && isNamed && isHosted && isRolledOut && held
}

async function prove(world: DevWorld, screen: Screen, signal: AbortSignal): Promise<boolean> {
  screen.chapter('proof', 'The proof: each pod is a process with the unmodified AWS SDK, and what the webhook gave it')
  const deliveries = deliveriesOf(world)
  screen.line('done', 'two processes start for each cluster: pod reader, and pod stranger, who copied all that reader has')
  const held = await proveDeliveries({ world, screen, signal }, deliveries)
  if (held) {
    const { length } = deliveries
    screen.line('proven', `it holds: ${length} pods read what only their role may read, ${length} others were refused`)
    screen.block(pictureOf(`s3://${dataBucket}/${dataKey}`, screen.columns))
  } else screen.line('failed', 'it does not hold: what is wrong stands above')
  return held
}

/** Applies everything again: for `--watch`. */
export async function applyAgain(world: DevWorld, screen: Screen, signal: AbortSignal): Promise<void> {
  for (const file of await readManifests('hub')) await applyToHub(world, file, screen)
  for (const cluster of clustersOf(world)) await applyToCluster(cluster, screen, signal)
}

function clustersOf({ edge, prod, stage }: DevWorld): readonly DevCluster[] {
  return [edge, prod, stage]
}

async function applyToHub({ hub }: DevWorld, { name, objects }: ManifestFile, screen: Screen): Promise<void> {
  screen.line('done', `kubectl apply --server-side -f ${name} (${objects.length} objects)`, { cluster: 'hub' })
  await applyManifests(hub.kube, objects)
}

async function applyToCluster({ name: cluster, kube }: DevCluster, screen: Screen, signal: AbortSignal): Promise<void> {
  const say = (text: string): void => screen.line('hint', text, { cluster })
  for (const { name, objects } of await readManifests('clusters')) {
    screen.line('done', `kubectl apply --server-side -f ${name} (${objects.length} objects)`, { cluster })
    for (const object of objects) await applyPatiently(kube, object, { say, signal })
  }
}

/** As a Deployment's controller does: a pod that the webhook holds back is created again a moment later. */
async function applyPatiently(
  kube: KubeClient,
  object: KubeObject,
  { say, signal }: { readonly say: (text: string) => void; readonly signal: AbortSignal },
): Promise<void> {
  let isTold = false
  const what = `${object.kind} ${object.metadata.name}`
  await until({ what, signal }, async () => {
    try {
      await applyManifests(kube, [object])
      return true
    } catch (error) {
      if (object.kind !== 'Pod' || !(error instanceof KubeError) || error.httpStatus !== 403) throw error
      if (!isTold) say(`${what} is held back: ${error.message}`)
      isTold = true
      return false
    }
  })
}

interface Wished {
  readonly type: ResourceType
  readonly signal: AbortSignal
}

async function untilReady({ hub }: DevWorld, screen: Screen, { type, signal }: Wished): Promise<void> {
  let left: readonly string[] = []
  const why = async (): Promise<string> => {
    const { items } = await hub.kube.list<WithConditions>(type)
    return items
      .filter(item => !isReady(item))
      .map(item => `${item.metadata.namespace}: ${readyOf(item)?.message ?? 'no status yet'}`)
      .join('; ')
  }
  const allReady = until({ what: `every ${type.kind} Ready`, signal, why }, async () => {
    const { items } = await hub.kube.list<WithConditions>(type)
    left = items.filter(item => !isReady(item)).map(({ metadata }) => metadata.namespace ?? '')
    return items.length > 0 && left.length === 0
  })
  await screen.during(() => `not Ready yet: ${type.kind} of ${left.join(', ')}`, allReady)
}

function isReady(object: WithConditions): boolean {
  return readyOf(object)?.status === 'True'
}

function readyOf({ status }: WithConditions): StoredCondition | undefined {
  return status?.conditions?.find(({ type }) => type === 'Ready')
}

/** The bucket is an object of the quickstart; what lies in it is not Kubernetes' business. */
async function putData({ service }: DevWorld, signal: AbortSignal): Promise<void> {
  const s3 = service('s3')
  const bucketThere = async (): Promise<boolean> =>
    ((await s3.call('ListBuckets'))['Buckets'] as readonly { readonly Name: string }[]).some(({ Name }) => Name === dataBucket)
  await until({ what: `bucket ${dataBucket}`, signal }, bucketThere)
  await s3.call('PutObject', { Bucket: dataBucket, Key: dataKey, Body: new TextEncoder().encode(dataText) })
}

function deliveriesOf({ edge, prod, stage }: DevWorld): readonly Delivery[] {
  return [
    { cluster: edge, how: "STS, through the operator's own issuer in S3", variable: 'AWS_WEB_IDENTITY_TOKEN_FILE' },
    { cluster: stage, how: "STS, through the EKS cluster's issuer", variable: 'AWS_WEB_IDENTITY_TOKEN_FILE' },
    { cluster: prod, how: 'EKS Pod Identity', variable: 'AWS_CONTAINER_CREDENTIALS_FULL_URI' },
  ]
}
