// What the chart `aws-workload-identity-operator` has in its values beside what every process has, and what follows from it: flags and
// environment of the container, the provider file, and objects of Open Cluster Management. Values and defaults are the reference's.
import { createHash } from 'node:crypto'
import { given } from '#base'
import type { KubeObject } from '#kube'
import { upstreamWebhookImage } from '../../pods/api.ts'
import { operatorConfigKind } from '../api/kinds.ts'
import { webhookNamespaceDefault } from '../api/labels.ts'
import { renderTargetManifests } from './render.ts'

type Words = Readonly<Record<string, string>>

export interface PluginValues {
  readonly name: string
  readonly image: string
  readonly mountPath: string
  /** Kubernetes's own, by the tag, where nobody says one. */
  readonly pullPolicy?: string
}

export interface ProviderValues {
  readonly name: string
  readonly execConfig?: { readonly command?: string }
}

export interface IdentityChartValues {
  readonly operator: { readonly podIdentityWebhookImage: string; readonly extraArgs: readonly string[] }
  readonly aws: { readonly endpointURL: string; readonly allowUnsafeEndpointURLs: boolean }
  readonly logging: {
    readonly level: string
    readonly exporter: string
    readonly addSource: boolean
    readonly resource: {
      readonly serviceName: string
      readonly serviceNamespace: string
      readonly serviceVersion: string
      readonly deploymentEnvironmentName: string
      readonly attributes: Words
    }
    readonly otlp: {
      readonly endpoint: string
      readonly logsEndpoint: string
      readonly protocol: string
      readonly logsProtocol: string
      readonly insecure: boolean
      readonly logsInsecure: boolean
      readonly headers: Words
      readonly logsHeaders: Words
    }
  }
  readonly clusterInventory: {
    readonly clusterProfileNamespaces: readonly string[]
    readonly accessProviders: readonly ProviderValues[]
    readonly plugins: readonly PluginValues[]
  }
  readonly ocm: {
    readonly managedServiceAccount: {
      readonly name: string
      readonly create: boolean
      readonly namespaces: readonly string[]
      readonly addonInstallNamespace: string
      readonly labels: Words
      readonly annotations: Words
      readonly rotation: { readonly enabled: boolean }
      readonly remotePermissions: { readonly name: string; readonly webhookNamespace: string }
    }
  }
  readonly operatorConfig: {
    readonly create: boolean
    readonly name: string
    readonly annotations: Words
    readonly labels: Words
    readonly spec: Readonly<Record<string, unknown>> & {
      readonly selfHostedIRSA?: { readonly webhookNamespace?: string }
    }
  }
}

export const identityChartValues: IdentityChartValues = {
  // The reference's chart, with its values: whoever changes the program under it keeps the webhook of its clusters.
  operator: { podIdentityWebhookImage: upstreamWebhookImage, extraArgs: [] },
  aws: { endpointURL: '', allowUnsafeEndpointURLs: false },
  logging: {
    level: 'info',
    exporter: 'otlp',
    addSource: false,
    resource: {
      serviceName: 'aws-workload-identity-operator',
      serviceNamespace: 'appthrust',
      serviceVersion: '',
      deploymentEnvironmentName: '',
      attributes: {},
    },
    otlp: {
      endpoint: '',
      logsEndpoint: '',
      protocol: 'http/protobuf',
      logsProtocol: '',
      insecure: false,
      logsInsecure: false,
      headers: {},
      logsHeaders: {},
    },
  },
  clusterInventory: {
    clusterProfileNamespaces: [],
    accessProviders: [],
    plugins: [
      {
        name: 'open-cluster-management',
        image: 'quay.io/open-cluster-management/cp-creds:latest',
        mountPath: '/plugins',
        pullPolicy: 'IfNotPresent',
      },
    ],
  },
  ocm: {
    managedServiceAccount: {
      name: 'aws-workload-identity-operator',
      create: false,
      namespaces: [],
      addonInstallNamespace: 'open-cluster-management-managed-serviceaccount',
      labels: {},
      annotations: {},
      rotation: { enabled: true },
      remotePermissions: { name: '', webhookNamespace: '' },
    },
  },
  operatorConfig: { create: false, name: 'default', annotations: {}, labels: {}, spec: {} },
}

export interface ChartPlace {
  readonly fullname: string
  readonly namespace: string
  readonly appVersion: string
  metadata(
    name: string,
    own: { readonly namespace?: string; readonly labels?: Words; readonly annotations?: Words },
  ): KubeObject['metadata']
}

export interface IdentityChart {
  readonly args: readonly string[]
  readonly env: readonly { readonly name: string; readonly value: string }[]
  readonly volumes: readonly {
    readonly volume: { readonly name: string; readonly image: object }
    readonly mountPath: string
  }[]
  readonly podAnnotations: Words
  readonly files: Words
  readonly objects: readonly KubeObject[]
}

/** Throws where the values cannot hold together. */
export function identityChart(values: IdentityChartValues, place: ChartPlace): IdentityChart {
  const providers = providerFile(values)
  const { level, exporter, addSource } = values.logging
  const attributes = resourceAttributes(values, place)
  return {
    args: [
      '--clusterprofile-provider-file=/etc/cluster-inventory/config.json',
      `--cluster-profile-namespaces=${profileNamespaces(values, place.namespace)}`,
      `--pod-identity-webhook-image=${values.operator.podIdentityWebhookImage}`,
      '--aws-endpoint-url',
      '$(AWS_ENDPOINT_URL)',
      ...(values.aws.allowUnsafeEndpointURLs ? ['--allow-unsafe-aws-endpoint-urls'] : []),
      `--log-level=${level}`,
      `--log-exporter=${exporter}`,
      `--log-add-source=${addSource}`,
      `--log-resource-attributes=${attributes}`,
    ],
    env: environment(values, attributes),
    volumes: values.clusterInventory.plugins.map(volumeOf),
    podAnnotations: { 'checksum/clusterprofile-provider-file': createHash('sha256').update(providers).digest('hex') },
    files: { 'clusterprofile-provider-file': providers },
    objects: [...operatorConfig(values, place), ...ocmObjects(values, place)],
  }
}

function profileNamespaces({ clusterInventory }: IdentityChartValues, own: string): string {
  const { clusterProfileNamespaces: names } = clusterInventory
  if (names.includes('')) throw new Error('clusterInventory.clusterProfileNamespaces has an empty entry')
  if (names.includes('*') && names.length > 1) throw new Error('clusterInventory.clusterProfileNamespaces has * beside names')
  return names.length === 0 ? own : names.join(',')
}

/** Of the chart first, then a person's. Each program has to come from a plugin: nothing else is in the container. */
function providerFile({ clusterInventory, ocm }: IdentityChartValues): string {
  const { accessProviders, plugins } = clusterInventory
  if (plugins.length === 0) throw new Error('clusterInventory.plugins: at least one is needed, for the programs of the providers')
  const own = {
    name: 'open-cluster-management',
    execConfig: {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: '/plugins/cp-creds',
      args: [`--managed-serviceaccount=${ocm.managedServiceAccount.name}`],
      provideClusterInfo: true,
      interactiveMode: 'Never',
    },
  }
  const providers: readonly ProviderValues[] = [own, ...accessProviders]
  const seen = new Set<string>()
  for (const { name = '', execConfig } of providers) {
    if (name === '') throw new Error('clusterInventory.accessProviders: a provider has no name')
    if (seen.has(name)) throw new Error(`duplicate Cluster Inventory access-provider name "${name}"`)
    seen.add(name)
    const command = execConfig?.command ?? ''
    if (command === '') throw new Error(`clusterInventory.accessProviders: ${name} has no execConfig.command`)
    const isThere = plugins.some(
      ({ mountPath }) => command === mountPath || command.startsWith(`${mountPath.replace(/\/$/, '')}/`),
    )
    if (!isThere) throw new Error(`the command ${command} of provider ${name} does not live under the mountPath of a plugin`)
  }
  return sortedJson({ providers })
}

function volumeOf({ name, image, mountPath, pullPolicy }: PluginValues): IdentityChart['volumes'][number] {
  if (!/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name))
    throw new Error(`clusterInventory.plugins: ${name} is no name of a plugin`)
  return {
    volume: { name: `plugin-${name}`, image: { reference: image, ...given({ pullPolicy }) } },
    mountPath,
  }
}

/** `key=value`, percent-encoded; what a person says wins. */
function resourceAttributes({ logging }: IdentityChartValues, { appVersion }: ChartPlace): string {
  const { serviceName, serviceNamespace, serviceVersion, deploymentEnvironmentName, attributes } = logging.resource
  const all: Words = {
    'service.name': serviceName,
    'service.namespace': serviceNamespace,
    'service.version': serviceVersion || appVersion,
    ...(deploymentEnvironmentName === '' ? {} : { 'deployment.environment.name': deploymentEnvironmentName }),
    ...attributes,
  }
  return pairs(all, percentEncoded)
}

function environment({ aws, logging }: IdentityChartValues, attributes: string): IdentityChart['env'] {
  const { endpoint, logsEndpoint, protocol, logsProtocol, insecure, logsInsecure, headers, logsHeaders } = logging.otlp
  const name = logging.resource.attributes['service.name'] ?? logging.resource.serviceName
  const some = (key: string, value: string): IdentityChart['env'] => (value === '' ? [] : [{ name: key, value }])
  return [
    { name: 'AWS_ENDPOINT_URL', value: aws.endpointURL },
    { name: 'OTEL_SERVICE_NAME', value: name },
    { name: 'OTEL_RESOURCE_ATTRIBUTES', value: attributes },
    { name: 'OTEL_LOGS_EXPORTER', value: logging.exporter },
    ...some('OTEL_EXPORTER_OTLP_ENDPOINT', endpoint),
    ...some('OTEL_EXPORTER_OTLP_LOGS_ENDPOINT', logsEndpoint),
    ...some('OTEL_EXPORTER_OTLP_PROTOCOL', protocol),
    ...some('OTEL_EXPORTER_OTLP_LOGS_PROTOCOL', logsProtocol),
    ...some('OTEL_EXPORTER_OTLP_INSECURE', insecure ? 'true' : ''),
    ...some('OTEL_EXPORTER_OTLP_LOGS_INSECURE', logsInsecure ? 'true' : ''),
    ...some('OTEL_EXPORTER_OTLP_HEADERS', pairs(headers)),
    ...some('OTEL_EXPORTER_OTLP_LOGS_HEADERS', pairs(logsHeaders)),
  ]
}

function operatorConfig({ operatorConfig: config }: IdentityChartValues, place: ChartPlace): readonly KubeObject[] {
  const { create, name, spec, labels, annotations } = config
  if (!create) return []
  if (name !== 'default') throw new Error(`operatorConfig.name: ${name}; the only one that is read is default`)
  if (Object.keys(spec).length === 0) throw new Error('operatorConfig.create needs operatorConfig.spec')
  const { apiVersion, kind } = operatorConfigKind.make({ name }, {})
  return [{ apiVersion, kind, metadata: place.metadata(name, { labels, annotations }), spec } as KubeObject]
}

/** The account as which the operator comes to each cluster, and what it may do there. */
function ocmObjects(values: IdentityChartValues, place: ChartPlace): readonly KubeObject[] {
  const { create, namespaces, name, addonInstallNamespace, rotation, remotePermissions } = values.ocm.managedServiceAccount
  if (!create) return []
  if (namespaces.length === 0) throw new Error('ocm.managedServiceAccount.create needs ocm.managedServiceAccount.namespaces')
  const permissions = remotePermissions.name || `${place.fullname}-ocm-remote-permissions`
  const manifests = renderTargetManifests({
    name: permissions,
    webhookNamespace: webhookNamespaceOf(values),
    account: { namespace: addonInstallNamespace, name },
  })
  return namespaces.flatMap(namespace => [
    {
      apiVersion: 'authentication.open-cluster-management.io/v1beta1',
      kind: 'ManagedServiceAccount',
      metadata: accountMetadata(values, place, namespace),
      spec: { rotation },
    } as KubeObject,
    {
      apiVersion: 'work.open-cluster-management.io/v1',
      kind: 'ManifestWork',
      metadata: place.metadata(permissions, { namespace }),
      spec: { workload: { manifests } },
    } as KubeObject,
  ])
}

/** Without this label nobody puts the credentials where they are looked for, so a person cannot take it away. */
const syncLabel = { 'authentication.open-cluster-management.io/sync-to-clusterprofile': 'true' }

function accountMetadata({ ocm }: IdentityChartValues, place: ChartPlace, namespace: string): KubeObject['metadata'] {
  const { name, labels, annotations } = ocm.managedServiceAccount
  return place.metadata(name, { namespace, labels: { ...labels, ...syncLabel }, annotations })
}

function webhookNamespaceOf({ ocm, operatorConfig: config }: IdentityChartValues): string {
  const { webhookNamespace } = ocm.managedServiceAccount.remotePermissions
  return webhookNamespace || (config.create ? config.spec.selfHostedIRSA?.webhookNamespace : undefined) || webhookNamespaceDefault
}

function pairs(words: Words, written: (text: string) => string = text => text): string {
  return Object.keys(words)
    .sort()
    .map(key => `${key}=${written(words[key] ?? '')}`)
    .join(',')
}

/** As Go's `url.QueryEscape`, but for spaces. */
function percentEncoded(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, each => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** As templates print it: keys in order, so that the same file has the same checksum. */
function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  )
}
