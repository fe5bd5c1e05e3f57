// What runs against one cluster until it is told to stop, or cannot go on: the client opened, the process among the metrics, and both ended.
import { given, type Seams } from '#base'
import { connect, type KubeClient } from '#kube/client'
import { Metrics, openScope, processMetrics, type Tracer } from '#runtime'

/** What the process brings for any webhook. */
export interface Ground {
  readonly seams: Seams
  readonly version?: string
  /** Where it counts; others may read them too. */
  readonly metrics?: Metrics
  readonly tracer?: Tracer
}

export interface WhichCluster {
  /** Empty: the cluster that the pod runs in. */
  readonly kubeconfig: string
  /** Empty: the one of the kubeconfig. */
  readonly server?: string
  /** What it calls itself towards the API server. */
  readonly program: string
}

export interface OnCluster {
  readonly client: KubeClient
  readonly seams: Seams
  readonly metrics: Metrics
  readonly tracer?: Tracer
  /** Ends what runs, with this error. */
  readonly onFatal: (error: Error) => void
}

/** Rejects when it cannot start, or must not go on. */
export async function onCluster(
  { seams, version, metrics = new Metrics(), tracer }: Ground,
  { kubeconfig, server = '', program }: WhichCluster,
  work: (on: OnCluster, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  if (seams.usage !== undefined) processMetrics(metrics, seams.usage)
  const { client } = await connect(seams, {
    ...(kubeconfig === '' ? {} : { kubeconfig: [kubeconfig] }),
    ...(server === '' ? {} : { server }),
    followsKubeconfig: true,
    userAgent: `${program}/${version ?? 'dev'}`,
  })
  const fatal = new AbortController()
  const onFatal = (error: Error): void => fatal.abort(error)
  const scope = openScope({ parents: [signal, fatal.signal] })
  try {
    await work({ client, seams, metrics, onFatal, ...given({ tracer }) }, scope.signal)
    fatal.signal.throwIfAborted()
  } finally {
    scope.end()
    await client.close()
  }
}
