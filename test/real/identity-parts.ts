// What identity needs beside real API servers: the definitions on a hub, an operator there, the profile of a cluster, and on that cluster the pod
// webhook as the operator installs it. A node would start the webhook, and controllers would roll it out; both are played here.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { silentLog, systemSeams } from '#base'
import { clusterProfileKind, managedClusterLabels } from '#fleet'
import {
  customResourceDefinitions,
  deployments,
  endpointSlices,
  type KubeObject,
  type ResourceType,
  renderCrd,
  type StoredObject,
  secrets,
} from '#kube'
import type { KubeClient } from '#kube/client'
import { renderIdentityCrds, webhookNamespaceDefault } from '#operators/identity'
import { readAwsProgram, runAwsWebhook } from '#operators/pods'
import { shippedService } from '#operators/resources'
import { healthyStatus } from '../../src/fleet/testing/profiles.ts'
import { type ControlPlane, renderKubeconfig } from './control-plane.ts'
import { eventually } from './eventually.ts'
import { ownAddress } from './own-address.ts'

/** Where the operator installs the pod webhook. */
export const webhookPlace: { readonly namespace: string; readonly name: string } = {
  namespace: webhookNamespaceDefault,
  name: 'pod-identity-webhook',
}

type WithData = StoredObject & { readonly data?: Readonly<Record<string, string>> }

export async function createIdentityDefinitions(hub: KubeClient): Promise<void> {
  const ofServices = (['iam', 's3', 'eks'] as const).flatMap(name => shippedService(name).crds)
  for (const crd of [...renderIdentityCrds(), renderCrd(clusterProfileKind), ...ofServices])
    await hub.create(customResourceDefinitions, crd as unknown as KubeObject)
}

interface IdentityPlace {
  readonly hub: ControlPlane
  /** For files of the operator. */
  readonly folder: string
  readonly awsAddress: string
  readonly region: string
  readonly account: string
}

/** Flags of an operator that gets into clusters with the token that `publishProfile` leaves in the folder. */
export function identityFlags({ hub, folder, awsAddress, region, account }: IdentityPlace): readonly string[] {
  const providers = join(folder, 'providers.json')
  writeFileSync(providers, JSON.stringify({ providers: [{ name: 'file', execConfig: plugin(folder) }] }))
  return [
    '--controllers=identity,resources',
    '--cluster-profile-namespaces=*',
    `--kubeconfig=${hub.kubeconfig}`,
    `--clusterprofile-provider-file=${providers}`,
    '--health-probe-bind-address=0',
    '--webhook-bind-address=0',
    `--aws-endpoint-url=${awsAddress}`,
    '--allow-unsafe-aws-endpoint-urls',
    `--aws-region=${region}`,
    `--aws-account-id=${account}`,
  ]
}

/** A program that gives the token of the cluster, which need not run yet. */
function plugin(folder: string): object {
  const file = join(folder, 'credential.json')
  return { apiVersion: 'client.authentication.k8s.io/v1', command: '/bin/cat', args: [file], interactiveMode: 'Never' }
}

interface PublishedCluster {
  readonly name: string
  readonly plane: ControlPlane
  readonly folder: string
}

export async function publishProfile(hub: KubeClient, { name, plane, folder }: PublishedCluster): Promise<void> {
  const credential = {
    apiVersion: 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    status: { token: plane.adminToken },
  }
  writeFileSync(join(folder, 'credential.json'), JSON.stringify(credential), { mode: 0o600 })
  const key = { namespace: name, name }
  await make(hub, clusterProfileKind.type, {
    metadata: { ...key, labels: managedClusterLabels(name) },
    spec: { clusterManager: { name: 'open-cluster-management' } },
  })
  const cluster = { server: plane.address, 'certificate-authority-data': Buffer.from(plane.ca).toString('base64') }
  const status = healthyStatus(Date.now(), { name: 'file', cluster })
  await hub.patch(clusterProfileKind.type, key, 'merge', { status }, { subresource: 'status' })
}

interface WebhookStart {
  readonly target: KubeClient
  readonly plane: ControlPlane
  readonly folder: string
}

/** What a node would start, with the certificate from the Secret and the token of the ServiceAccount; resolves when it listens. */
export async function startInstalledWebhook(
  { target, plane, folder }: WebhookStart,
  signal: AbortSignal,
): Promise<{ readonly ended: Promise<void> }> {
  const deployment = (await eventually(
    () => target.find(deployments, webhookPlace),
    () => 'the Deployment of the pod webhook',
  )) as unknown as { spec: { template: { spec: { containers: { args: string[] }[] } } } }
  const serving = await eventually(
    () => target.find<WithData>(secrets, webhookPlace),
    () => 'the certificate of the pod webhook',
  )
  for (const name of ['tls.crt', 'tls.key'])
    writeFileSync(join(folder, name), Buffer.from(serving.data?.[name] ?? '', 'base64'), { mode: 0o600 })
  const { token } = await target.requestToken(webhookPlace, { audiences: [] })
  const kubeconfig = join(folder, 'webhook.kubeconfig')
  writeFileSync(kubeconfig, renderKubeconfig({ ...plane, token }), { mode: 0o600 })
  const [container] = deployment.spec.template.spec.containers
  const program = readAwsProgram([
    ...(container?.args ?? []),
    `--tls-cert=${join(folder, 'tls.crt')}`,
    `--tls-key=${join(folder, 'tls.key')}`,
    `--kubeconfig=${kubeconfig}`,
    '--port=0',
    '--metrics-port=0',
    '--health-addr=',
  ])
  let ended: Promise<void> = Promise.resolve()
  const port = await new Promise<number>((resolve, reject) => {
    const seams = systemSeams({}, { log: silentLog })
    ended = runAwsWebhook({ program, seams, onListening: at => resolve(at.webhook) }, signal)
    ended.catch(reject)
  })
  await make(target, endpointSlices, {
    metadata: { ...webhookPlace, labels: { 'kubernetes.io/service-name': webhookPlace.name } },
    addressType: 'IPv4',
    ports: [{ name: 'https', port, protocol: 'TCP' }],
    endpoints: [{ addresses: [ownAddress], conditions: { ready: true } }],
  })
  return { ended }
}

/** Says of the webhook's Deployment what the Deployment controller would say: nothing here rolls Deployments out. */
export async function sayWebhookRolledOut(target: KubeClient): Promise<void> {
  const { metadata } = await target.get(deployments, webhookPlace)
  const now = new Date().toISOString().replace(/\.\d+Z/, 'Z')
  const condition = {
    type: 'Available',
    status: 'True',
    reason: 'MinimumReplicasAvailable',
    message: '',
    lastTransitionTime: now,
    lastUpdateTime: now,
  }
  const counts = { replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 }
  const status = { observedGeneration: metadata.generation, ...counts, conditions: [condition] }
  await target.patch(deployments, webhookPlace, 'merge', { status }, { subresource: 'status' })
}

export function make(client: KubeClient, type: ResourceType, object: object): Promise<unknown> {
  const apiVersion = type.group === '' ? type.version : `${type.group}/${type.version}`
  return client.create(type, { apiVersion, kind: type.kind, ...object } as unknown as KubeObject)
}
