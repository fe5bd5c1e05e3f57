// The flags of the dns operator: those of the existing operator by name and default, and ours.
import { commaList, FlagError, type FlagGroup, type FlagValues, flagOf } from '#base'
import { dnsLabelErrors } from '#kube'
import type { ProcessChoices } from '#runtime'
import { type ApiVersionName, storageVersion } from './api/names.ts'
import { bakedOperandVersion, parseOperandVersion } from './operand/capabilities.ts'
import type { DnsSettings } from './settings.ts'

const { text, boolean, integer, duration } = flagOf

const defaultImage = `registry.k8s.io/external-dns/external-dns:v${bakedOperandVersion}`

export const flagGroups: readonly FlagGroup[] = [
  {
    title: 'ExternalDNS',
    flags: [
      text('operator-namespace', 'external-dns-operator', 'where the Secrets that objects name are'),
      text('operand-namespace', 'external-dns', 'where the Deployments of ExternalDNS are made'),
      text('externaldns-image', defaultImage, 'image of ExternalDNS; RELATED_IMAGE_EXTERNAL_DNS where it is not given'),
      text('operand-version', bakedOperandVersion, 'version of that image, by which it is known what it can do'),
      text(
        'trusted-ca-configmap',
        '',
        'ConfigMap of the operator namespace with authorities that ExternalDNS trusts; none when empty',
      ),
      boolean('enable-webhook', true, 'serve the webhooks of ExternalDNS objects'),
      boolean('enable-platform-detection', true, 'find out whether this is OpenShift; plain Kubernetes otherwise'),
      integer('requeue-period', 5, 'seconds until a missing Secret or ConfigMap is looked for again'),
      duration('log-scan-interval', '60s', 'how often the logs of ExternalDNS are read'),
      integer('log-scan-lines', 200, 'how many lines of each container'),
      boolean('preflight-enabled', true, 'try the credentials and roles of AWS'),
      text('cluster-id', '', 'part of the owner id of new objects, where several clusters share a zone'),
      text('operand-metrics-bind', 'loopback', 'where ExternalDNS serves its metrics: loopback, all, or an address'),
      boolean('per-instance-rbac', false, 'give each ServiceAccount of ExternalDNS its own rights, by its source'),
      text(
        'dns-storage-version',
        storageVersion,
        'version in which the manifests have objects stored, and the operator reads them: v1beta1, or v1beta2; those that are stored otherwise are moved',
      ),
      text('dns-monitoring', 'none', 'what the manifests bring besides: none, or prometheus for alert rules'),
      text(
        'binding-namespaces',
        '',
        'where an AWSServiceAccountRole is made for an object that asks for it, separated by commas; --operand-namespace when empty',
      ),
    ],
  },
]

export function readDnsFlags(values: FlagValues, { workers, env }: ProcessChoices): DnsSettings {
  return {
    operatorNamespace: readNamespace(values, 'operator-namespace', env.OPERATOR_NAMESPACE),
    operandNamespace: readNamespace(values, 'operand-namespace', undefined),
    isPlaced: values.given.has('operand-namespace'),
    image: readImage(values, env.RELATED_IMAGE_EXTERNAL_DNS),
    operandVersion: readVersion(values.text('operand-version')),
    trustedCaConfigMap: values.text('trusted-ca-configmap').trim(),
    storageVersion: readStorageVersion(values.text('dns-storage-version')),
    servesWebhooks: values.boolean('enable-webhook'),
    detectsPlatform: values.boolean('enable-platform-detection'),
    requeueMs: readSeconds(values, 'requeue-period') * 1_000,
    logScanMs: values.durationMs('log-scan-interval'),
    logScanLines: Number(values.integer('log-scan-lines')),
    preflightEnabled: values.boolean('preflight-enabled'),
    clusterId: readClusterId(values.text('cluster-id')),
    metricsHost: readMetricsHost(values.text('operand-metrics-bind')),
    perInstanceRbac: values.boolean('per-instance-rbac'),
    bindingNamespaces: readBindingNamespaces(values),
    monitoring: readMonitoring(values.text('dns-monitoring')),
    proxy: { HTTP_PROXY: env.HTTP_PROXY, HTTPS_PROXY: env.HTTPS_PROXY, NO_PROXY: env.NO_PROXY },
    workers,
  }
}

function readNamespace(values: FlagValues, flag: string, fallback: string | undefined): string {
  const given = values.text(flag)
  const name = !values.given.has(flag) && fallback !== undefined && fallback !== '' ? fallback : given
  if (dnsLabelErrors(name).length > 0) throw new FlagError(`--${flag}: ${JSON.stringify(name)} is no name of a namespace`)
  return name
}

/** Where the operands are, where nobody says otherwise. */
function readBindingNamespaces(values: FlagValues): readonly string[] {
  const names = commaList(values.text('binding-namespaces'))
  const wrong = names.find(name => dnsLabelErrors(name).length > 0)
  if (wrong !== undefined) throw new FlagError(`--binding-namespaces: ${JSON.stringify(wrong)} is no name of a namespace`)
  return names.length > 0 ? names : [readNamespace(values, 'operand-namespace', undefined)]
}

function readImage(values: FlagValues, related: string | undefined): string {
  const given = values.text('externaldns-image')
  if (!values.given.has('externaldns-image') && related !== undefined && related !== '') return related
  if (given === '') throw new FlagError('--externaldns-image is empty; leave it out for the image of this release')
  return given
}

function readVersion(text: string): string {
  if (parseOperandVersion(text) === undefined)
    throw new FlagError(`--operand-version: ${JSON.stringify(text)} is no version such as 0.14.2`)
  return text
}

function readSeconds(values: FlagValues, flag: string): number {
  const seconds = Number(values.integer(flag))
  if (seconds < 1 || seconds > 3_600) throw new FlagError(`--${flag}: ${seconds} is not between 1 and 3600 seconds`)
  return seconds
}

function readClusterId(text: string): string {
  if (text !== '' && !/^[A-Za-z0-9_.-]{1,40}$/.test(text))
    throw new FlagError(`--cluster-id: ${JSON.stringify(text)} has to be of letters, digits and _.-, at most 40`)
  return text
}

function readStorageVersion(text: string): ApiVersionName {
  if (text !== 'v1beta1' && text !== 'v1beta2')
    throw new FlagError(`--dns-storage-version: ${JSON.stringify(text)} is neither v1beta1 nor v1beta2`)
  return text
}

function readMonitoring(text: string): 'none' | 'prometheus' {
  if (text !== 'none' && text !== 'prometheus')
    throw new FlagError(`--dns-monitoring: ${JSON.stringify(text)} is neither none nor prometheus`)
  return text
}

function readMetricsHost(text: string): string {
  if (text === 'loopback') return '127.0.0.1'
  if (text === 'all') return ''
  const host = text.includes(':') ? `[${text}]` : text
  // A text that is no address stays a name in the URL, or makes no URL.
  if (!/^(?:\[.*\]|[\d.]+)$/.test(host) || !URL.canParse(`http://${host}:1`) || new URL(`http://${host}:1`).hostname !== host)
    throw new FlagError(`--operand-metrics-bind: ${JSON.stringify(text)} is neither loopback nor all, nor an address`)
  return host
}
