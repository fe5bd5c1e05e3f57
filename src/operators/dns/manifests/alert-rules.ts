// Alerts over the metrics of the operator, as the Prometheus operator and promtool take them.
import type { KubeObject } from '#kube'
import type { InstallPlace } from '#runtime'

/** Where it says what to do, condition by condition. */
export const runbookPage = 'docs/guides/dns-troubleshooting.md'

const failing = (reasons: string): string => `sum(rate(externaldns_operator_operand_errors_total{reason=~"${reasons}"}[10m])) > 0`

export const dnsAlerts: readonly {
  readonly alert: string
  readonly expr: string
  readonly for: string
  readonly summary: string
}[] = [
  {
    alert: 'ExternalDNSAuthenticationFailing',
    expr: `${failing('AuthenticationFailed|AccessDenied')} or sum(rate(externaldns_operator_preflight_total{result="failure"}[30m])) > 0`,
    for: '10m',
    summary: 'Credentials or roles of ExternalDNS objects are refused',
  },
  {
    alert: 'ExternalDNSOperandCrashing',
    expr: failing('Crash'),
    for: '5m',
    summary: 'An ExternalDNS ends again and again',
  },
  {
    alert: 'ExternalDNSNotSynced',
    expr: 'sum(externaldns_operator_instances{available!="True"}) > 0',
    for: '15m',
    summary: '{{ $value }} ExternalDNS objects are not Available',
  },
  {
    alert: 'ExternalDNSOperatorHotLoop',
    expr: 'rate(externaldns_operator_deployment_updates_total[15m]) > 0.05',
    for: '15m',
    summary: 'Deployments of ExternalDNS are changed again and again: somebody else changes them back',
  },
]

/** A file of rules as Prometheus reads it; also the spec of a PrometheusRule. */
export function renderDnsRules(): { readonly groups: readonly object[] } {
  const rules = dnsAlerts.map(({ alert, expr, for: pending, summary }) => ({
    alert,
    expr,
    for: pending,
    labels: { severity: 'warning' },
    annotations: { summary, runbook: runbookPage },
  }))
  return { groups: [{ name: 'external-dns-operator', rules }] }
}

export function dnsPrometheusRule({ name, namespace, labels }: InstallPlace): KubeObject & { readonly spec: object } {
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: `${name}-dns`, namespace, labels },
    spec: renderDnsRules(),
  }
}
