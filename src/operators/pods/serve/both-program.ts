// Both webhooks as one process: a listener for each, one cache of ServiceAccounts, one set of metrics, and readiness that speaks for both.
import type { Seams } from '#base'
import { connect } from '#kube/client'
import { Metrics, openScope, processMetrics, type Tracer } from '#runtime'
import type { ListenAddress } from '../flags/addresses.ts'
import type { BothPrograms } from '../flags/both-flags.ts'
import { azureServed, azureSettings } from './azure-program.ts'
import { createBothWebhooks } from './azure-webhook.ts'
import { runWebhooks } from './process.ts'
import { awsServed, awsSettings } from './program.ts'

export interface RunBothOptions {
  readonly programs: BothPrograms
  readonly seams: Seams
  readonly onListening?: (at: {
    readonly aws: number
    readonly azure: number
    readonly metrics: readonly number[]
    readonly health: readonly number[]
  }) => void
  readonly version?: string
  readonly metrics?: Metrics
  readonly tracer?: Tracer
}

/** The longer of the two: Azure's. */
const graceMs = 60_000

/** Runs until the signal aborts; rejects when it cannot start, or must not go on. */
export async function runBothWebhooks(options: RunBothOptions, signal: AbortSignal): Promise<void> {
  const { programs, seams, onListening, version, metrics = new Metrics(), tracer } = options
  const { aws, azure } = programs
  const settings = { aws: await awsSettings(aws, seams, signal), azure: await azureSettings(azure, seams.files) }
  if (seams.usage !== undefined) processMetrics(metrics, seams.usage)
  const { client } = await connect(seams, {
    ...(programs.kubeconfig === '' ? {} : { kubeconfig: [programs.kubeconfig] }),
    ...(aws.kubeApi === '' ? {} : { server: aws.kubeApi }),
    followsKubeconfig: true,
    userAgent: `identity-webhook/${version ?? 'dev'}`,
  })
  const fatal = new AbortController()
  const onFatal = (error: Error): void => fatal.abort(error)
  const webhooks = createBothWebhooks({
    client,
    seams,
    ...settings,
    metrics,
    onFatal,
    ...(tracer === undefined ? {} : { tracer }),
  })
  const scope = openScope({ parents: [signal, fatal.signal] })
  const at = (address: ListenAddress | undefined): readonly ListenAddress[] => (address === undefined ? [] : [address])
  try {
    const running = {
      seams,
      metrics,
      served: [
        awsServed(webhooks.aws, aws, { client, seams, metrics }),
        azureServed(webhooks.azure, azure, { client, seams, metrics }),
      ],
      metricsAt: [
        { address: { host: aws.serving.bindAddress, port: aws.serving.metricsPort }, debug: webhooks.aws.debug },
        ...at(azure.serving.metrics).map(address => ({ address, debug: webhooks.azure.debug })),
      ],
      healthAt: [...at(aws.serving.health), ...at(azure.serving.health)],
      graceMs,
      onListening: (ports: { webhooks: readonly number[]; metrics: readonly number[]; health: readonly number[] }): void => {
        const [awsPort = 0, azurePort = 0] = ports.webhooks
        seams.log.info('serving', { aws: awsPort, azure: azurePort })
        onListening?.({ aws: awsPort, azure: azurePort, metrics: ports.metrics, health: ports.health })
      },
    }
    await runWebhooks(running, scope.signal)
    fatal.signal.throwIfAborted()
  } finally {
    scope.end()
    await client.close()
  }
}
