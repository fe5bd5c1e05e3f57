// The whole story: from a few lines of YAML on the hub to pods in three clusters that read one object, each by its own way to its role.
import type { KubeObject, ResourceType, StoredCondition } from '#kube'
import { type KubeClient, KubeError } from '#kube/client'
import { configKind, roleKind } from '#operators/identity'
import { followConditions, type WithConditions } from './follow.ts'
import { publishInventory } from './inventory.ts'
import { type RunningOperators, startOperators } from './operators.ts'
import { type Delivery, dataBucket, dataKey, dataText, proveDeliveries } from './proof.ts'
import { applyManifests, type ManifestFile, readManifests } from './quickstart.ts'
import type { Screen } from './screen.ts'
import { until } from './until.ts'
import { startWebhooks } from './webhooks.ts'
import type { DevCluster, DevWorld } from './world.ts'

export interface Story {
  readonly held: boolean
  readonly stopped: Promise<unknown>
}

export async function tellStory(world: DevWorld, screen: Screen, signal: AbortSignal): Promise<Story> {
  const operators: RunningOperators = await startOperators(world, signal)
  await publishInventory(world)
  screen.line('done', 'operators: workload identity and AWS resources on the hub, the pod identity webhook for each cluster')
  const webhooks = startWebhooks(world, signal)
  await webhooks.ready
  const following = followConditions({ kube: world.hub.kube, types: [configKind.type, roleKind.type], screen, signal })
  const [platform, ...claims] = await readManifests('hub')
  screen.chapter('The platform team says how each cluster gets its identities')
  if (platform !== undefined) await applyToHub(world, platform, screen)
  await untilReady(world, configKind.type)
  screen.chapter('The application team says who may do what, and starts its pods in the same breath')
  await Promise.all([
    ...claims.map(file => applyToHub(world, file, screen)),
    ...clustersOf(world).map(cluster => applyToCluster(cluster, screen)),
  ])
  await untilReady(world, roleKind.type)
  await putData(world)
  screen.chapter('The proof: each pod is a process with the unmodified AWS SDK, and what the webhook gave it')
  const held = await proveDeliveries(world, screen, deliveriesOf(world))
  if (held) screen.block(picture)
  return { held, stopped: Promise.all([operators.stopped, webhooks.stopped, following]) }
}

/** Applies everything again: for `--watch`. */
export async function applyAgain(world: DevWorld, screen: Screen): Promise<void> {
  for (const file of await readManifests('hub')) await applyToHub(world, file, screen)
  for (const cluster of clustersOf(world)) await applyToCluster(cluster, screen)
}

function clustersOf({ edge, prod, stage }: DevWorld): readonly DevCluster[] {
  return [edge, prod, stage]
}

async function applyToHub({ hub }: DevWorld, { name, objects }: ManifestFile, screen: Screen): Promise<void> {
  screen.line('done', `hub: kubectl apply --server-side -f ${name} (${objects.length} objects)`)
  await applyManifests(hub.kube, objects)
}

async function applyToCluster({ name: cluster, kube }: DevCluster, screen: Screen): Promise<void> {
  for (const { name, objects } of await readManifests('clusters')) {
    screen.line('done', `${cluster}: kubectl apply --server-side -f ${name} (${objects.length} objects)`)
    for (const object of objects) await applyPatiently(kube, object, text => screen.line('hint', `${cluster}: ${text}`))
  }
}

/** As a Deployment's controller does: a pod that the webhook holds back is created again a moment later. */
async function applyPatiently(kube: KubeClient, object: KubeObject, say: (text: string) => void): Promise<void> {
  let isTold = false
  const what = `${object.kind} ${object.metadata.name}`
  await until(async () => {
    try {
      await applyManifests(kube, [object])
      return true
    } catch (error) {
      if (object.kind !== 'Pod' || !(error instanceof KubeError) || error.httpStatus !== 403) throw error
      if (!isTold) say(`${what} is held back: ${error.message}`)
      isTold = true
      return false
    }
  }, what)
}

async function untilReady({ hub }: DevWorld, type: ResourceType): Promise<void> {
  await until(
    async () => {
      const { items } = await hub.kube.list<WithConditions>(type)
      return items.length > 0 && items.every(isReady)
    },
    `every ${type.kind} Ready`,
    async () => {
      const { items } = await hub.kube.list<WithConditions>(type)
      return items
        .filter(item => !isReady(item))
        .map(item => `${item.metadata.namespace}: ${readyOf(item)?.message ?? 'no status yet'}`)
        .join('; ')
    },
  )
}

function isReady(object: WithConditions): boolean {
  return readyOf(object)?.status === 'True'
}

function readyOf({ status }: WithConditions): StoredCondition | undefined {
  return status?.conditions?.find(({ type }) => type === 'Ready')
}

/** The bucket is an object of the quickstart; what lies in it is not Kubernetes' business. */
async function putData({ service }: DevWorld): Promise<void> {
  const s3 = service('s3')
  const bucketThere = async (): Promise<boolean> =>
    ((await s3.call('ListBuckets'))['Buckets'] as readonly { readonly Name: string }[]).some(({ Name }) => Name === dataBucket)
  await until(bucketThere, `bucket ${dataBucket}`)
  await s3.call('PutObject', { Bucket: dataBucket, Key: dataKey, Body: new TextEncoder().encode(dataText) })
}

function deliveriesOf({ edge, prod, stage }: DevWorld): readonly Delivery[] {
  return [
    { cluster: edge, how: "STS, through the operator's own issuer in S3", variable: 'AWS_WEB_IDENTITY_TOKEN_FILE' },
    { cluster: stage, how: "STS, through the EKS cluster's issuer", variable: 'AWS_WEB_IDENTITY_TOKEN_FILE' },
    { cluster: prod, how: 'EKS Pod Identity', variable: 'AWS_CONTAINER_CREDENTIALS_FULL_URI' },
  ]
}

const picture = `
  pod demo/reader            asks with its token          who vouches for the token?            and for the role?
  ──────────────────         ───────────────────          ──────────────────────────            ─────────────────
  edge   (self-hosted)  ──>  STS                     ──>  keys in the operator's S3 bucket  ─┐
  stage  (EKS, IRSA)    ──>  STS                     ──>  keys of the EKS cluster's issuer  ─┼─> a trust policy that names
  prod   (EKS)          ──>  EKS Auth, by the agent  ──>  EKS itself, and an association    ─┘   demo/reader and nobody else
                                                                                                        │
                                               s3://${dataBucket}/${dataKey}: yes; anything else: no <─┘
`
