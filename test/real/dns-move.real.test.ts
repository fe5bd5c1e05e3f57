// The page on moving from the existing ExternalDNS operator and back, followed by a reader who has nothing but `vouch` and kubectl, on a real
// kube-apiserver with the real ExternalDNS, which writes records before and after.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { silentLog, systemSeams } from '#base'
import {
  clusterRoleBindings,
  clusterRoles,
  configMaps,
  customResourceDefinitions,
  deployments,
  findCondition,
  type KubeObject,
  namespaces,
  type ResourceType,
  secrets,
  serviceAccounts,
  validatingWebhookConfigurations,
} from '#kube'
import type { KubeClient } from '#kube/client'
import { crossAccountTrust, kinds, permissionPolicy } from '#operators/dns'
import { obtainKubernetes } from '../../scripts/kubernetes.ts'
import { ownLoopback } from '../../src/cli/dev/node/index.ts'
import type { ExternalDns } from '../../src/operators/dns/api.ts'
import { formerDefinition, formerObjects, formerSpec } from '../../src/operators/dns/testing/former-operator.ts'
import { type ControlPlane, renderKubeconfig, startControlPlane } from './control-plane.ts'
import { type Accounts, clusterAccount, domain, openAccounts, roleArn } from './dns-operand/accounts.ts'
import { type Cluster, clusterOf } from './dns-operand/cluster.ts'
import { hastyClock } from './dns-operand/hasty-clock.ts'
import { appNamespace, type Hands, hands, operatorNamespace } from './dns-operand/world.ts'
import { eventually } from './eventually.ts'
import { followGuide } from './guide-steps.ts'
import { make } from './identity-parts.ts'
import { ownAddress } from './own-address.ts'
import { openPageReader } from './page-reader.ts'
import { externalDnsProgram, oldestOperand } from './programs/external-dns.ts'
import { standInNode } from './stand-in-node.ts'
import { routeWebhooks } from './webhook-route.ts'

const kubernetes = await obtainKubernetes()
const program = externalDnsProgram(oldestOperand)
const skip =
  ('skipped' in program ? program.skipped : undefined) ??
  ('skipped' in kubernetes ? kubernetes.skipped : undefined) ??
  (ownAddress === undefined ? 'this machine has no IPv4 address but loopback' : false)

const vouchNamespace = 'vouch-system'
const image = 'registry.example.com/external-dns'
const metricsHost = ownLoopback()
const authorities = { name: 'authorities', key: 'ca-bundle.crt' }
const typeOf: Readonly<Record<string, ResourceType>> = { ServiceAccount: serviceAccounts, Secret: secrets }

describe('dns-move.md on a real kube-apiserver', { skip }, () => {
  const ends: (() => unknown)[] = []
  after(async () => {
    for (const end of ends.toReversed()) await end()
  })

  it('records are written before the move and after it, and the objects come back as they were', {
    timeout: 480_000,
  }, async () => {
    assert.ok('path' in program && !('skipped' in kubernetes))
    const accounts = await openAccounts()
    ends.push(() => accounts[Symbol.asyncDispose]())
    const plane = await startControlPlane()
    const images = { [image]: { program: program.path, kubeconfigArguments: (path: string) => [`--kubeconfig=${path}`] } }
    const cluster = await clusterOf(plane, { images, namespaces: [operatorNamespace] })
    ends.push(() => cluster[Symbol.asyncDispose]())
    const { admin } = cluster
    const world = hands(cluster, accounts, operatorNamespace)
    const formerly = await leaveBehind(cluster, accounts, world)
    const recordsOf = (name: string): readonly string[] => [
      `A ${name}.${domain}.`,
      `TXT external-dns-${name}.${domain}.`,
      `TXT external-dns-a-${name}.${domain}.`,
    ]
    await world.comesToHold('blue', recordsOf('web'))

    await using reader = openPageReader({
      kubeconfig: renderKubeconfig({ ...plane, token: plane.adminToken }),
      programs: { vouch, kubectl: `exec '${kubernetes.programs.kubectl}' "$@"` },
    })
    await using node = standInNode({
      admin,
      namespace: vouchNamespace,
      seams: { ...systemSeams(environment(accounts), { log: silentLog }), clock: hastyClock(10) },
      kubeconfig: token => podKubeconfig(plane, token),
      route: ports => routeWebhooks(admin, vouchNamespace, ports),
    })
    const read = (version: 'v1beta1' | 'v1beta2'): Promise<ExternalDns> =>
      admin.get<ExternalDns>(kinds[version].type, { namespace: '', name: 'blue' })
    await followGuide('dns-move.md', reader, {
      '2. Stop the existing operator': async () => {
        assert.deepEqual((await admin.list(validatingWebhookConfigurations)).items, [])
        await world.loadBalancer('late', '192.0.2.8', { labels: { dns: 'public' } })
      },
      '4. Look': async () => {
        // The look of the page may fall into the one restart of the operand, for the toleration.
        assert.match(reader.printed(), /^blue +AWS +Service +(?:True +Available|False +DeploymentUnavailable)/m)
        await eventually(
          async () => findCondition((await read('v1beta1')).status?.conditions, 'Available')?.status === 'True' || undefined,
          () => 'the object is not Available',
          120_000,
        )
        assert.deepEqual((await read('v1beta1')).spec, formerly.spec)
        // It finds the Service of the meantime.
        await world.comesToHold('blue', [...recordsOf('web'), ...recordsOf('late')])
        // What only Vouch knows.
        const operand = { logLevel: 'Info', cleanup: true }
        await admin.patch(kinds.v1beta2.type, { namespace: '', name: 'blue' }, 'merge', { spec: { operand } })
        await eventually(
          async () => (await read('v1beta2')).metadata.finalizers?.length,
          () => 'no finalizer for the cleanup',
        )
      },
    }).catch((error: Error) => {
      throw new Error([error.message, ...node.failures].join('\n'), { cause: error })
    })
    assert.match(reader.printed(), /^blue +\{"v":.*"\/spec\/operand":\{"cleanup":true/m)

    assert.deepEqual(node.failures, [])
    assert.deepEqual(await admin.find(customResourceDefinitions, { namespace: '', name: crdName }).then(conversionOf), {
      strategy: 'None',
    })
    const now = await read('v1beta1')
    assert.deepEqual([now.spec, now.metadata.finalizers, now.metadata.uid], [formerly.spec, undefined, formerly.metadata.uid])
    assert.equal((await accounts.records()).length, 6, 'nobody took a record away')
  })
})

const crdName = 'externaldnses.externaldns.olm.openshift.io'

/** Of this checkout. Besides what the page says, this machine needs a place of its own for metrics, and trust in an AWS of its own. */
const ofThisMachine = `--operand-metrics-bind=${metricsHost} --trusted-ca-configmap=${authorities.name} --log-scan-interval=5s`
const main = join(import.meta.dirname, '..', '..', 'src', 'cli', 'main.ts')
const vouch = `exec '${process.execPath}' --disable-warning=ExperimentalWarning '${main}' "$@" ${ofThisMachine}`

function environment({ endpoint, gateway }: Accounts): Readonly<Record<string, string>> {
  return { AWS_ENDPOINT_URL: endpoint, HTTPS_PROXY: gateway.url }
}

function podKubeconfig(plane: ControlPlane, token: string): string {
  return renderKubeconfig({ ...plane, token }).replace('"context":{', `"context":{"namespace":"${vouchNamespace}",`)
}

function conversionOf(definition: object | undefined): unknown {
  return (definition as { readonly spec?: { readonly conversion?: unknown } } | undefined)?.spec?.conversion
}

/** The existing operator with its webhook, an object, and what it made for that. */
async function leaveBehind(
  { admin }: Cluster,
  accounts: Accounts,
  { secret, loadBalancer }: Pick<Hands, 'secret' | 'loadBalancer'>,
): Promise<ExternalDns> {
  const user = `arn:aws:iam::${clusterAccount}:user/dns`
  const keys = await accounts.userKeys('dns', [roleArn('dns')])
  await accounts.role({ name: 'dns', trust: crossAccountTrust(user), rights: permissionPolicy() })
  await make(admin, namespaces, { metadata: { name: appNamespace } })
  await secret('dns-keys', keys)
  const data = { [authorities.key]: accounts.aws.ca }
  for (const name of [authorities.name, 'external-dns-trusted-ca'])
    await make(admin, configMaps, { metadata: { namespace: operatorNamespace, name }, data })
  await giveRights(admin)
  const labels = { name: 'external-dns-operator' }
  const template = { metadata: { labels }, spec: { containers: [{ name: 'operator', image: 'existing' }] } }
  await make(admin, deployments, {
    metadata: { namespace: operatorNamespace, name: 'external-dns-operator' },
    spec: { replicas: 1, selector: { matchLabels: labels }, template },
  })
  await admin.create(customResourceDefinitions, formerDefinition() as unknown as KubeObject)
  const spec = formerSpec({ zone: accounts.zone, domain, arn: roleArn('dns') })
  const { type } = kinds.v1beta1
  const dns = (await eventually(
    () => make(admin, type, { metadata: { name: 'blue' }, spec }).catch(() => undefined),
    () => 'the definition is not served',
  )) as ExternalDns
  const clientConfig = { service: { namespace: operatorNamespace, name: 'gone', path: '/validate' } }
  const rule = {
    apiGroups: [type.group],
    apiVersions: [type.version],
    operations: ['CREATE', 'UPDATE'],
    resources: [type.plural],
  }
  const webhook = {
    name: 'vexternaldns.kb.io',
    clientConfig,
    rules: [rule],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  }
  await make(admin, validatingWebhookConfigurations, { metadata: { name: 'vexternaldns.kb.io-x' }, webhooks: [webhook] })
  const former = {
    dns,
    namespace: operatorNamespace,
    image,
    metricsHost,
    proxy: accounts.gateway.url,
    authorities: accounts.aws.ca,
    keys: keys as Parameters<typeof formerObjects>[0]['keys'],
  }
  await loadBalancer('web', '192.0.2.7', { labels: { dns: 'public' } })
  for (const made of formerObjects(former)) await admin.create(typeOf[made.kind] ?? deployments, made)
  return dns
}

/** To all accounts of the namespace, as the manifests of the existing operator do it. */
async function giveRights(admin: KubeClient): Promise<void> {
  const [metadata, verbs] = [{ name: 'external-dns' }, ['get', 'list', 'watch']]
  const rules = [
    { apiGroups: [''], resources: ['endpoints', 'services', 'pods', 'nodes'], verbs },
    { apiGroups: ['networking.k8s.io'], resources: ['ingresses'], verbs },
  ]
  await make(admin, clusterRoles, { metadata, rules })
  const apiGroup = 'rbac.authorization.k8s.io'
  const subjects = [{ apiGroup, kind: 'Group', name: `system:serviceaccounts:${operatorNamespace}` }]
  await make(admin, clusterRoleBindings, { metadata, roleRef: { apiGroup, kind: 'ClusterRole', name: metadata.name }, subjects })
}
