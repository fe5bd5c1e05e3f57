// Bounds of listeners that anybody in the cluster can reach. They are chosen so that a process with 256 MiB outlives whoever fills them, and
// so that nobody fills them alone: a connection over TLS costs about 40 KiB, and an API server has a few hundred of them at most.
import type { HttpLimits } from '#base'

/** The limits of a listener that API servers call. */
export const webhookListenLimits: Partial<HttpLimits> = {
  connectionsMax: 1_000,
  connectionsPerPeerMax: 500,
  headerTimeoutMs: 10_000,
  bodyTimeoutMs: 10_000,
  // Four bodies of the largest size at once, or thousands of ordinary ones.
  heldBytesMax: 32 * 1_024 * 1_024,
}

/** The limits of a listener for health and metrics, which a kubelet and a few scrapers call without a body. */
export const quietListenLimits: Partial<HttpLimits> = {
  connectionsMax: 100,
  connectionsPerPeerMax: 25,
  headerTimeoutMs: 10_000,
  bodyTimeoutMs: 10_000,
  heldBytesMax: 1_024 * 1_024,
}
