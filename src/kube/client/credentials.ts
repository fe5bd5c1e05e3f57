import type { HttpHeaders } from '#base'

/** Where a client's proof of who it is comes from. Client certificates are the transport's and not seen here. */
export interface Credentials {
  /** Headers for the next request. Rejects with `KubeError('unauthenticated')` when none can be had. */
  headers(signal?: AbortSignal): Promise<HttpHeaders>
  /** The server did not accept them. True when asking again may give better ones. */
  refused(): boolean
}

/** A token that stands in a kubeconfig and never changes. */
export function fixedCredentials(headers: HttpHeaders): Credentials {
  return { headers: () => Promise.resolve(headers), refused: () => false }
}

export const noCredentials: Credentials = fixedCredentials({})
