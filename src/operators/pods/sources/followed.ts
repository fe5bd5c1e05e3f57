// What is followed by a watch, as a source of identities: whether it was read once, and how often the watch began.
import type { Informer } from '#runtime'
import type { IdentitySource } from '../provider.ts'

interface Follower {
  readonly synced: boolean
  readonly informer: Informer
  run(signal: AbortSignal): Promise<void>
}

/** `beside` is what has to run with it. */
export function followedSource(
  name: string,
  resource: string,
  follower: Follower,
  beside?: Pick<IdentitySource, 'run'>,
): IdentitySource {
  return {
    name,
    get synced() {
      return follower.synced
    },
    get watched() {
      return { resource, watches: follower.informer.counts.watches }
    },
    run: async signal => {
      await Promise.all([follower.run(signal), beside?.run(signal)])
    },
    onState: changed => follower.informer.onState(changed),
  }
}
