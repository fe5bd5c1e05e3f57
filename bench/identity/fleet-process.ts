// A hub and many workload clusters, ours, in one process, each over TLS on a port of its own. The clusters are EKS clusters with an issuer that
// IAM trusts already, so that what is measured is bindings.
import { type ApiServer, createApiServer } from '#apiserver'
import { systemClock as clock } from '#base'
import { clusterProfileKind, managedClusterLabels, placementDecisionKind, placementKind, writePlacement } from '#fleet'
import { type KubeObject, renderCrd } from '#kube'
import { createKubeClient } from '#kube/client'
import { healthyStatus } from '../../src/fleet/testing/profiles.ts'
import { configKind, renderIdentityCrds } from '../../src/operators/identity/api.ts'
import type { Access } from './access.ts'
import { account, region } from './contents.ts'

export interface FleetOrder {
  readonly clusters: number
  /** ServiceAccounts in each cluster. */
  readonly accounts: readonly string[]
  /** Without an issuer of their own: the operator makes one for each, installs its webhook and follows it. */
  readonly selfHosted?: boolean
}

export interface FleetUp {
  readonly hub: Access
  readonly targets: Readonly<Record<string, Access>>
}

const namespace = (name: string): KubeObject => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
const targets = new Map<string, ApiServer>()

async function open(server: ApiServer): Promise<Access> {
  const { port } = await server.listen()
  return { origin: `https://127.0.0.1:${port}`, ca: server.ca, token: server.adminToken }
}

function configOf(name: string, { selfHosted = false }: FleetOrder): KubeObject {
  if (selfHosted) return configKind.make({ namespace: name, name: 'default' }, { type: 'SelfHostedIRSA', region })
  const host = `oidc.eks.${region}.amazonaws.com/id/${name.toUpperCase().padEnd(20, '0')}`
  const oidcProvider = { management: 'External', arn: `arn:aws:iam::${account}:oidc-provider/${host}` } as const
  const eksIRSA = { issuerURL: `https://${host}`, oidcProvider }
  return configKind.make({ namespace: name, name: 'default' }, { type: 'EKSIRSA', region, eksIRSA })
}

async function begin(order: FleetOrder): Promise<void> {
  const { clusters, accounts, selfHosted = false } = order
  const names = Array.from({ length: clusters }, (_, index) => `c${String(index).padStart(4, '0')}`)
  const crds = [
    ...renderIdentityCrds(),
    ...[clusterProfileKind, placementKind, placementDecisionKind].map(kind => renderCrd(kind as never)),
  ]
  const operatorConfig = {
    apiVersion: configKind.apiVersion,
    kind: 'AWSWorkloadIdentityOperatorConfig',
    metadata: { name: 'default' },
    spec: {},
  } as KubeObject
  const hub = createApiServer({
    seed: 1,
    clock,
    name: 'hub',
    objects: [
      ...crds,
      ...['inventory', 'platform', ...names].map(namespace),
      operatorConfig,
      ...names.map(name => configOf(name, order)),
    ],
  })
  const client = createKubeClient({ clock, address: 'hub', exchange: hub.as() })
  const accesses: Record<string, Access> = {}
  for (const [index, name] of names.entries()) {
    const objects = accounts.map(
      (account): KubeObject => ({
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { namespace: 'default', name: account },
      }),
    )
    if (selfHosted) objects.push(namespace('aws-pod-identity-webhook'))
    // Nothing moves there by itself: a thousand of them share this process.
    const server = createApiServer({ seed: index + 2, clock, name, objects, controllers: 'none' })
    targets.set(name, server)
    accesses[name] = await open(server)
    const key = { namespace: 'inventory', name }
    const profile = clusterProfileKind.make({ ...key, labels: managedClusterLabels(name) }, { clusterManager: { name: 'ocm' } })
    await client.create(clusterProfileKind.type, profile)
    const status = healthyStatus(Date.now(), { name: 'in-process', cluster: { server: accesses[name].origin } })
    await client.patch(clusterProfileKind.type, key, 'merge', { status }, { subresource: 'status' })
  }
  const quarter = Math.ceil(names.length / 4)
  const groups = [0, 1, 2, 3].map(group => ({ clusters: names.slice(group * quarter, (group + 1) * quarter) }))
  await writePlacement(client, { namespace: 'platform', name: 'all' }, groups)
  process.send?.({ hub: await open(hub), targets: accesses } satisfies FleetUp)
}

/** Takes the first cluster away. */
async function takeAway(): Promise<void> {
  const [first] = targets.values()
  await first?.close()
  process.send?.({ away: true })
}

process.on('message', (order: FleetOrder | { readonly away: true }) => void ('away' in order ? takeAway() : begin(order)))
process.on('disconnect', () => process.exit(0))
