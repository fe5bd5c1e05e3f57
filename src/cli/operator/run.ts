// `vouch operator` at work: each of the operators that were chosen under a manager of its own, with its own client and lease; health,
// metrics and admission beside them; until it is told to stop.

import { type HttpListener, type Seams } from '#base'
import { type KubeClient, KubeError } from '#kube/client'
import { Metrics, processMetrics } from '#runtime'
import { openClients } from './clients.ts'
import type { OperatorRun, Part } from './operator-run.ts'
import { startPart } from './part.ts'
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
  const parts: Part[] = []
  const listeners: HttpListener[] = []
  try {
    const identity = `${seams.env.HOSTNAME ?? 'vouch'}_${seams.random.uuid()}`
    for (const chosen of settings.chosen) parts.push(await startPart({ run, clients, metrics, identity }, chosen))
    run.onStarted?.()
    await serveProcess({ run, client: clients.own, namespace: clients.namespace, metrics, parts, listeners }, stop.signal)
  } finally {
    signal.removeEventListener('abort', onAbort)
    stop.abort(new Error('the operator stops'))
    await Promise.all(listeners.map(listener => listener.close(1_000)))
    for (const { running } of parts) await running.close?.()
    await clients.close()
  }
}

/** Logs at once that nobody answers at the address of the API server. The caches try again until somebody does. */
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
