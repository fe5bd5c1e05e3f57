// One operator of a process, put together: started with its own client, under a manager of its own with a lease of its own.
import { given } from '#base'
import type { KubeClient } from '#kube/client'
import { createManager, leaseTimes, type Metrics, type RunningOperator } from '#runtime'
import { build } from '../frame/version.ts'
import type { ChosenOperator } from './flags.ts'
import type { OperatorRun, Part } from './operator-run.ts'

export interface PartOptions {
  readonly run: OperatorRun
  readonly clients: PartClients
  readonly metrics: Metrics
  /** Among all processes that compete for the leases. */
  readonly identity: string
}

export interface PartClients {
  /** The process's own, for leases. */
  readonly own: KubeClient
  /** Where the process runs. */
  readonly namespace: string
  of(operator: string): KubeClient
}

/** Starts the operator. When it cannot start, what was opened for it is closed again. */
export async function startPart(options: PartOptions, chosen: ChosenOperator): Promise<Part> {
  const { run, clients, metrics } = options
  const { operator, settings } = chosen
  const context = { seams: run.seams, client: clients.of(operator.name), metrics, version: run.version, build }
  const running = await operator.start(settings, context)
  try {
    return manage(options, chosen, running)
  } catch (error) {
    await running.close?.()
    throw error
  }
}

function manage({ run, clients, metrics, identity }: PartOptions, { operator }: ChosenOperator, running: RunningOperator): Part {
  const { seams, tracer, settings } = run
  const { elects, leaseNamespace } = settings.process
  const shards = operator.sharesWork === true ? settings.process.shards : undefined
  const lease = { namespace: leaseNamespace ?? clients.namespace, name: operator.lease }
  const manager = createManager({
    client: clients.of(operator.name),
    seams,
    metrics,
    identity,
    ...(settings.chosen.length > 1 ? { name: operator.name } : {}),
    controllers: running.controllers,
    companions: running.companions ?? [],
    ...given({ tracer }),
    ...running.telemetry,
    ...(elects || settings.process.shards !== undefined
      ? { election: { client: clients.own, lease, ...leaseTimes, ...given({ shards }) } }
      : {}),
  })
  running.attach?.(manager)
  return { name: operator.name, running, manager }
}
