// The dns operator, assembled for one manager: its controllers and its webhooks. Nothing is opened here.
import { type Clock, given, type Log } from '#base'
import type { KubeObject } from '#kube'
import type { KubeClient } from '#kube/client'
import { admissionHandler, type Metrics, type Reads, type RunningOperator, storageMigration, type WebhookHandler } from '#runtime'
import { admissionPath } from './admission/configuration.ts'
import { judge } from './admission/judge.ts'
import { rivalWarnings } from './admission/rival-warnings.ts'
import { conversionPath } from './api/kinds.ts'
import { crdName } from './api/names.ts'
import { conversionHandler } from './convert/review.ts'
import { credentialsController } from './credentials/controller.ts'
import { dnsController, dnsControllerName } from './external-dns/controller.ts'
import { LogFindings } from './findings/findings.ts'
import { logScan } from './findings/scan.ts'
import { type PreflightOptions, PreflightRunner } from './preflight/runner.ts'
import { claimType, type DnsSurroundings } from './settings.ts'
import { createTelemetry, type DnsTelemetry } from './telemetry/telemetry.ts'
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
  const telemetry = createTelemetry(options.metrics)
  const { settings } = surroundings
  const findings = new LogFindings()
  let world: Reads | undefined
  const controller = dnsControllerName
  const preflight =
    sts === undefined
      ? undefined
      : new PreflightRunner({ client, findings, log, controller, sts, onTried: tried => telemetry.tried(tried) })
  return {
    controllers: [
      dnsController({ surroundings, findings, ...given({ preflight }) }),
      credentialsController(surroundings),
      ...(settings.trustedCaConfigMap === '' ? [] : [trustedCaController(settings)]),
    ],
    companions: [
      logScan({ settings, client, clock, log, findings, controller, onTrouble: reason => telemetry.operandFailed(reason) }),
      ...(preflight === undefined ? [] : [preflight]),
      // Without the webhooks nobody converts what is stored otherwise.
      ...(settings.servesWebhooks ? [storageMigration({ client, clock, log, definitions: [crdName] })] : []),
    ],
    telemetry: telemetry.ofManager,
    attach: manager => {
      world = manager.world
      telemetry.attach(manager, claimType(surroundings))
    },
    ...(settings.servesWebhooks
      ? { webhooks: dnsWebhooks({ surroundings, log, telemetry, world: () => world }), conversions: [crdName] }
      : {}),
  }
}

export interface DnsWebhookOptions {
  readonly surroundings: DnsSurroundings
  readonly log: Log
  readonly telemetry: Pick<DnsTelemetry, 'judged' | 'converted'>
  /** What is known of other objects; nothing before there is a cache of them. */
  world(): Reads | undefined
}

/** By path: for a host that serves them, or for an API server in the same process. */
export function dnsWebhooks({
  surroundings,
  log,
  telemetry,
  world,
}: DnsWebhookOptions): Readonly<Record<string, WebhookHandler>> {
  const { platform, hasRoutes } = surroundings
  const context = {
    isOpenShift: platform.isOpenShift,
    hasRoutes,
    rivalsOf: (object: KubeObject) => rivalWarnings(object, world(), surroundings),
  }
  return {
    [admissionPath]: admissionHandler(request => {
      const answer = judge(request, context)
      telemetry.judged(answer.kind === 'allow')
      return answer
    }),
    [conversionPath]: conversionHandler(log, (from, to, result) => telemetry.converted(from, to, result)),
  }
}
