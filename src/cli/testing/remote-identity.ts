// A hub on which the operator has said that all is well, the cluster behind it, and an AWS that trusts that cluster's tokens: what a
// consumer of a remote identity finds. The clusters are whatever answers: the embedded server, or a real one.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { serviceModel } from '#aws'
import { type AwsClient, createAwsClient, inProcessTransport, staticCredentials } from '#aws/client'
import { type HttpResponse, seededRandom, systemClock } from '#base'
import type { Aws } from '#emulator'
import { clusterProfileKind, managedClusterLabels } from '#fleet'
import {
  clusterRoleBindings,
  clusterRoles,
  type KubeObject,
  namespaces,
  type ObjectKey,
  type ResourceType,
  serviceAccounts,
} from '#kube'
import type { KubeClient } from '#kube/client'
import { configKind, roleKind } from '#operators/identity'
import { healthyStatus } from '../../fleet/testing/profiles.ts'

export interface RemoteTarget {
  readonly client: KubeClient
  readonly address: string
  /** PEM. */
  readonly ca: string
  /** May ask for tokens of ServiceAccounts. */
  readonly token: string
  readonly issuer: string
  /** The document with its public keys. */
  readonly jwks: string
}

export interface RemoteIdentity {
  readonly aws: Aws
  readonly hub: KubeClient
  readonly target: RemoteTarget
  /** Gets `providers.json`, `own-providers.json` whose program acts as the ServiceAccount itself, and `worker.kubeconfig`. */
  readonly folder: string
}

export const remoteAccount: ObjectKey = { namespace: 'demo', name: 'reader' }
export const remoteRoleArn = 'arn:aws:iam::123456789012:role/remote-reader'
/** Its Role names a role of another account. */
export const elsewhere: ObjectKey = { namespace: 'demo', name: 'elsewhere' }
const region = 'us-east-1'
const policy = 'arn:aws:iam::aws:policy/ReadOnlyAccess'

/** Flags of the credential process that name it, besides the hub's kubeconfig. */
export const remoteFlags: readonly string[] = [
  '--namespace=edge',
  '--service-account=demo/reader',
  '--session-name=report',
  '--clusterprofile-provider-file=providers.json',
  '--cluster-profile-namespaces=fleet',
]

export async function prepareRemoteIdentity({ aws, hub, target, folder }: RemoteIdentity): Promise<void> {
  for (const name of ['edge', 'fleet']) await hub.create(namespaces, namespace(name))
  const now = new Date().toISOString().replace(/\.\d+Z$/, 'Z')
  const ready = { type: 'Ready', status: 'True', reason: 'Ready', message: '', lastTransitionTime: now, observedGeneration: 1 }
  const said = { observedGeneration: 1, conditions: [ready] }
  const config = configKind.make({ namespace: 'edge', name: 'default' }, { type: 'SelfHostedIRSA', region })
  await makeWithStatus(hub, configKind.type, config, said)
  const role = roleKind.make({ namespace: 'edge', name: 'reader' }, { serviceAccount: remoteAccount, policyARNs: [policy] })
  await makeWithStatus(hub, roleKind.type, role, { ...said, roleARN: remoteRoleArn })
  const other = roleKind.make({ namespace: 'edge', name: elsewhere.name }, { serviceAccount: elsewhere, policyARNs: [policy] })
  await makeWithStatus(hub, roleKind.type, other, { ...said, roleARN: 'arn:aws:iam::999999999999:role/elsewhere' })
  const metadata = { namespace: 'fleet', name: 'edge', labels: managedClusterLabels('edge') }
  const profile = clusterProfileKind.make(metadata, { clusterManager: { name: 'ocm' } })
  const cluster = { server: target.address, 'certificate-authority-data': Buffer.from(target.ca).toString('base64') }
  await makeWithStatus(hub, clusterProfileKind.type, profile, healthyStatus(Date.now(), { name: 'file', cluster }))
  await makeAccount(target.client)
  await trust(aws, target)
  await writeFiles(target, folder)
}

async function makeWithStatus(hub: KubeClient, type: ResourceType, object: KubeObject, status: object): Promise<void> {
  const { namespace: where = '', name } = (await hub.create(type, object)).metadata
  await hub.patch(type, { namespace: where, name }, 'merge', { status }, { subresource: 'status' })
}

async function makeAccount(client: KubeClient): Promise<void> {
  await client.create(namespaces, namespace(remoteAccount.namespace))
  const metadata = { ...remoteAccount, annotations: { 'eks.amazonaws.com/role-arn': remoteRoleArn } }
  for (const account of [metadata, elsewhere])
    await client.create(serviceAccounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: account })
  await mayAskForOwnTokens(client)
}

/** All that a sidecar needs, and no more. */
async function mayAskForOwnTokens(client: KubeClient): Promise<void> {
  const apiVersion = 'rbac.authorization.k8s.io/v1'
  const name = 'own-tokens'
  const of = (resource: string, verb: string): object => ({
    apiGroups: [''],
    resources: [resource],
    resourceNames: [remoteAccount.name],
    verbs: [verb],
  })
  const rules = [of('serviceaccounts', 'get'), of('serviceaccounts/token', 'create')]
  const role: KubeObject & { readonly rules: unknown } = { apiVersion, kind: 'ClusterRole', metadata: { name }, rules }
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name }
  const subjects = [{ kind: 'ServiceAccount', ...remoteAccount }]
  const binding: KubeObject & { readonly roleRef: unknown; readonly subjects: unknown } = {
    apiVersion,
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef,
    subjects,
  }
  await client.create(clusterRoles, role)
  await client.create(clusterRoleBindings, binding)
}

/** What the operator makes in AWS: a provider for the issuer, and a role that only this ServiceAccount may have. */
async function trust(aws: Aws, { issuer, jwks }: RemoteTarget): Promise<void> {
  const host = new URL(issuer).host
  const json = (text: string): HttpResponse => ({ status: 200, headers: {}, body: new TextEncoder().encode(text) })
  aws.registerHost(host, async ({ target }) =>
    json(target.endsWith('/keys') ? jwks : JSON.stringify({ issuer, jwks_uri: `${issuer}/keys` })),
  )
  const iam = iamOf(aws)
  const made = await iam.call('CreateOpenIDConnectProvider', { Url: issuer, ClientIDList: ['sts.amazonaws.com'] })
  const name = issuer.replace('https://', '')
  const { namespace: where, name: account } = remoteAccount
  const statement = {
    Effect: 'Allow',
    Principal: { Federated: made['OpenIDConnectProviderArn'] },
    Action: 'sts:AssumeRoleWithWebIdentity',
    Condition: {
      StringEquals: { [`${name}:aud`]: 'sts.amazonaws.com', [`${name}:sub`]: `system:serviceaccount:${where}:${account}` },
    },
  }
  const RoleName = remoteRoleArn.split('/').at(-1)
  const document = JSON.stringify({ Version: '2012-10-17', Statement: [statement] })
  await iam.call('CreateRole', { RoleName, AssumeRolePolicyDocument: document })
  await iam.call('AttachRolePolicy', { RoleName, PolicyArn: policy })
}

function iamOf(aws: Aws): AwsClient {
  return createAwsClient({
    model: serviceModel('iam'),
    region,
    credentials: staticCredentials(aws.adminCredentials()),
    transport: inProcessTransport(aws.handle),
    clock: systemClock,
    random: seededRandom(1),
  })
}

/** The provider file with a plugin that prints what it is told, and a kubeconfig that acts as the ServiceAccount. */
async function writeFiles({ client, address, ca, token }: RemoteTarget, folder: string): Promise<void> {
  const own = await client.requestToken(remoteAccount, { audiences: [], expirationSeconds: 3_600 })
  await writeFile(join(folder, 'providers.json'), providersWith(token))
  await writeFile(join(folder, 'own-providers.json'), providersWith(own.token))
  const name = 'edge'
  const kubeconfig = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    contexts: [{ name, context: { cluster: name, user: name } }],
    clusters: [{ name, cluster: { server: address, 'certificate-authority-data': Buffer.from(ca).toString('base64') } }],
    users: [{ name, user: { token: own.token } }],
  }
  await writeFile(join(folder, 'worker.kubeconfig'), JSON.stringify(kubeconfig), { mode: 0o600 })
}

/** A program that prints what it is told. */
function providersWith(token: string): string {
  const credential = { apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status: { token } }
  const execConfig = { apiVersion: credential.apiVersion, command: '/bin/echo', args: [JSON.stringify(credential)] }
  return JSON.stringify({ providers: [{ name: 'file', execConfig }] })
}

function namespace(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
}
