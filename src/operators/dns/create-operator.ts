// The dns operator, assembled for one manager: its controllers and its webhooks. Nothing is opened here.
import type { Log } from '#base'
import type { KubeClient } from '#kube/client'
import { admissionHandler, type Metrics, type RunningOperator, type WebhookHandler } from '#runtime'
import { admissionPath } from './admission/configuration.ts'
import { judge } from './admission/judge.ts'
import { conversionPath } from './api/kinds.ts'
import { crdName } from './api/names.ts'
import { conversionHandler } from './convert/review.ts'
import { credentialsController } from './credentials/controller.ts'
import { dnsController } from './external-dns/controller.ts'
import { Findings } from './findings/findings.ts'
import type { Surroundings } from './settings.ts'
import { trustedCaController } from './trusted-ca/controller.ts'

export interface DnsOperatorOptions {
  readonly surroundings: Surroundings
  readonly client: KubeClient
  readonly log: Log
  readonly metrics: Metrics
}

export function createDnsOperator(options: DnsOperatorOptions): RunningOperator {
  const { surroundings } = options
  const { settings } = surroundings
  const findings = new Findings()
  return {
    controllers: [
      dnsController({ surroundings, findings }),
      credentialsController(surroundings),
      ...(settings.trustedCaConfigMap === '' ? [] : [trustedCaController(settings)]),
    ],
    ...(settings.servesWebhooks ? { webhooks: dnsWebhooks(options), conversions: [crdName] } : {}),
  }
}

/** By path: for a host that serves them, or for an API server in the same process. */
export function dnsWebhooks({ surroundings, log, metrics }: DnsOperatorOptions): Readonly<Record<string, WebhookHandler>> {
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
