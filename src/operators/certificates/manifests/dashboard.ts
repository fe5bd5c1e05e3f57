// A dashboard of Grafana over the metrics of the operator: one row of panels for each question that people ask. It is found by the label
// that Grafana's own chart looks for.
import type { KubeObject } from '#kube'
import type { InstallPlace } from '#runtime'

export interface Panel {
  readonly title: string
  readonly unit: 'short' | 's' | 'ops' | 'd'
  /** By legend. */
  readonly queries: Readonly<Record<string, string>>
}

export const panels: readonly Panel[] = [
  { title: 'Certs by state', unit: 'short', queries: { '{{state}}': 'sum by (state) (cert_operator_certificates_total)' } },
  {
    title: 'Certificates by days left',
    unit: 'short',
    queries: {
      '{{bucket}}': 'sum by (bucket) (cert_operator_certificate_expiry_buckets)',
      expired: 'sum(cert_operator_certificates_expired)',
    },
  },
  {
    title: 'The ten that end first',
    unit: 'd',
    queries: { '{{namespace}}/{{name}}': 'bottomk(10, cert_operator_certificate_expiry_days)' },
  },
  {
    title: 'Renewal and deletion',
    unit: 'short',
    queries: {
      '{{reason}}': 'sum by (reason) (cert_operator_renewal_unhealthy)',
      'deletions blocked': 'sum(cert_operator_deletions_blocked)',
    },
  },
  {
    title: 'Time to Ready',
    unit: 's',
    queries: {
      half: 'histogram_quantile(0.5, sum by (le) (rate(cert_operator_time_to_ready_seconds_bucket[1h])))',
      'nine of ten': 'histogram_quantile(0.9, sum by (le) (rate(cert_operator_time_to_ready_seconds_bucket[1h])))',
    },
  },
  {
    title: 'Calls of AWS',
    unit: 'ops',
    queries: {
      '{{operation}} {{success}}': 'sum by (operation, success) (rate(cert_operator_aws_api_calls_total[5m]))',
      'throttled {{operation}}': 'sum by (operation) (rate(cert_operator_throttling_events_total[5m]))',
    },
  },
  {
    title: 'Time of calls of AWS',
    unit: 's',
    queries: {
      '{{operation}}': 'histogram_quantile(0.9, sum by (le, operation) (rate(cert_operator_aws_api_latency_seconds_bucket[5m])))',
    },
  },
  {
    title: 'CallBuckets',
    unit: 's',
    queries: {
      'wait {{service}}':
        'histogram_quantile(0.9, sum by (le, service) (rate(cert_operator_rate_limit_wait_seconds_bucket[5m])))',
      'tokens {{service}}': 'min by (service) (cert_operator_rate_limiter_tokens)',
    },
  },
  {
    title: 'Memory of answers',
    unit: 'short',
    queries: {
      'share of hits':
        'sum(rate(cert_operator_cache_hits_total[5m])) / (sum(rate(cert_operator_cache_hits_total[5m])) + sum(rate(cert_operator_cache_misses_total[5m])))',
      entries: 'sum(cert_operator_cache_entries)',
    },
  },
  {
    title: 'Breakers',
    unit: 'short',
    queries: { '{{service}}': 'max by (service) (cert_operator_circuit_breaker_state)' },
  },
  {
    title: 'Webhook',
    unit: 'ops',
    queries: {
      '{{result}}': 'sum by (result) (rate(cert_operator_webhook_requests_total[5m]))',
      'let through': 'sum(rate(cert_operator_webhook_fail_open_total[5m]))',
    },
  },
  {
    title: 'Passes',
    unit: 'ops',
    queries: { '{{state}} {{success}}': 'sum by (state, success) (rate(cert_operator_reconcile_duration_seconds_count[5m]))' },
  },
]

const columns = 3
const width = 24 / columns
const height = 8

export function renderDashboard(): object {
  return {
    uid: 'vouch-certificates',
    title: 'Certificates',
    schemaVersion: 39,
    version: 1,
    time: { from: 'now-24h', to: 'now' },
    templating: { list: [{ name: 'datasource', type: 'datasource', query: 'prometheus' }] },
    panels: panels.map(renderPanel),
  }
}

function renderPanel({ title, unit, queries }: Panel, index: number): object {
  const datasource = { type: 'prometheus', uid: '$datasource' }
  return {
    id: index + 1,
    type: 'timeseries',
    title,
    datasource,
    fieldConfig: { defaults: { unit }, overrides: [] },
    gridPos: { x: (index % columns) * width, y: Math.floor(index / columns) * height, w: width, h: height },
    targets: Object.entries(queries).map(([legendFormat, expr], target) => ({
      refId: String.fromCharCode(65 + target),
      datasource,
      expr,
      legendFormat,
    })),
  }
}

export function dashboardConfigMap({ name, namespace, labels }: InstallPlace): KubeObject & { readonly data: object } {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `${name}-certificates-dashboard`, namespace, labels: { ...labels, grafana_dashboard: '1' } },
    data: { 'certificates.json': `${JSON.stringify(renderDashboard(), null, 2)}\n` },
  }
}
