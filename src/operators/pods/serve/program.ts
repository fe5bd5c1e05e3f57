// The AWS webhook as a process: what its flags mean for process.ts.
import type { Seams } from '#base'
import { connect, type KubeClient } from '#kube/client'
import { type CertificateSource, Metrics, processMetrics, type Tracer } from '#runtime'
import type { AwsProgram, AwsWebhookSettings } from '../flags/settings.ts'
import { certificateFiles } from './certificate.ts'
import { clusterCertificate } from './cluster-certificate.ts'
import { readComposition } from './compose.ts'
import { runWebhooks, type ServedWebhook } from './process.ts'
import { createPodWebhook, type PodWebhook } from './webhook.ts'

export interface RunOptions {
  readonly program: AwsProgram
  readonly seams: Seams
  /** Where each listener ended up, once the webhook answers. */
  readonly onListening?: (at: { readonly webhook: number; readonly metrics: number; readonly health: number | undefined }) => void
  readonly version?: string
  /** Where it counts; others may read them too. */
  readonly metrics?: Metrics
  readonly tracer?: Tracer
}

/** How long requests under way may take once we are told to stop (§5.8). */
const graceMs = 10_000

/** Runs until the signal aborts; rejects when it cannot start. */
export async function runAwsWebhook(options: RunOptions, signal: AbortSignal): Promise<void> {
  const { program, seams, onListening, version, metrics = new Metrics(), tracer } = options
  const { serving } = program
  const settings = await awsSettings(program, seams, signal)
  if (seams.usage !== undefined) processMetrics(metrics, seams.usage)
  const { client } = await connect(seams, {
    ...(program.kubeconfig === '' ? {} : { kubeconfig: [program.kubeconfig] }),
    ...(program.kubeApi === '' ? {} : { server: program.kubeApi }),
    followsKubeconfig: true,
    userAgent: `aws-pod-identity-webhook/${version ?? 'dev'}`,
  })
  const webhook = createPodWebhook({ client, seams, settings, metrics, ...(tracer === undefined ? {} : { tracer }) })
  try {
    const running = {
      seams,
      metrics,
      served: [awsServed(webhook, program, { client, seams, metrics })],
      metricsAt: [{ address: { host: serving.bindAddress, port: serving.metricsPort }, debug: webhook.debug }],
      healthAt: serving.health === undefined ? [] : [serving.health],
      graceMs,
      onListening: ({ webhooks, metrics: shown, health }: Ports): void => {
        const [port = 0, metricsPort = 0] = [webhooks[0], shown[0]]
        seams.log.info('serving', { port, metricsPort, namespace: settings.namespace })
        onListening?.({ webhook: port, metrics: metricsPort, health: health[0] })
      },
    }
    await runWebhooks(running, signal)
  } finally {
    await client.close()
  }
}

interface Ports {
  readonly webhooks: readonly number[]
  readonly metrics: readonly number[]
  readonly health: readonly number[]
}

/** What flags and, where they ask for it, the instance metadata service say. */
export async function awsSettings(program: AwsProgram, seams: Seams, signal: AbortSignal): Promise<AwsWebhookSettings> {
  if (program.ignored.length > 0) seams.log.warn('flags without effect here', { flags: program.ignored.join(', ') })
  const compose = await readComposition(program.compose, seams, signal)
  return {
    ...program.webhook,
    admission: { ...program.webhook.admission, ...(compose === undefined ? {} : { compose }) },
  }
}

export interface AwsServing {
  readonly client: KubeClient
  readonly seams: Seams
  readonly metrics: Metrics
}

export function awsServed(webhook: PodWebhook, program: AwsProgram, serving: AwsServing): ServedWebhook {
  return {
    webhook,
    listener: program.serving,
    certificate: certificateSource(program, serving),
    needsCertificateFirst: !program.serving.inCluster,
  }
}

function certificateSource(program: AwsProgram, { client, seams, metrics }: AwsServing): CertificateSource {
  const { serving, webhook } = program
  if (!serving.inCluster) return certificateFiles({ seams, metrics }, serving)
  const { clock, random, keys, log } = seams
  const { serviceName, tlsSecret: secretName, signerName } = serving
  const { namespace } = webhook
  return clusterCertificate({ client, clock, random, keys, log, metrics, namespace, serviceName, secretName, signerName })
}
