// How late what EKS wrote is seen, and how long its machines take.
import { type Delay, seconds } from '../delays.ts'

export const eksDelays: Readonly<
  Record<'association' | 'clusterReady' | 'clusterGone' | 'addonReady' | 'identityProviderReady', Delay>
> = {
  /** Associations as EKS Auth sees them. */
  association: { name: 'association', demo: seconds(1), async: seconds(5) },
  clusterReady: { name: 'clusterReady', demo: seconds(2), async: seconds(600) },
  clusterGone: { name: 'clusterGone', demo: seconds(2), async: seconds(600) },
  /** The time until an addon or a node group is there. */
  addonReady: { name: 'addonReady', demo: seconds(1), async: seconds(60) },
  identityProviderReady: { name: 'identityProviderReady', demo: seconds(1), async: seconds(600) },
}
