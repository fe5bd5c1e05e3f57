// The innermost layer: one try by the suite's client, which signs and sends. Repetitions are the business of one layer only.
import type { AwsClients } from '#aws/client'
import { given } from '#base'
import type { CallMetrics } from '../telemetry/call-metrics.ts'
import type { LayerCaller } from './call.ts'
import { modelOf } from './models.ts'

export interface ClientCallerOptions {
  readonly clients: Pick<AwsClients, 'for'>
  readonly region: string
  /** For the names of role sessions. */
  readonly clusterId: string
  readonly metrics?: CallMetrics | undefined
}

/** As long as STS gives at least. */
const sessionSeconds = 900

export function clientCaller({ clients, region, clusterId, metrics }: ClientCallerOptions): LayerCaller {
  return async (call, { signal, beforeTry }) => {
    const { service, operation, input, zone } = call
    const role =
      zone?.assumeRoleArn === undefined
        ? undefined
        : {
            roleArn: zone.assumeRoleArn,
            sessionName: `cert-operator-${clusterId}`.slice(0, 64),
            durationSeconds: sessionSeconds,
            ...given({ externalId: zone.externalId }),
          }
    const client = clients.for({ model: modelOf(service), region: call.region ?? region, role })
    const told = metrics?.begin(operation)
    try {
      const { output } = await client.send(operation, input, { signal, retryAmbiguous: false, beforeTry })
      told?.(true)
      return output
    } catch (error) {
      told?.(false)
      throw error
    }
  }
}
