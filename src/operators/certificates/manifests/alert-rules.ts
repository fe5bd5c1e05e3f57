// Alerts over the metrics of the operator, as the Prometheus operator and promtool take them. Each says what is wrong, and where it is
// written what to do.
import type { KubeObject } from '#kube'
import type { InstallPlace } from '#runtime'

export interface AlertRule {
  readonly alert: string
  readonly expr: string
  readonly for: string
  readonly severity: 'warning' | 'critical'
  readonly summary: string
}

/** Where it says what to do, alert by alert. */
export const runbookPage = 'docs/guides/certificate-alerts.md'

export const alertRules: readonly AlertRule[] = [
  {
    alert: 'CertificateExpiringSoon',
    expr: 'cert_operator_certificate_expiry_days < 14 and cert_operator_certificate_expiry_days > 0',
    for: '1h',
    severity: 'warning',
    summary: 'The certificate of Cert {{ $labels.namespace }}/{{ $labels.name }} ends in {{ $value }} days',
  },
  {
    alert: 'CertificateExpiryCritical',
    expr: 'cert_operator_certificate_expiry_days <= 7 and cert_operator_certificate_expiry_days > 0',
    for: '30m',
    severity: 'critical',
    summary: 'The certificate of Cert {{ $labels.namespace }}/{{ $labels.name }} ends in {{ $value }} days',
  },
  {
    alert: 'AWSAPIThrottlingHigh',
    expr: 'rate(cert_operator_throttling_events_total[5m]) > 0.1',
    for: '5m',
    severity: 'warning',
    summary: 'AWS throttles {{ $labels.operation }}',
  },
  {
    alert: 'CertificatesFailed',
    expr: 'cert_operator_certificates_total{state="Failed"} > 0',
    for: '15m',
    severity: 'warning',
    summary: '{{ $value }} Certs have failed',
  },
  {
    alert: 'HighReconciliationErrorRate',
    expr: 'sum(rate(cert_operator_reconcile_duration_seconds_count{success="false"}[5m])) / sum(rate(cert_operator_reconcile_duration_seconds_count[5m])) > 0.1',
    for: '10m',
    severity: 'warning',
    summary: 'More than a tenth of the passes over Certs fail',
  },
  {
    alert: 'CertificateExpired',
    expr: 'cert_operator_certificates_expired > 0',
    for: '5m',
    severity: 'critical',
    summary: '{{ $value }} certificates are past their end',
  },
  {
    alert: 'CertificateRenewalUnhealthy',
    expr: 'sum(cert_operator_renewal_unhealthy) > 0',
    for: '1h',
    severity: 'warning',
    summary: '{{ $value }} certificates are not renewed as a matter of course',
  },
  {
    alert: 'CertificateStuck',
    expr: 'cert_operator_oldest_in_state_seconds{state=~"Pending|Created|Validated"} > 7200',
    for: '15m',
    severity: 'warning',
    summary: 'A Cert has been {{ $labels.state }} for more than two hours',
  },
  {
    alert: 'AWSCircuitOpen',
    expr: 'max by (service) (cert_operator_circuit_breaker_state) == 2',
    for: '5m',
    severity: 'critical',
    summary: '{{ $labels.service }} does not answer, and is not called for a while',
  },
  {
    alert: 'ExpiryTrackingOverflow',
    expr: 'cert_operator_certificates_not_tracked > 0',
    for: '30m',
    severity: 'warning',
    summary: '{{ $value }} certificates that end soon have no series of their own',
  },
  {
    alert: 'WebhookFailingOpen',
    expr: 'increase(cert_operator_webhook_fail_open_total[10m]) > 0',
    for: '0m',
    severity: 'warning',
    summary: 'Certs are let through without a check',
  },
  {
    alert: 'CertOperatorNoLeader',
    expr: 'sum(cert_operator_leader) != 1',
    for: '5m',
    severity: 'critical',
    summary: '{{ $value }} processes lead the certificate operator, where exactly one has to',
  },
]

/** A file of rules as Prometheus reads it; also the spec of a PrometheusRule. */
export function renderRuleGroups(): { readonly groups: readonly object[] } {
  const rules = alertRules.map(({ alert, expr, for: pending, severity, summary }) => ({
    alert,
    expr,
    for: pending,
    labels: { severity },
    annotations: { summary, runbook: `${runbookPage}#${alert.toLowerCase()}` },
  }))
  return { groups: [{ name: 'cert-operator', rules }] }
}

export function prometheusRule({ name, namespace, labels }: InstallPlace): KubeObject & { readonly spec: object } {
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: `${name}-certificates`, namespace, labels },
    spec: renderRuleGroups(),
  }
}
