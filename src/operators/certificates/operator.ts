// What the certificate operator says of itself to whoever assembles programs and manifests.
import { ambientClients, netTransport } from '#aws/client'
import { renderCrd } from '#kube'
import type { InstallPlace, Manager, Operator, OperatorContext, OperatorNeeds, RequiredFlag, RunningOperator } from '#runtime'
import { type CertificateSettings, flagGroups, readCertificateFlags } from './flags.ts'
import { emptyZoneFile, zoneFileArgument, zoneFileFlag } from './manifests/zone-file.ts'

const region: RequiredFlag = {
  flag: 'aws-region',
  sample: 'eu-west-1',
  missing: 'the operator certificates needs --aws-region: the region in which certificates are requested',
}

const zones: RequiredFlag = {
  flag: 'dns-zones',
  sample: 'k8s.example.com:Z1',
  missing: 'the operator certificates needs --dns-zones or a zone file: the hosted zones in which names are proven',
  orFile: { flag: zoneFileFlag, empty: emptyZoneFile },
}

export const certificatesOperator: Operator<CertificateSettings> = {
  name: 'certificates',
  summary: 'certificates of ACM from two words: requested, validated through Route 53, renewed, replaced and cleaned up',
  flags: flagGroups,
  examples: [
    {
      what: 'certificates for the names of one hosted zone',
      line: 'vouch operator --controllers=certificates --aws-region=eu-west-1 --dns-zones=k8s.example.com:Z0123456789ABC',
    },
  ],
  lease: 'cert-operator.acm.ops.example.dev',
  needsAPerson: true,
  deployedArgs: [zoneFileArgument],
  installed: { flags: {}, files: { [zoneFileFlag]: emptyZoneFile } },
  required: [region, zones],
  shaping: [
    { kind: 'namespaces', flag: 'namespaces', everywhere: '' },
    { kind: 'choice', flag: 'webhook-enabled', values: ['true', 'false'] },
    { kind: 'choice', flag: 'webhook-fail-closed', values: ['true', 'false'] },
    { kind: 'choice', flag: 'enable-publishing', values: ['false', 'true'] },
    { kind: 'choice', flag: 'enable-cert-policy', values: ['false', 'true'] },
    { kind: 'any', flag: 'enable-export' },
    { kind: 'any', flag: 'export-namespaces' },
    { kind: 'choice', flag: 'monitoring', values: ['none', 'prometheus'] },
  ],
  readSettings: readCertificateFlags,
  describe,
  start,
}

async function describe(settings: CertificateSettings, place: InstallPlace): Promise<OperatorNeeds> {
  const { certKind, certPolicyKind } = await import('./api.ts')
  const { kubeRights } = await import('./manifests/rights.ts')
  const { peopleRoles } = await import('./manifests/people.ts')
  const { cloudRights } = await import('./manifests/cloud-rights.ts')
  const { certValidatingConfiguration } = await import('./admission/configuration.ts')
  const { zoneConfigMap, zoneFileText, zoneMount } = await import('./manifests/zone-file.ts')
  const { parseZoneFile } = await import('./zones/zone-file.ts')
  const { namespaces, servesWebhook, failsClosed, monitoring, exportNamespaces } = settings
  const { publishes, hasPolicies } = settings.cert
  if (settings.aws.region === '') throw new Error(region.missing)
  const known = [...settings.zones, ...parseZoneFile(zoneFileText(place), `--${zoneFileFlag}`)]
  if (known.length === 0) throw new Error(zones.missing)
  return {
    crds: [renderCrd(certKind), ...(hasPolicies ? [renderCrd(certPolicyKind)] : [])],
    rights: {
      cluster: kubeRights({ namespaces, publishes, hasPolicies, exportNamespaces }),
      cloud: cloudRights({ zones: known, exports: exportNamespaces !== undefined }),
    },
    webhooks: servesWebhook ? [{ suffix: 'certs', configuration: at => certValidatingConfiguration(at, failsClosed) }] : [],
    objects: [
      zoneConfigMap(place),
      ...peopleRoles(place, hasPolicies),
      ...(monitoring === 'prometheus' ? await monitoringObjects(place) : []),
    ],
    mounts: [zoneMount(place)],
  }
}

async function monitoringObjects(place: InstallPlace): Promise<OperatorNeeds['objects']> {
  const { prometheusRule } = await import('./manifests/alert-rules.ts')
  const { dashboardConfigMap } = await import('./manifests/dashboard.ts')
  return [prometheusRule(place), dashboardConfigMap(place)]
}

async function start(
  settings: CertificateSettings,
  { seams, client, metrics, version }: OperatorContext,
): Promise<RunningOperator> {
  const { createCertificatesOperator } = await import('./create-operator.ts')
  const { openZones } = await import('./zones/open-zones.ts')
  const { followZoneFile, zoneKeeper } = await import('./zones/look-after.ts')
  const { discoverPublishTypes } = await import('./publish/kinds.ts')
  const { createTelemetry } = await import('./telemetry/telemetry.ts')
  const { controllerName } = await import('./cert/controller.ts')
  const { findOwnPod, podEvents } = await import('./telemetry/own-pod.ts')
  const { certWebhooks } = await import('./admission/handler.ts')
  const { lookAtOthers } = await import('./admission/look.ts')
  const { measuringTransport } = await import('./aws/cloud-clock.ts')
  if (settings.aws.region === '') throw new Error(region.missing)
  const open = await openZones({ zones: settings.zones, file: settings.zoneFile }, seams)
  const network = netTransport(seams.net)
  const { transport, skewMs } = measuringTransport(network, seams.clock)
  const clients = ambientClients({
    seams,
    transport,
    region: settings.aws.region,
    triesMax: 1,
    timeoutMs: settings.timeoutMs,
    userAgent: `cert-operator/${version}`,
    endpointOf: serviceId => (['ACM', 'Route 53'].includes(serviceId) ? settings.endpoint : undefined),
  })
  const telemetry = createTelemetry({
    metrics,
    clock: seams.clock,
    nowMs: () => seams.clock.now() + skewMs(),
    zones: open.zones,
    controller: controllerName,
    ...settings.telemetry,
  })
  const { clock, log } = seams
  const onOwnPod = podEvents({ client, pod: await findOwnPod(seams), component: controllerName, clock, log })
  const operator = createCertificatesOperator({
    seams,
    clients,
    onOutage: service =>
      onOwnPod({
        type: 'Warning',
        reason: 'AWSCircuitOpen',
        message: `${service} of AWS does not answer and is not called for a while; certificates that are issued go on`,
      }),
    region: settings.aws.region,
    zones: open.zones,
    skewMs,
    dnsServers: settings.dnsServers,
    settings: settings.cert,
    layers: { ...settings.layers, metrics: telemetry.calls },
    referenceRegions: settings.referenceRegions.filter(each => each !== settings.aws.region),
    namespaces: settings.namespaces,
    workers: settings.workers,
    exportNamespaces: settings.exportNamespaces,
    publish: settings.cert.publishes ? { types: await discoverPublishTypes(client) } : undefined,
  })
  let world: Manager['world'] | undefined
  const { servesWebhook, failsClosed, allowsCrossZone, cert } = settings
  const webhooks = certWebhooks({
    failsClosed,
    rules: { allowsCrossZone, anyPrivateName: cert.anyPrivateName, publishes: cert.publishes },
    look: asked => lookAtOthers(asked, { zones: open.zones, world: () => world, hasPolicies: cert.hasPolicies }),
    requests: telemetry.webhookRequests,
    letThrough: telemetry.letThrough,
  })
  const stop = new AbortController()
  const followed =
    settings.zoneFile === undefined
      ? Promise.resolve()
      : followZoneFile({ open, clock, log, reloads: telemetry.reloads }, stop.signal)
  return {
    controllers: operator.controllers,
    companions: [zoneKeeper({ open, cloud: operator.cloud, log }), telemetry.companion],
    webhooks: servesWebhook ? webhooks : {},
    telemetry: telemetry.ofManager,
    attach: manager => {
      world = manager.world
      telemetry.attach(manager)
    },
    close: async () => {
      stop.abort()
      await followed
      await transport.close()
    },
  }
}
