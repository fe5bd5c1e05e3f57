// The real ExternalDNS with an identity of our own system: an object asks for a binding of its ServiceAccount, the operator of identities makes
// the role, the pod webhook gives the pod its token, and that role assumes the role of the zone in the other account.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { silentLog, systemClock } from '#base'
import { configMaps, namespaces, pods, type StoredObject, secrets, services } from '#kube'
import { crossAccountTrust } from '#operators/dns'
import { signingSecretName, webhookNamespaceDefault } from '#operators/identity'
import { createPodWebhook, defaultAwsOptions, defaultWebhookSettings } from '#operators/pods'
import { makeAccounts, type NamesAccounts, startDnsOperator } from '../../src/cli/dev/dns/index.ts'
import { publishCluster } from '../../src/cli/dev/inventory.ts'
import { isAwsHost, openGateway, ownLoopback, type Pod, startNode } from '../../src/cli/dev/node/index.ts'
import { type ExternalDns, newestKind } from '../../src/operators/dns/api.ts'
import {
  configKind,
  operatorConfigKind,
  roleKind,
  type ServiceAccountRole,
  type WorkloadIdentityConfig,
} from '../../src/operators/identity/api.ts'
import { type DevPlatform, openDevPlatform } from './dev-platform.ts'
import { comesAbout, eventually } from './eventually.ts'
import { externalDnsProgram, oldestOperand } from './programs/external-dns.ts'

const program = externalDnsProgram(oldestOperand)
const image = 'registry.example.com/external-dns'
const operatorNamespace = 'external-dns-operator'
const namespace = 'external-dns'
/** The operand looks once a minute, and the first look may have come too early and the second into a restart. */
const waitMs = 180_000
/** What stands for the cluster itself, on which the operators run as well. */
const own = 'hub'

describe('the real ExternalDNS bound by an AWSServiceAccountRole', {
  skip: 'skipped' in program ? program.skipped : false,
}, () => {
  const stop = new AbortController()
  const running: Promise<unknown>[] = []
  let platform: DevPlatform
  let accounts: NamesAccounts

  before(async () => {
    platform = await openDevPlatform()
    const { world } = platform
    const { hub, aws } = world
    accounts = await makeAccounts(world)
    const { port } = await aws.listen({ tls: true })
    const gateway = await openGateway(host => (isAwsHost(host) ? port : undefined))
    for (const name of [operatorNamespace, namespace, 'apps', webhookNamespaceDefault])
      await hub.kube.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
    await publishCluster(hub, hub)
    const webhook = createPodWebhook({
      client: hub.kube,
      seams: { ...world.seams, log: silentLog },
      settings: { ...defaultWebhookSettings, admission: { ...defaultAwsOptions, defaultRegion: 'us-east-1' } },
    })
    running.push(webhook.run(stop.signal))
    await webhook.whenReady(stop.signal)
    hub.server.serve({ namespace: webhookNamespaceDefault, service: 'pod-identity-webhook' }, webhook.exchange)
    const metadata = { namespace: operatorNamespace, name: 'authorities' }
    const bundle = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { 'ca-bundle.crt': aws.ca } }
    await hub.kube.create(configMaps, bundle)
    const args = [
      `--operator-namespace=${operatorNamespace}`,
      `--operand-namespace=${namespace}`,
      `--binding-namespaces=${own}`,
      `--externaldns-image=${image}`,
      '--trusted-ca-configmap=authorities',
      `--operand-version=${oldestOperand}`,
      `--operand-metrics-bind=${ownLoopback()}`,
    ]
    const operator = await startDnsOperator(world, { cluster: hub, args, proxy: gateway.url }, stop.signal)
    const node = startNode(
      {
        name: 'embedded-node-0',
        kube: hub.kube,
        clock: systemClock,
        log: silentLog,
        apiServer: hub.address,
        folder: `${world.folder}/operands`,
        images: {
          [image]: { program: 'path' in program ? program.path : '', kubeconfigArguments: path => [`--kubeconfig=${path}`] },
        },
        ownRoots: false,
        namespaces: [namespace],
        restartMs: 500,
      },
      stop.signal,
    )
    running.push(
      operator.stopped,
      node.stopped.then(() => gateway.close()),
    )
  })
  after(async () => {
    stop.abort(new Error('enough'))
    await Promise.all(running)
    await platform?.[Symbol.asyncDispose]()
  })

  it('writes in the zone of the other account with a token that only its own pod has, in mode Binding [20.7]', async () => {
    await declareCluster()
    await ask()
    const roleArn = await eventually(
      async () => (await binding())?.status?.roleARN,
      async () => `no role for the ServiceAccount: ${JSON.stringify((await binding()) ?? null)}\n${await told()}`,
      waitMs,
    )
    const held = await binding()
    assert.deepEqual(held?.spec.serviceAccount, { namespace, name: 'external-dns-blue' })
    assert.deepEqual(held?.spec.policyDocument, {
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Action: ['sts:AssumeRole'], Resource: [accounts.roleArn] }],
    })
    await trust(roleArn)
    const { hub, aws } = platform.world
    const address = (): string | undefined => aws.dns.resolve('shop.example.com', 'A').records[0]?.value
    await comesAbout(async () => address() === '192.0.2.7', told, waitMs)
    const { items } = await hub.kube.list<Pod>(pods, { namespace })
    const given = items[0]?.spec.containers[0]?.env?.map(({ name }) => name) ?? []
    assert.ok(given.includes('AWS_ROLE_ARN') && given.includes('AWS_WEB_IDENTITY_TOKEN_FILE'), given.join())
    const caller = aws.calls.last({ service: 'sts', operation: 'AssumeRole', result: 'ok' })?.caller ?? ''
    assert.match(caller, new RegExp(`assumed-role/${roleArn.split('/').at(-1)}`))
    await comesAbout(async () => (await conditions())['Available'] === 'True/Available', told, waitMs)
  })

  it('goes with its object, binding, role and all [20.7]', async () => {
    const { hub, service } = platform.world
    const roleName = ((await binding())?.status?.roleARN ?? '').split('/').at(-1)
    assert.ok(roleName)
    await hub.kube.delete(newestKind.type, { namespace: '', name: 'blue' })
    await comesAbout(async () => (await binding()) === undefined, told, waitMs)
    await comesAbout(
      async () => (await hub.kube.list(pods, { namespace })).items.length === 0,
      () => 'its pod is still there',
      waitMs,
    )
    const { Roles } = await service('iam').call('ListRoles', {})
    assert.ok(!JSON.stringify(Roles).includes(roleName), 'its role is still there')
  })

  /** As the guide of self-hosted clusters says it, of the cluster on which the operators run. */
  async function declareCluster(): Promise<void> {
    const { hub } = platform.world
    await hub.kube.create(operatorConfigKind.type, operatorConfigKind.make({ name: 'default' }, {}))
    const spec = { type: 'SelfHostedIRSA', region: 'us-east-1' } as const
    await hub.kube.create(configKind.type, configKind.make({ namespace: own, name: 'default' }, spec))
    const key = await eventually(
      async () =>
        (await hub.kube.find<Secret>(secrets, { namespace: own, name: signingSecretName('default') }))?.data?.['sa.key'],
      () => 'no key to sign with',
      waitMs,
    )
    hub.server.tokens.adopt(Buffer.from(key, 'base64').toString(), { activate: true })
    let last = ''
    const isReady = async (): Promise<boolean> => {
      const { status } = await hub.kube.get<WorkloadIdentityConfig>(configKind.type, { namespace: own, name: 'default' })
      last = JSON.stringify(status?.conditions)
      return (status?.conditions ?? []).some(({ type, status: is }) => type === 'Ready' && is === 'True')
    }
    await comesAbout(isReady, () => `the config of the cluster is not Ready: ${last}`, waitMs)
  }

  function binding(): Promise<(ServiceAccountRole & StoredObject) | undefined> {
    return platform.world.hub.kube.find(roleKind.type, { namespace: own, name: 'dns' })
  }

  /** The role of the zone trusts the role that was made for the ServiceAccount, and nobody else any more. */
  async function trust(roleArn: string): Promise<void> {
    const { aws, hub, service } = platform.world
    const iam = service('iam', aws.adminCredentials(accounts.roleArn.split(':')[4]))
    await iam.call('UpdateAssumeRolePolicy', { RoleName: 'dns', PolicyDocument: JSON.stringify(crossAccountTrust(roleArn)) })
    // Its operand may have looked before, and looks once a minute.
    for (const { metadata } of (await hub.kube.list(pods, { namespace })).items)
      await hub.kube.delete(pods, { namespace, name: metadata.name })
  }

  async function ask(): Promise<void> {
    const { kube } = platform.world.hub
    const key = { namespace: 'apps', name: 'shop' }
    const made = { apiVersion: 'v1', kind: 'Service', metadata: key, spec: { type: 'LoadBalancer', ports: [{ port: 443 }] } }
    await kube.create(services, made)
    const status = { loadBalancer: { ingress: [{ ip: '192.0.2.7' }] } }
    await kube.patch(services, key, 'merge', { status }, { subresource: 'status' })
    const aws = {
      workloadIdentity: { mode: 'Binding', bindingRef: { namespace: own, name: 'dns', create: true } },
      assumeRole: { arn: accounts.roleArn },
      region: 'us-east-1',
    }
    const spec = {
      domains: [{ filterType: 'Include', matchType: 'Exact', name: 'example.com' }],
      provider: { type: 'AWS', aws },
      source: { type: 'Service', fqdnTemplate: ['{{.Name}}.example.com'] },
      zones: [accounts.zone],
    }
    const { group, version } = newestKind.type
    const dns = { apiVersion: `${group}/${version}`, kind: 'ExternalDNS', metadata: { name: 'blue' }, spec }
    await kube.create(newestKind.type, dns)
  }

  async function conditions(): Promise<Readonly<Record<string, string>>> {
    const { status } = await platform.world.hub.kube.get<ExternalDns>(newestKind.type, { namespace: '', name: 'blue' })
    return Object.fromEntries((status?.conditions ?? []).map(each => [each.type, `${each.status}/${each.reason}`]))
  }

  async function told(): Promise<string> {
    const { hub, aws } = platform.world
    const dns = await hub.kube.find(newestKind.type, { namespace: '', name: 'blue' })
    const refused = aws.calls.all().filter(({ result }) => result !== 'ok')
    const last = refused.slice(-3).map(({ service, operation, result, caller }) => `${service} ${operation} ${result} ${caller}`)
    return `${JSON.stringify(Reflect.get(dns ?? {}, 'status'))}\n${last.join('\n')}`
  }
})

type Secret = StoredObject & { readonly data?: Readonly<Record<string, string>> }
