// The operators of the hub in one manager: workload identity, and the runtime of AWS resources. What they need is installed first.
import { AwsClients, inProcessTransport, staticCredentials } from '#aws/client'
import { silentLog } from '#base'
import { clusterProfileKind } from '#fleet'
import { type CustomResourceDefinition, customResourceDefinitions, type KubeObject, renderCrd, secrets } from '#kube'
import type { KubeClient } from '#kube/client'
import { createIdentityOperator, renderIdentityCrds, S3IssuerStore, signingSecretName } from '#operators/identity'
import { createResourcesOperator, type ResourcesOperator } from '#operators/resources'
import { createManager } from '#runtime'
import { build, version } from '../version.ts'
import { account, type DevCluster, type DevWorld, region } from './world.ts'

export interface RunningOperators {
  readonly stopped: Promise<void>
}

/** Resolves when the kinds are served and the caches are whole. Runs until the signal aborts. */
export async function startOperators(world: DevWorld, signal: AbortSignal): Promise<RunningOperators> {
  const seams = { ...world.seams, log: silentLog }
  const clients = awsClientsOf(world)
  const resources = resourcesOperatorOf(world, clients)
  const crds = [...renderIdentityCrds(), renderCrd(clusterProfileKind), ...resources.crds]
  await Promise.all(crds.map(crd => createDefinition(world.hub.kube, crd)))
  const members = new Map([world.edge, world.prod, world.stage].map(cluster => [cluster.name, cluster]))
  const identity = createIdentityOperator({
    seams,
    store: new S3IssuerStore({ clients, clock: seams.clock, account }),
    providers: [],
    clientOf: ({ metadata }) => members.get(metadata.name)?.kube,
  })
  const manager = createManager({
    client: world.hub.kube,
    seams,
    identity: 'dev',
    controllers: [...identity.controllers, ...resources.controllers],
  })
  identity.attach(manager)
  const running = manager.run(signal)
  const signing = signWithOperatorsKey(world, world.edge, signal)
  await manager.whenSynced(signal)
  const stopped = Promise.all([running, signing]).then(() => identity.close())
  return { stopped }
}

async function createDefinition(kube: KubeClient, crd: CustomResourceDefinition): Promise<void> {
  await kube.create(customResourceDefinitions, crd as unknown as KubeObject)
}

function awsClientsOf({ aws, seams }: DevWorld): AwsClients {
  return new AwsClients({
    credentials: staticCredentials(aws.adminCredentials(account)),
    transport: inProcessTransport(aws.handle),
    clock: seams.clock,
    random: seams.random,
  })
}

function resourcesOperatorOf(world: DevWorld, clients: AwsClients): ResourcesOperator {
  return createResourcesOperator({
    services: ['iam', 's3', 'eks'],
    aws: clients,
    home: { account, partition: 'aws', region },
    nowMs: () => world.seams.clock.now(),
    random: world.seams.random,
    // As `vouch operator` would: its tags name the version, and `vouch plan` asks for the same ones.
    version,
    build,
  })
}

/**
 * What whoever runs a cluster of their own does once and at each rotation: gives its API server the key of the signing Secret
 * (`--service-account-signing-key-file`).
 */
async function signWithOperatorsKey({ hub }: DevWorld, cluster: DevCluster, signal: AbortSignal): Promise<void> {
  const fieldSelector = `metadata.name=${signingSecretName('default')}`
  try {
    const events = hub.kube.watch<KubeObject & { readonly data?: Readonly<Record<string, string>> }>(secrets, {
      namespace: cluster.name,
      fieldSelector,
      sendInitialEvents: true,
      allowBookmarks: true,
      signal,
    })
    for await (const event of events) {
      if (event.type !== 'ADDED' && event.type !== 'MODIFIED') continue
      const key = event.object.data?.['sa.key']
      if (key !== undefined) cluster.server.tokens.adopt(Buffer.from(key, 'base64').toString(), { activate: true })
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
