// How often the certificate of a listener was looked at and how often that failed, under the names of controller-runtime, wherever it
// comes from.
import type { Counter, Metrics } from '../metrics/registry.ts'

export interface CertificateMetrics {
  readonly reads: Counter
  readonly errors: Counter
}

export function certificateMetrics(metrics: Metrics): CertificateMetrics {
  return {
    reads: metrics.counter('certwatcher_read_certificate_total', 'Total number of certificate reads'),
    errors: metrics.counter('certwatcher_read_certificate_errors_total', 'Total number of certificate read errors'),
  }
}
