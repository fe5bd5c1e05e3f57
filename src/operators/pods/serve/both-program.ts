// Both webhooks as one process: a listener for each, one cache of ServiceAccounts, one set of metrics, and readiness that speaks for both.
import type { ListenAddress } from '../flags/addresses.ts'
import type { BothPrograms } from '../flags/both-flags.ts'
import { azureServed, azureSettings } from './azure-program.ts'
import { createBothWebhooks } from './azure-webhook.ts'
import { type Ground, type OnCluster, onCluster } from './on-cluster.ts'
import { type ListeningPorts, runWebhooks } from './process.ts'
import { awsServed, awsSettings } from './program.ts'

export interface RunBothOptions extends Ground {
  readonly programs: BothPrograms
  readonly onListening?: (at: {
    readonly aws: number
    readonly azure: number
    readonly metrics: readonly number[]
    readonly health: readonly number[]
  }) => void
}

/** The longer of the two: Azure's. */
const graceMs = 60_000

/** Runs until the signal aborts; rejects when it cannot start, or must not go on. */
export async function runBothWebhooks(options: RunBothOptions, signal: AbortSignal): Promise<void> {
  const { programs, seams, onListening } = options
  const { aws, azure, kubeconfig } = programs
  const settings = { aws: await awsSettings(aws, seams, signal), azure: await azureSettings(azure, seams.files) }
  await onCluster(options, { kubeconfig, server: aws.kubeApi, program: 'identity-webhook' }, work, signal)

  async function work(on: OnCluster, until: AbortSignal): Promise<void> {
    const { metrics } = on
    const webhooks = createBothWebhooks({ ...on, ...settings })
    const running = {
      seams,
      metrics,
      served: [awsServed(webhooks.aws, aws, on), azureServed(webhooks.azure, azure, on)],
      metricsAt: [
        { address: { host: aws.serving.bindAddress, port: aws.serving.metricsPort }, debug: webhooks.aws.debug },
        ...at(azure.serving.metrics).map(address => ({ address, debug: webhooks.azure.debug })),
      ],
      healthAt: [...at(aws.serving.health), ...at(azure.serving.health)],
      graceMs,
      onListening: ({ webhooks: [awsPort = 0, azurePort = 0], ...ports }: ListeningPorts): void => {
        seams.log.info('serving', { aws: awsPort, azure: azurePort })
        onListening?.({ aws: awsPort, azure: azurePort, ...ports })
      },
    }
    await runWebhooks(running, until)
  }
}

function at(address: ListenAddress | undefined): readonly ListenAddress[] {
  return address === undefined ? [] : [address]
}
