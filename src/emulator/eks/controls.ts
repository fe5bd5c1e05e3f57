// What happens to clusters outside EKS's API: an API server is put behind one, and one signs tokens for its pods.
import type { Context } from '../service.ts'
import { newestOf } from '../state/timeline.ts'
import { clusterOf, putCluster } from './clusters.ts'
import { signToken } from './issuer.ts'
import { clusterArn, type EksState } from './model.ts'

const tokenLifetimeS = 86_400

export const controls: Readonly<Record<string, (context: Context<EksState>, args: Readonly<Record<string, string>>) => string>> =
  {
    bind(context, { name = '', endpoint = '', certificateAuthority = '', issuer = '' }) {
      const cluster = clusterOf(context, name)
      putCluster(context, { ...cluster, bound: { endpoint, certificateAuthority, issuer } })
      return clusterArn(cluster)
    },
    /** What EKS tells the pod identity webhook of a cluster: whose pods get their credentials from the agent. */
    podIdentities(context, { cluster = '' }) {
      const identities = [...clusterOf(context, cluster).associations.values()]
        .flatMap(timeline => newestOf(timeline) ?? [])
        .map(({ namespace, serviceAccount }) => ({ namespace, serviceAccount }))
      return JSON.stringify({ identities })
    },
    /** A service account token as an unbound cluster's API server would project it into a pod. */
    signToken(context, args) {
      const { cluster = '', namespace = '', serviceAccount = '', audience = '', podName, podUid = '', lifetimeS } = args
      const pod = podName === undefined ? {} : { pod: { name: podName, uid: podUid } }
      return signToken(context, clusterOf(context, cluster), {
        subject: { namespace, serviceAccount, ...pod },
        audience,
        lifetimeS: lifetimeS === undefined ? tokenLifetimeS : Number(lifetimeS),
      })
    },
  }
