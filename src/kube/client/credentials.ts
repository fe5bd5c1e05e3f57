import type { HttpHeaders } from '#base'

/** Where a client's proof of who it is comes from. Client certificates are the transport's and not seen here. */
export interface KubeCredentials {
  /** Headers for the next request. Rejects with `KubeError('unauthenticated')` when none can be had. */
  headers(signal?: AbortSignal): Promise<HttpHeaders>
  /** The server did not accept them. True when asking again may give better ones. */
  refused(): boolean
}

/** A token that stands in a kubeconfig and never changes. */
export function fixedCredentials(headers: HttpHeaders): KubeCredentials {
  return { headers: () => Promise.resolve(headers), refused: () => false }
}

export const noCredentials: KubeCredentials = fixedCredentials({})
