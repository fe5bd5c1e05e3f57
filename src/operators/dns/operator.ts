// What the dns operator says of itself to whoever assembles programs and manifests.
import type { ServiceModel } from '#aws'
import type { InstallPlace, Operator, OperatorContext, OperatorNeeds, RequiredFlag, RunningOperator } from '#runtime'
import { lease } from './api/names.ts'
import { flagGroups, readDnsFlags } from './flags.ts'
import type { DnsSettings, DnsSurroundings } from './settings.ts'

export type { DnsSettings } from './settings.ts'

const operands: RequiredFlag = {
  flag: 'operand-namespace',
  sample: 'external-dns',
  missing:
    'the operator dns needs --operand-namespace: where ExternalDNS runs; this namespace, and that of --operator-namespace with the Secrets, have to be there',
}

export const dnsOperator: Operator<DnsSettings> = {
  name: 'dns',
  summary:
    'DNS records of Services, Routes and their like: an ExternalDNS of its own for each object, also with roles of other accounts',
  flags: flagGroups,
  examples: [
    {
      what: 'ExternalDNS objects, with their Secrets and Deployments in one namespace',
      line: 'vouch operator --controllers=dns --operator-namespace=external-dns --operand-namespace=external-dns',
    },
  ],
  // The existing operator has the same lease, so that it and we never lead at once.
  lease,
  required: [operands],
  // As the existing operator listens and speaks, so that its Deployment starts this program unchanged.
  alone: { 'metrics-bind-address': '127.0.0.1:8080', 'health-probe-bind-address': ':9440', 'log-level': 'debug' },
  // Zones of one's own, and an image that runs somewhere.
  needsAPerson: true,
  shaping: [
    { kind: 'choice', flag: 'enable-webhook', values: ['true', 'false'] },
    { kind: 'choice', flag: 'per-instance-rbac', values: ['false', 'true'] },
    { kind: 'choice', flag: 'dns-monitoring', values: ['none', 'prometheus'] },
    ...['operator-namespace', 'operand-namespace', 'binding-namespaces', 'trusted-ca-configmap', 'dns-storage-version'].map(
      flag => ({ kind: 'any', flag }) as const,
    ),
  ],
  readSettings: readDnsFlags,
  describe,
  start,
}

async function describe(settings: DnsSettings, place: InstallPlace): Promise<OperatorNeeds> {
  const { name, namespace, labels } = place
  if (!settings.isPlaced) throw new Error(operands.missing)
  const { renderDnsCrd } = await import('./api/kinds.ts')
  const { dnsPrometheusRule } = await import('./manifests/alert-rules.ts')
  const { dnsRights, operandRbac, peopleRoles } = await import('./manifests/rights.ts')
  const { dnsValidatingConfiguration } = await import('./admission/configuration.ts')
  return {
    crds: [renderDnsCrd({ service: { namespace, name: `${name}-webhook` } }, settings.storageVersion)],
    rights: { cluster: dnsRights(settings), cloud: [] },
    webhooks: settings.servesWebhooks ? [{ suffix: 'dns', configuration: dnsValidatingConfiguration }] : [],
    objects: [
      ...operandRbac(settings, labels),
      ...peopleRoles(labels),
      ...(settings.monitoring === 'prometheus' ? [dnsPrometheusRule(place)] : []),
    ],
    mounts: [],
  }
}

async function start(settings: DnsSettings, { seams, client, metrics }: OperatorContext): Promise<RunningOperator> {
  const { createDnsOperator } = await import('./create-operator.ts')
  const { detectPlatform } = await import('./platform.ts')
  const { endpointFromEnvironment, netTransport } = await import('#aws/client')
  const { plainKubernetes } = await import('./operand/request.ts')
  const found = settings.detectsPlatform
    ? await detectPlatform(client, seams.log)
    : { platform: plainKubernetes, hasRoutes: false }
  const surroundings: DnsSurroundings = { settings, ...found }
  const transport = netTransport(seams.net)
  const endpointOf = ({ id }: ServiceModel): string | undefined => endpointFromEnvironment(seams.env, id)
  const sts = { transport, clock: seams.clock, random: seams.random, endpointOf }
  const operator = createDnsOperator({ surroundings, client, log: seams.log, metrics, clock: seams.clock, sts })
  return { ...operator, close: () => transport.close() }
}
