// The guest of the story: a cluster whose API server is hosted on the hub, and whose tokens Entra can check.
import { type ApiServer, createApiServer } from '#apiserver'
import { type HttpResponse, issueAuthority, type Seams } from '#base'
import type { Entra } from '#entra'
import { type KubeObject, renderCrd } from '#kube'
import { createKubeClient, type KubeClient } from '#kube/client'
import { controlPlaneKind } from '#operators/hosted'

const issuerHost = 'oidc.clusters.example.com'

export interface Guest {
  readonly server: ApiServer
  readonly kube: KubeClient
  readonly issuer: string
}

export async function openGuest(seams: Seams): Promise<Guest> {
  const issuer = `https://${issuerHost}/blue`
  const server = createApiServer({ name: 'blue', issuer })
  const kube = createKubeClient({ clock: seams.clock, address: 'blue', exchange: server.as() })
  await server.listen()
  return { server, kube, issuer }
}

/** The platform publishes the issuer's documents where everybody can read them. */
export function publishIssuer(entra: Entra, { server, issuer }: Guest): void {
  const document = { issuer, jwks_uri: `${issuer}/keys`, response_types_supported: ['id_token'] }
  entra.registerHost(issuerHost, async ({ target }) => {
    if (target.endsWith('/keys')) return json(server.tokens.jwks())
    return target.endsWith('/openid-configuration') ? json(JSON.stringify(document)) : { status: 404, headers: {}, body: null }
  })
}

function json(text: string): HttpResponse {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(text) }
}

export const planeNamespace = 'clusters-blue'
const yearMs = 365 * 86_400_000

/** What the platform makes beside a control plane: its authorities, the way into the guest, its API server's Deployment. */
export async function platformObjects({ clock, keys, random }: Seams, { server }: Guest): Promise<readonly KubeObject[]> {
  const authority = async (commonName: string): Promise<KubeObject> => {
    const drawn = { key: await keys.generateEc(), serial: random.bytes(16) }
    const { certificate, key } = issueAuthority({ commonName }, drawn, { from: clock.now(), until: clock.now() + yearMs })
    return secret(commonName, { 'ca.crt': certificate, 'ca.key': key })
  }
  return [
    await authority('root-ca'),
    await authority('cluster-signer-ca'),
    secret('service-network-admin-kubeconfig', { kubeconfig: server.kubeconfig() }),
    apiServerDeployment,
  ]
}

export const platformCrd: KubeObject = renderCrd(controlPlaneKind)

function secret(name: string, texts: Readonly<Record<string, string>>): KubeObject {
  const data = Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')]))
  const object = { apiVersion: 'v1', kind: 'Secret', metadata: { namespace: planeNamespace, name }, data }
  return object
}

const labels = { app: 'kube-apiserver' }
const container = { name: 'kube-apiserver', image: 'registry.k8s.io/kube-apiserver:v1.34.4' }
const apiServerDeployment: KubeObject & { readonly spec: object } = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { namespace: planeNamespace, name: 'kube-apiserver' },
  spec: {
    replicas: 1,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [container], volumes: [{ name: 'tmp-dir', emptyDir: {} }] } },
  },
}
