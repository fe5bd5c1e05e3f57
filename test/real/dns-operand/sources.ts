// What people make of the kinds that ExternalDNS reads, each with an address as whoever serves it gives it one.
import { customResourceDefinitions, type KubeObject, type ResourceType } from '#kube'
import { openCrd } from '../../../src/runtime/testing/open-crd.ts'
import { eventually } from '../eventually.ts'
import { domain } from './accounts.ts'
import { appNamespace as namespace, type OperandWorld } from './world.ts'

export interface Made {
  /** Also the first label of its host. */
  readonly name: string
  readonly address: string
}

const ingresses: ResourceType = {
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'Ingress',
  plural: 'ingresses',
  namespaced: true,
}

export async function makeIngress({ cluster: { admin } }: OperandWorld, { name, address }: Made): Promise<void> {
  const backend = { service: { name: 'web', port: { number: 80 } } }
  const rules = [{ host: `${name}.${domain}`, http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }]
  const metadata = { namespace, name, labels: { dns: name } }
  const made = { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata, spec: { rules } }
  await admin.create(ingresses, made)
  const status = { loadBalancer: { ingress: [{ ip: address }] } }
  await admin.patch(ingresses, { namespace, name }, 'merge', { status }, { subresource: 'status' })
}

const endpoints: ResourceType = {
  group: 'externaldns.k8s.io',
  version: 'v1alpha1',
  kind: 'DNSEndpoint',
  plural: 'dnsendpoints',
  namespaced: true,
}

/** With its kind. */
export async function makeEndpoint({ cluster: { admin } }: OperandWorld, { name, address }: Made): Promise<void> {
  const { metadata, ...definition } = openCrd(endpoints, { hasStatus: true })
  // Its group belongs to the Kubernetes project, which wants to be asked.
  const annotations = { 'api-approved.kubernetes.io': 'https://github.com/kubernetes-sigs/external-dns/pull/2007' }
  const crd = { ...definition, metadata: { ...metadata, annotations } }
  await admin.create(customResourceDefinitions, crd)
  const spec = { endpoints: [{ dnsName: `${name}.${domain}`, recordType: 'A', recordTTL: 60, targets: [address] }] }
  const place = { namespace, name, labels: { dns: name } }
  const endpoint = { apiVersion: 'externaldns.k8s.io/v1alpha1', kind: 'DNSEndpoint', metadata: place, spec }
  await createOnceServed({ admin }, endpoints, endpoint)
}

const gatewayKind = (kind: string, plural: string): ResourceType => ({
  group: 'gateway.networking.k8s.io',
  version: 'v1beta1',
  kind,
  plural,
  namespaced: true,
})
const gateways = gatewayKind('Gateway', 'gateways')
const routes = gatewayKind('HTTPRoute', 'httproutes')

/** A Gateway and a route of it, with their kinds; what their controller would say of them is said here. */
export async function makeRoute(
  { cluster: { admin } }: OperandWorld,
  definitions: readonly KubeObject[],
  { name, address }: Made,
): Promise<void> {
  for (const definition of definitions) await admin.create(customResourceDefinitions, definition)
  const apiVersion = 'gateway.networking.k8s.io/v1beta1'
  const listeners = [{ name: 'web', port: 80, protocol: 'HTTP' }]
  const front = { apiVersion, kind: 'Gateway', metadata: { namespace, name }, spec: { gatewayClassName: 'own', listeners } }
  await createOnceServed({ admin }, gateways, front)
  const addresses = [{ type: 'IPAddress', value: address }]
  await admin.patch(gateways, { namespace, name }, 'merge', { status: { addresses } }, { subresource: 'status' })
  const parent = { group: 'gateway.networking.k8s.io', kind: 'Gateway', name }
  const spec = { hostnames: [`${name}.${domain}`], parentRefs: [parent] }
  const metadata = { namespace, name, labels: { dns: name } }
  const route = { apiVersion, kind: 'HTTPRoute', metadata, spec }
  const { generation } = (await createOnceServed({ admin }, routes, route)).metadata
  const accepted = {
    type: 'Accepted',
    status: 'True',
    reason: 'Accepted',
    message: '',
    observedGeneration: generation,
    lastTransitionTime: '2026-01-01T00:00:00Z',
  }
  const parents = [{ parentRef: parent, controllerName: 'example.com/own', conditions: [accepted] }]
  await admin.patch(routes, { namespace, name }, 'merge', { status: { parents } }, { subresource: 'status' })
}

function createOnceServed(
  { admin }: Pick<OperandWorld['cluster'], 'admin'>,
  type: ResourceType,
  object: KubeObject,
): ReturnType<typeof admin.create> {
  let last: unknown
  return eventually(
    () =>
      admin.create(type, object).catch((error: unknown) => {
        last = error
        return undefined
      }),
    () => `${type.kind} is not served: ${String(last)}`,
  )
}
