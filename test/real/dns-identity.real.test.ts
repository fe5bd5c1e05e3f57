// The real ExternalDNS with an identity of our own system: its ServiceAccount is bound by an AWSServiceAccountRole, the pod webhook gives its pod
// the token, and the role that it gets assumes the role of the zone in the other account.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { silentLog, systemClock } from '#base'
import { configMaps, namespaces, pods, serviceAccounts, services } from '#kube'
import { crossAccountTrust } from '#operators/dns'
import { makeAccounts, type NamesAccounts, startDnsOperator } from '../../src/cli/dev/dns/index.ts'
import { isAwsHost, openGateway, type Pod, startNode } from '../../src/cli/dev/node/index.ts'
import { applyManifests, readManifests } from '../../src/cli/testing/commands.ts'
import { newestKind } from '../../src/operators/dns/api.ts'
import { configKind, roleKind, type ServiceAccountRole, type WorkloadIdentityConfig } from '../../src/operators/identity/api.ts'
import { type DevPlatform, openDevPlatform } from './dev-platform.ts'
import { comesAbout, eventually } from './eventually.ts'
import { externalDnsProgram, operandVersions } from './external-dns.ts'

const program = externalDnsProgram(operandVersions[0])
const image = 'registry.example.com/external-dns'
const namespace = 'external-dns'
const waitMs = 90_000

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
    const { edge, aws } = world
    accounts = await makeAccounts(world)
    const { port } = await aws.listen({ tls: true })
    const gateway = await openGateway(host => (isAwsHost(host) ? port : undefined))
    for (const name of ['external-dns-operator', namespace, 'apps'])
      await edge.kube.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
    const metadata = { namespace: 'external-dns-operator', name: 'authorities' }
    const bundle = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { 'ca-bundle.crt': aws.ca } }
    await edge.kube.create(configMaps, bundle)
    const places = ['--operator-namespace=external-dns-operator', `--operand-namespace=${namespace}`]
    const args = [...places, `--externaldns-image=${image}`, '--trusted-ca-configmap=authorities', '--operand-version=0.13.6']
    const operator = await startDnsOperator(world, { cluster: edge, args, proxy: gateway.url }, stop.signal)
    const node = startNode(
      {
        name: 'embedded-node-0',
        kube: edge.kube,
        clock: systemClock,
        log: silentLog,
        apiServer: edge.address,
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

  it('writes in the zone of the other account with a token that only its own pod has [20.7]', async () => {
    const { hub, edge } = platform.world
    const [config] = await readManifests('hub')
    await applyManifests(hub.kube, config?.objects ?? [])
    // With the webhook on the cluster: a pod that comes before it has no identity for as long as it lives.
    const isReady = async (): Promise<boolean> => {
      const { status } = await hub.kube.get<WorkloadIdentityConfig>(configKind.type, { namespace: 'edge', name: 'default' })
      return (status?.conditions ?? []).some(({ type, status: is }) => type === 'Ready' && is === 'True')
    }
    await comesAbout(isReady, () => 'the config of the cluster is not Ready', waitMs)
    const Statement = [{ Effect: 'Allow', Action: 'sts:AssumeRole', Resource: accounts.roleArn }]
    const serviceAccount = { namespace, name: 'external-dns-blue' }
    const policyDocument = { Version: '2012-10-17', Statement }
    const { group, version } = roleKind.type
    const apiVersion = `${group}/${version}`
    const spec = { serviceAccount, policyDocument }
    const binding = { apiVersion, kind: roleKind.type.kind, metadata: { namespace: 'edge', name: 'dns' }, spec }
    await hub.kube.create(roleKind.type, binding)
    const roleArn = await eventually(
      async () => (await hub.kube.get<ServiceAccountRole>(roleKind.type, { namespace: 'edge', name: 'dns' })).status?.roleARN,
      () => 'no role for the ServiceAccount',
      waitMs,
    )
    await trust(roleArn)
    await ask(roleArn)
    const address = (): string | undefined => platform.world.aws.dns.resolve('shop.example.com', 'A').records[0]?.value
    await comesAbout(async () => address() === '192.0.2.7', told, waitMs)
    const { items } = await edge.kube.list<Pod>(pods, { namespace })
    const given = items[0]?.spec.containers[0]?.env?.map(({ name }) => name) ?? []
    assert.ok(given.includes('AWS_ROLE_ARN') && given.includes('AWS_WEB_IDENTITY_TOKEN_FILE'), given.join())
    const caller = platform.world.aws.calls.last({ service: 'sts', operation: 'AssumeRole', result: 'ok' })?.caller ?? ''
    assert.match(caller, new RegExp(`assumed-role/${roleArn.split('/').at(-1)}`))
  })

  /** The role of the zone trusts the role that was made for the ServiceAccount, and nobody else any more. */
  async function trust(roleArn: string): Promise<void> {
    const { aws, service } = platform.world
    const iam = service('iam', aws.adminCredentials(accounts.roleArn.split(':')[4]))
    await iam.call('UpdateAssumeRolePolicy', { RoleName: 'dns', PolicyDocument: JSON.stringify(crossAccountTrust(roleArn)) })
  }

  async function ask(roleArn: string): Promise<void> {
    const { kube } = platform.world.edge
    const key = { namespace: 'apps', name: 'shop' }
    const made = { apiVersion: 'v1', kind: 'Service', metadata: key, spec: { type: 'LoadBalancer', ports: [{ port: 443 }] } }
    await kube.create(services, made)
    const status = { loadBalancer: { ingress: [{ ip: '192.0.2.7' }] } }
    await kube.patch(services, key, 'merge', { status }, { subresource: 'status' })
    const aws = {
      workloadIdentity: { mode: 'IRSA', roleARN: roleArn },
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

  async function told(): Promise<string> {
    const { edge, aws } = platform.world
    const dns = await edge.kube.get(newestKind.type, { namespace: '', name: 'blue' })
    const account = await edge.kube.find(serviceAccounts, { namespace, name: 'external-dns-blue' })
    const refused = aws.calls.all().filter(({ result }) => result !== 'ok')
    const last = refused.slice(-3).map(({ service, operation, result, caller }) => `${service} ${operation} ${result} ${caller}`)
    return `${JSON.stringify(Reflect.get(dns, 'status'))}\n${JSON.stringify(account?.metadata.annotations)}\n${last.join('\n')}`
  }
})
