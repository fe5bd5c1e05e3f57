// The dns operator, assembled for one manager: its controllers and its webhooks. Nothing is opened here.
import type { Clock, Log } from '#base'
import type { KubeClient } from '#kube/client'
import { admissionHandler, type Metrics, type RunningOperator, type WebhookHandler } from '#runtime'
import { admissionPath } from './admission/configuration.ts'
import { judge } from './admission/judge.ts'
import { conversionPath } from './api/kinds.ts'
import { crdName } from './api/names.ts'
import { conversionHandler } from './convert/review.ts'
import { credentialsController } from './credentials/controller.ts'
import { dnsController, dnsControllerName } from './external-dns/controller.ts'
import { LogFindings } from './findings/findings.ts'
import { logScan } from './findings/scan.ts'
import { type PreflightOptions, PreflightRunner } from './preflight/runner.ts'
import type { DnsSurroundings } from './settings.ts'
import { trustedCaController } from './trusted-ca/controller.ts'

export interface DnsOperatorOptions {
  readonly surroundings: DnsSurroundings
  readonly client: KubeClient
  readonly log: Log
  readonly metrics: Metrics
  readonly clock: Clock
  /** How AWS is reached, to try credentials; they are not tried without it. */
  readonly sts?: PreflightOptions['sts']
}

export function createDnsOperator(options: DnsOperatorOptions): RunningOperator {
  const { surroundings, client, log, clock, sts } = options
  const { settings } = surroundings
  const findings = new LogFindings()
  const controller = dnsControllerName
  const preflight = sts === undefined ? undefined : new PreflightRunner({ client, findings, log, controller, sts })
  return {
    controllers: [
      dnsController({ surroundings, findings, ...(preflight === undefined ? {} : { preflight }) }),
      credentialsController(surroundings),
      ...(settings.trustedCaConfigMap === '' ? [] : [trustedCaController(settings)]),
    ],
    companions: [
      logScan({ settings, client, clock, log, findings, controller }),
      ...(preflight === undefined ? [] : [preflight]),
    ],
    ...(settings.servesWebhooks ? { webhooks: dnsWebhooks(options), conversions: [crdName] } : {}),
  }
}

/** By path: for a host that serves them, or for an API server in the same process. */
export function dnsWebhooks({
  surroundings,
  log,
  metrics,
}: Pick<DnsOperatorOptions, 'surroundings' | 'log' | 'metrics'>): Readonly<Record<string, WebhookHandler>> {
  const { platform, hasRoutes } = surroundings
  const conversions = metrics.counter(
    'externaldns_operator_conversion_total',
    'Objects that were converted, by version and result.',
  )
  const requests = metrics.counter('externaldns_operator_webhook_requests_total', 'Requests that the webhook judged, by result.')
  return {
    [admissionPath]: admissionHandler(request => {
      const answer = judge(request, { isOpenShift: platform.isOpenShift, hasRoutes })
      requests.add({ result: answer.kind === 'allow' ? 'allowed' : 'denied' })
      return answer
    }),
    [conversionPath]: conversionHandler(log, (from, to, result) => conversions.add({ from, to, result })),
  }
}
