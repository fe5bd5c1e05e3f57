// `vouch operator` at work: each of the operators that were chosen under a manager of its own, with its own client and lease; health,
// metrics and admission beside them; until it is told to stop.

import { type HttpListener, type Seams } from '#base'
import { type KubeClient, KubeError } from '#kube/client'
import { createManager, Metrics, processMetrics, type RunningOperator } from '#runtime'
import { build } from '../version.ts'
import { openClients, type ProcessClients } from './clients.ts'
import type { ChosenOperator } from './flags.ts'
import { leaseTimes } from './lease.ts'
import type { OperatorRun, Part } from './operator-run.ts'
import { serveProcess } from './serve.ts'

/** Runs until the signal aborts; rejects when it cannot start. */
export async function runOperator(run: OperatorRun, signal: AbortSignal): Promise<void> {
  const { settings, seams } = run
  const metrics = run.metrics ?? new Metrics()
  if (seams.usage !== undefined) processMetrics(metrics, seams.usage)
  const clients = await openClients(run)
  void tellSilence(clients.own, seams)
  const stop = new AbortController()
  const onAbort = (): void => stop.abort(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  const started: RunningOperator[] = []
  const listeners: HttpListener[] = []
  try {
    const identity = `${seams.env.HOSTNAME ?? 'vouch'}_${seams.random.uuid()}`
    const parts: Part[] = []
    for (const chosen of settings.chosen) {
      const running = await startOperator({ run, clients, metrics, chosen })
      started.push(running)
      parts.push(manage({ run, clients, metrics, chosen, running, identity }))
    }
    await serveProcess({ run, client: clients.own, namespace: clients.namespace, metrics, parts, listeners }, stop.signal)
  } finally {
    signal.removeEventListener('abort', onAbort)
    stop.abort(new Error('the operator stops'))
    await Promise.all(listeners.map(listener => listener.close(1_000)))
    for (const running of started) await running.close?.()
    await clients.close()
  }
}

/** An address where nobody answers is said at once, and not when the first cache gives up; what waits for it goes on waiting. */
async function tellSilence(client: KubeClient, { log }: Seams): Promise<void> {
  try {
    await client.serverVersion({ timeoutMs: answerMsMax })
  } catch (error) {
    if (error instanceof KubeError && error.code === 'refused') return
    log.error('the API server does not answer; trying again until it does', { address: client.address, why: whyNot(error) })
  }
}

const answerMsMax = 5_000

function whyNot(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

interface Starting {
  readonly run: OperatorRun
  readonly clients: ProcessClients
  readonly metrics: Metrics
  readonly chosen: ChosenOperator
}

function startOperator({ run, clients, metrics, chosen: { operator, settings } }: Starting): Promise<RunningOperator> {
  const { seams, version } = run
  return operator.start(settings, { seams, client: clients.of(operator.name), metrics, version, build })
}

interface Managed extends Starting {
  readonly running: RunningOperator
  readonly identity: string
}

function manage({ run, clients, metrics, chosen: { operator }, running, identity }: Managed): Part {
  const { seams, tracer, settings } = run
  const { elects, leaseNamespace } = settings.process
  const lease = { namespace: leaseNamespace ?? clients.namespace, name: operator.lease }
  const manager = createManager({
    client: clients.of(operator.name),
    seams,
    metrics,
    identity,
    ...(settings.chosen.length > 1 ? { name: operator.name } : {}),
    controllers: running.controllers,
    companions: running.companions ?? [],
    ...(tracer === undefined ? {} : { tracer }),
    ...running.telemetry,
    ...(elects ? { election: { client: clients.own, lease, ...leaseTimes } } : {}),
  })
  running.attach?.(manager)
  return { name: operator.name, running, manager }
}
