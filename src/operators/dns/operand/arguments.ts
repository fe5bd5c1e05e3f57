// The arguments of one container, in the order that is contract.
import type { DnsSpec, SourceSpec } from '../api/spec.ts'
import type { Model } from '../convert/convert.ts'
import { renderLabelFilter } from '../domains/label-filter.ts'
import { versionArgs } from './capabilities.ts'
import type { OperandRequest } from './request.ts'

export interface ContainerPlace {
  readonly zone: string
  readonly index: number
  readonly provider: string
  readonly domainFlags: readonly string[]
}

/** Where the metrics of the first container are; each further one has the next port. */
export const firstMetricsPort = 7979

/** What the operand calls a source; undefined for one that this object cannot ask for. */
export function operandSource({ origin, spec }: Model): string | undefined {
  switch (spec.source.type) {
    case 'Service':
      return 'service'
    case 'OpenShiftRoute':
      return 'openshift-route'
    // Older versions had the word CRD and nothing behind it, and no word for the others.
    case 'CRD':
      return origin === 'v1beta2' ? 'crd' : undefined
    case 'Ingress':
      return origin === 'v1beta2' ? 'ingress' : undefined
    case 'GatewayHTTPRoute':
      return origin === 'v1beta2' ? 'gateway-httproute' : undefined
    default:
      return undefined
  }
}

export function commonArgs(request: OperandRequest, { zone, index, provider, domainFlags }: ContainerPlace): readonly string[] {
  const { model, ownerId, metricsHost, operandVersion } = request
  const { spec } = model
  return [
    ...domainFlags,
    `--metrics-address=${metricsHost}:${firstMetricsPort + index}`,
    `--txt-owner-id=${ownerId}`,
    `--provider=${provider}`,
    `--source=${operandSource(model)}`,
    `--policy=${policies[spec.ownership?.policy ?? 'Sync'] ?? 'sync'}`,
    '--registry=txt',
    `--log-level=${(spec.operand?.logLevel ?? 'Debug').toLowerCase()}`,
    ...(zone === '' ? [] : [`--zone-id-filter=${zone}`]),
    ...sourceArgs(model),
    ...intervalArgs(spec),
    ...newSourceArgs(spec.source, model.origin === 'v1beta2'),
    ...(spec.dryRun === true ? ['--dry-run'] : []),
    ...versionArgs(operandVersion),
  ]
}

const policies: Readonly<Record<string, string>> = { Sync: 'sync', UpsertOnly: 'upsert-only', CreateOnly: 'create-only' }

function sourceArgs({ spec: { source }, origin }: Model): readonly string[] {
  const labels = renderLabelFilter(source.labelFilter)
  const types = serviceTypes(source, origin === 'v1beta2')
  const { fqdnTemplate = [], openshiftRouteOptions, hostnameAnnotation } = source
  const isIgnored = hostnameAnnotation === 'Ignore'
  const routerName = openshiftRouteOptions?.routerName ?? ''
  return [
    ...(labels === undefined ? [] : [`--label-filter=${labels}`]),
    ...types.map(type => `--service-type-filter=${type}`),
    ...(types.includes('ClusterIP') ? ['--publish-internal-services'] : []),
    ...(isIgnored ? ['--ignore-hostname-annotation'] : []),
    ...templateArgs(fqdnTemplate, isIgnored && source.type === 'OpenShiftRoute'),
    ...(routerName === '' ? [] : [`--openshift-router-name=${routerName}`]),
  ]
}

/** The newest version means LoadBalancer where it names no types; older ones mean all. */
function serviceTypes({ type, service }: SourceSpec, isNew: boolean): readonly string[] {
  if (service === undefined) return isNew && type === 'Service' ? ['LoadBalancer'] : []
  return service.serviceType ?? []
}

/** The operand demands a template where the annotation is ignored, although the host comes from the Route. */
function templateArgs(templates: readonly string[], needsOne: boolean): readonly string[] {
  if (templates.length > 0) return [`--fqdn-template=${templates.join(',')}`]
  return needsOne ? ['--fqdn-template={{""}}'] : []
}

function intervalArgs({ intervalSeconds = 0 }: DnsSpec): readonly string[] {
  return intervalSeconds > 0 ? [`--interval=${intervalSeconds}s`] : []
}

function newSourceArgs(source: SourceSpec, isNew: boolean): readonly string[] {
  const { crd, namespace, annotationFilter, ingressClassNames = [] } = source
  const isCrd = isNew && source.type === 'CRD'
  return [
    ...(isCrd ? [`--crd-source-apiversion=${crd?.version ?? 'externaldns.k8s.io/v1alpha1'}`] : []),
    ...(isCrd ? [`--crd-source-kind=${crd?.kind ?? 'DNSEndpoint'}`] : []),
    ...(namespace === undefined ? [] : [`--namespace=${namespace}`]),
    ...(annotationFilter === undefined ? [] : [`--annotation-filter=${annotationFilter}`]),
    ...ingressClassNames.map(name => `--ingress-class=${name}`),
  ]
}
