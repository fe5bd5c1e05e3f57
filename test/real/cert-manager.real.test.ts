// cert-manager on both servers: its injector writes an authority into webhook configurations, its webhook names who asks and refuses what
// cannot be, and its controllers issue a certificate by an authority that they issued before.
import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe } from 'node:test'
import { isRecord, systemSeams } from '#base'
import {
  customResourceDefinitions,
  type KubeObject,
  mutatingWebhookConfigurations,
  namespaces,
  type ResourceType,
  type StoredObject,
  secrets,
  validatingWebhookConfigurations,
} from '#kube'
import { connect, type KubeClient } from '#kube/client'
import { onBothServers, type Stage } from './both-servers.ts'
import { comesAbout, eventually } from './eventually.ts'
import { certManagerProgram } from './programs/cert-manager.ts'
import { freePort } from './programs/free-port.ts'
import { objectsOf } from './programs/helm.ts'
import { StartedProgram } from './programs/started-program.ts'

const program = certManagerProgram()
const folder = mkdtempSync(join(tmpdir(), 'vouch-cert-manager-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const own = (kind: string, plural: string): ResourceType => ({
  group: 'cert-manager.io',
  version: 'v1',
  kind,
  plural,
  namespaced: true,
})
const issuers = own('Issuer', 'issuers')
const certificates = own('Certificate', 'certificates')
const requests = own('CertificateRequest', 'certificaterequests')
const namespace = 'cert-manager'
const waitMs = 60_000

describe('cert-manager', { skip: 'skipped' in program ? program.skipped : false }, () => {
  const titles = { onEmbedded: 'issues certificates from the embedded API server', onReal: 'does the same on the real one' }
  onBothServers({ ...titles, timeoutMs: 300_000 }, play)
})

/** What it made and said, without names and times of its own choosing. */
async function play({ name, kubeconfig }: Stage): Promise<unknown> {
  assert.ok('path' in program)
  const path = join(folder, `${name}.kubeconfig`)
  writeFileSync(path, kubeconfig, { mode: 0o600 })
  const command = join(program.path, 'cert-manager')
  const { client } = await connect(systemSeams({}), { kubeconfig: [path], userAgent: 'vouch-test' })
  try {
    await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
    for (const crd of objectsOf(readFileSync(join(program.path, 'crds.yaml'), 'utf8')))
      await client.create(customResourceDefinitions, crd)
    await comesAbout(
      async () => (await client.list(requests).catch(() => undefined)) !== undefined,
      () => 'its kinds are not served',
    )
    const port = await freePort()
    await using webhook = new StartedProgram(command, ['webhook', path, String(port)], { HOME: folder })
    await using injector = new StartedProgram(command, ['cainjector', path], { HOME: folder })
    await using controller = new StartedProgram(command, ['controller', path], { HOME: folder })
    const words = (): string => [webhook, injector, controller].map(one => one.words.slice(-3_000)).join('\n')
    await addWebhooks(client, port, words)
    const refusal = await firstRefusal(client, words)
    return { refusal, ...(await issue(client, words)) }
  } finally {
    await takeWebhooksAway(client)
    await client.close()
  }
}

const configurations = [
  [mutatingWebhookConfigurations, 'MutatingWebhookConfiguration', '/mutate', ['certificaterequests'], ['CREATE']],
  [validatingWebhookConfigurations, 'ValidatingWebhookConfiguration', '/validate', ['*/*'], ['CREATE', 'UPDATE']],
] as const

/** As its chart has them, but for the address; and until the injector has told both servers whom to trust. */
async function addWebhooks(client: KubeClient, port: number, words: () => string): Promise<void> {
  for (const [type, kind, path, resources, operations] of configurations) {
    const annotations = { 'cert-manager.io/inject-ca-from-secret': `${namespace}/cert-manager-webhook-ca` }
    await client.create(type, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind,
      metadata: { name: 'cert-manager-webhook', annotations },
      webhooks: [
        {
          name: 'webhook.cert-manager.io',
          rules: [{ apiGroups: ['cert-manager.io'], apiVersions: ['v1'], operations, resources }],
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          clientConfig: { url: `https://localhost:${port}${path}` },
        },
      ],
    } as KubeObject)
    const authority = await eventually(
      () => injected(client, type),
      () => `nothing is injected into the ${kind}: ${words()}`,
      waitMs,
    )
    const { data } = (await client.get(secrets, { namespace, name: 'cert-manager-webhook-ca' })) as StoredObject & Secret
    assert.equal(authority, data['ca.crt'])
  }
}

interface Secret {
  readonly data: Readonly<Record<string, string>>
}

async function injected(client: KubeClient, type: ResourceType): Promise<string | undefined> {
  const configuration = await client.get(type, { namespace: '', name: 'cert-manager-webhook' })
  const { webhooks } = configuration as unknown as {
    readonly webhooks: readonly { readonly clientConfig: { readonly caBundle?: string } }[]
  }
  return webhooks[0]?.clientConfig.caBundle
}

/** They would refuse the objects of whoever comes after. */
async function takeWebhooksAway(client: KubeClient): Promise<void> {
  for (const [type] of configurations)
    await client.delete(type, { namespace: '', name: 'cert-manager-webhook' }).catch(() => undefined)
}

/** A server takes up webhooks in its own time, and its webhook a certificate. */
async function firstRefusal(client: KubeClient, words: () => string): Promise<string> {
  const nameless = { secretName: 'nameless', issuerRef: { name: 'self' } }
  let tries = 0
  let last = ''
  return eventually(
    async () => {
      last = await make(client, certificates, `nameless-${++tries}`, nameless).then(() => 'it was taken', String)
      return /denied the request: (.*)$/s.exec(last)?.[1]
    },
    () => `no refusal but ${last}: ${words()}`,
    waitMs,
  )
}

/** An authority that signs itself, then a certificate by it. */
async function issue(client: KubeClient, words: () => string): Promise<object> {
  const privateKey = { algorithm: 'ECDSA', size: 256, rotationPolicy: 'Always' }
  await make(client, issuers, 'self', { selfSigned: {} })
  await make(client, certificates, 'ca', {
    isCA: true,
    commonName: 'An authority',
    secretName: 'ca',
    privateKey,
    issuerRef: { name: 'self' },
  })
  const authority = await ready(client, certificates, 'ca', words)
  await make(client, issuers, 'ca', { ca: { secretName: 'ca' } })
  await make(client, certificates, 'leaf', {
    dnsNames: ['a.example.com'],
    secretName: 'leaf',
    privateKey,
    issuerRef: { name: 'ca' },
  })
  const leaf = await ready(client, certificates, 'leaf', words)
  const [issuing, issued] = [await certificateIn(client, 'ca'), await certificateIn(client, 'leaf')]
  assert.ok(issued.verify(issuing.publicKey) && issued.checkIssued(issuing))
  const { items } = await client.list(requests, { namespace })
  return {
    authority,
    leaf,
    issuers: [await ready(client, issuers, 'self', words), await ready(client, issuers, 'ca', words)],
    requests: items.map(object => conditionsOf(object).join(', ')).sort(),
    subject: issuing.subject,
    names: issued.subjectAltName,
  }
}

async function make(client: KubeClient, { kind, ...type }: ResourceType, name: string, spec: object): Promise<void> {
  await client.create({ kind, ...type }, {
    apiVersion: 'cert-manager.io/v1',
    kind,
    metadata: { namespace, name },
    spec,
  } as KubeObject)
}

/** What it says of an object, once it says that it is ready. */
async function ready(client: KubeClient, type: ResourceType, name: string, words: () => string): Promise<readonly string[]> {
  let last: readonly string[] = []
  return eventually(
    async () => {
      last = conditionsOf(await client.get(type, { namespace, name }))
      return last.some(condition => condition.startsWith('Ready=True')) &&
        !last.some(condition => condition.startsWith('Issuing'))
        ? last
        : undefined
    },
    () => `${type.kind} ${name} is ${last.join(', ')}: ${words()}`,
    waitMs,
  )
}

function conditionsOf(object: object): readonly string[] {
  const { status } = object as { readonly status?: unknown }
  const conditions = isRecord(status) && Array.isArray(status['conditions']) ? status['conditions'] : []
  return (conditions as readonly Readonly<Record<'type' | 'status' | 'reason' | 'message', string>>[])
    .map(({ type, status: is, reason, message }) => `${type}=${is} ${reason}: ${message}`)
    .sort()
}

async function certificateIn(client: KubeClient, name: string): Promise<X509Certificate> {
  const { data } = (await client.get(secrets, { namespace, name })) as StoredObject & Secret
  return new X509Certificate(Buffer.from(data['tls.crt'] ?? '', 'base64'))
}
