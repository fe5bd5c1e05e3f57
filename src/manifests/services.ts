// How others find the process: its Services, what watches its metrics, and what keeps strangers away.
import type { KubeObject } from '#kube'
import { fullnameOf, type Install, metadataOf, namespaceOf, selectorOf } from './install.ts'
import type { Passed } from './values.ts'

/** The Service by which the API server calls the admission webhooks. */
export function webhookService(install: Install): KubeObject {
  const name = `${fullnameOf(install)}-webhook`
  const ports = [{ name: 'webhook', protocol: 'TCP', port: 443, targetPort: 'webhook' }]
  return service(install, name, { spec: { type: 'ClusterIP', selector: selectorOf(install), ports } })
}

const serviceTypes = ['ClusterIP', 'NodePort', 'LoadBalancer']

export function metricsService(install: Install): readonly KubeObject[] {
  const { enabled, type, port, annotations } = install.values.metrics.service
  if (!enabled) return []
  if (!serviceTypes.includes(type)) throw new Error(`metrics.service.type: ${type} is none of ${serviceTypes.join(', ')}`)
  const ports = [{ name: 'metrics', protocol: 'TCP', port, targetPort: 'metrics' }]
  const labels = { 'app.kubernetes.io/component': 'metrics' }
  const spec = { type, selector: selectorOf(install), ports }
  return [service(install, `${fullnameOf(install)}-metrics`, { labels, annotations, spec })]
}

interface ServiceParts {
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly spec: object
}

function service(install: Install, name: string, { labels = {}, annotations = {}, spec }: ServiceParts): KubeObject {
  const metadata = metadataOf(install, name, { namespace: namespaceOf(install), labels, annotations })
  return { apiVersion: 'v1', kind: 'Service', metadata, spec } as KubeObject
}

/** The ServiceMonitor by which the Prometheus operator finds the metrics. */
export function serviceMonitor(install: Install): readonly KubeObject[] {
  const monitor = install.values.serviceMonitor
  if (!monitor.enabled) return []
  if (!install.values.metrics.service.enabled) throw new Error('serviceMonitor.enabled needs metrics.service.enabled')
  const own = namespaceOf(install)
  const namespace = monitor.namespace || own
  const elsewhere = namespace === own ? {} : { namespaceSelector: { matchNames: [own] } }
  const selector =
    Object.keys(monitor.namespaceSelector).length > 0 ? { namespaceSelector: monitor.namespaceSelector } : elsewhere
  const matchLabels = { ...selectorOf(install), 'app.kubernetes.io/component': 'metrics' }
  const { labels, annotations } = monitor
  return [
    {
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'ServiceMonitor',
      metadata: metadataOf(install, fullnameOf(install), { namespace, labels, annotations }),
      spec: { endpoints: [endpointOf(install)], ...selector, selector: { matchLabels } },
    } as KubeObject,
  ]
}

function endpointOf({ values }: Install): object {
  const { interval, scrapeTimeout, path, scheme, honorLabels, bearerTokenFile, authorization } = values.serviceMonitor
  const { relabelings, metricRelabelings } = values.serviceMonitor
  const some = (name: string, list: readonly Passed[]): object => (list.length === 0 ? {} : { [name]: list })
  return {
    port: 'metrics',
    interval,
    scrapeTimeout,
    path,
    scheme,
    honorLabels,
    ...(Object.keys(authorization).length > 0 ? { authorization } : { bearerTokenFile }),
    ...some('relabelings', relabelings),
    ...some('metricRelabelings', metricRelabelings),
  }
}

export function disruptionBudget(install: Install): readonly KubeObject[] {
  const { enabled, maxUnavailable } = install.values.podDisruptionBudget
  if (!enabled) return []
  const metadata = metadataOf(install, fullnameOf(install), { namespace: namespaceOf(install) })
  const spec = { maxUnavailable, selector: { matchLabels: selectorOf(install) } }
  return [{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata, spec } as KubeObject]
}

/** Opens the ports of the process and no others. They are open to everybody: API servers and kubelets call from no pod, and a policy names pods. */
export function networkPolicy(install: Install, admits: boolean): readonly KubeObject[] {
  if (!install.values.networkPolicy.enabled) return []
  const metadata = metadataOf(install, fullnameOf(install), { namespace: namespaceOf(install) })
  const ports = [...(admits ? ['webhook'] : []), 'metrics', 'health'].map(port => ({ protocol: 'TCP', port }))
  const spec = { podSelector: { matchLabels: selectorOf(install) }, policyTypes: ['Ingress'], ingress: [{ ports }] }
  return [{ apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata, spec } as KubeObject]
}
