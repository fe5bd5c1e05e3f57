// EKS as a service of the emulator. What is faithful and what is not: README.md.
import { extendedModel, onFirstUse, type ServiceModel, serviceModel } from '#aws'
import type { AssociationView, ClustersPort, TaggedResource } from '../ports.ts'
import type { Context, Service } from '../service.ts'
import { newestOf, seenOf } from '../state/timeline.ts'
import { removeGone } from './clusters.ts'
import { controls } from './controls.ts'
import { eksDelays } from './delays.ts'
import { issuerDocument } from './issuer.ts'
import { type Association, type Cluster, clusterArn, type EksState, emptyEks, isGone, issuerOf, pairKey } from './model.ts'
import { eksOperations } from './operations.ts'
import { eksQuotas } from './quotas.ts'
import { taggedResources } from './tags.ts'

export const eks: Service<EksState> = {
  name: 'eks',
  get model(): ServiceModel {
    return model()
  },
  address: {
    hosts: ['eks'],
    // The one path below clusters that is EKS Auth's is left out.
    path: /^\/clusters(?:\/(?![^/]+\/assume-role-for-pod-identity\/?$)|$)|^\/tags\/arn(?::|%3A)[a-z-]+(?::|%3A)eks(?::|%3A)/i,
    issuers: {
      readHost: ([first, second, region]) => (first === 'oidc' && second === 'eks' ? { region, bucket: undefined } : undefined),
      path: /^\/id\/[0-9A-Fa-f]{32}\//,
    },
  },
  scope: 'region',
  initial: () => emptyEks,
  operations: eksOperations,
  timers: {
    /** Statuses follow from the clock; the timer only gives `settle` something to wait for. */
    ready: () => undefined,
    gone: removeGone,
    'token-expired': (context, key) => {
      const state = context.store.get()
      context.store.set({ ...state, tokens: state.tokens.delete(key) })
    },
  },
  offers: at => ({ clusters: clustersPort(at) }),
  controls,
  *resources({ store, now }): Generator<TaggedResource> {
    yield* taggedResources([...store.get().clusters.values()].filter(cluster => !isGone(cluster, now)))
  },
  quotas: { title: 'Amazon Elastic Kubernetes Service (Amazon EKS)', quotas: eksQuotas },
  throttles: [
    throttle('eks-write', operation => !/^(?:Describe|List)/.test(operation), { perSecond: 5, burst: 10 }),
    throttle('eks-read', operation => /^(?:Describe|List)/.test(operation), { perSecond: 20, burst: 40 }),
  ],
}

function throttle(
  name: string,
  operations: (operation: string) => boolean,
  rate: { readonly perSecond: number; readonly burst: number },
): NonNullable<Service['throttles']>[number] {
  const error = { code: 'ThrottlingException', status: 429, message: 'Rate exceeded' }
  return { name, operations, ...rate, source: 'choice', per: 'region', error }
}

const later = {
  disableSessionTags: { target: 'BoxedBoolean' },
  targetRoleArn: { target: 'String' },
  policy: { target: 'String' },
}

/** Members that came after the model we ship. */
const model = onFirstUse(() =>
  extendedModel(serviceModel('eks'), {
    members: {
      CreatePodIdentityAssociationRequest: later,
      UpdatePodIdentityAssociationRequest: later,
      PodIdentityAssociation: { ...later, externalId: { target: 'String' } },
      CreateClusterRequest: { deletionProtection: { target: 'BoxedBoolean' } },
      UpdateClusterConfigRequest: { deletionProtection: { target: 'BoxedBoolean' } },
      Cluster: { deletionProtection: { target: 'BoxedBoolean' } },
    },
  }),
)

type At = (place?: { readonly account?: string; readonly region?: string }) => Context<EksState>

function clustersPort(at: At): ClustersPort {
  const found = (
    name: string,
    where: { account: string; region: string },
  ): { context: Context<EksState>; cluster: Cluster } | undefined => {
    const context = at(where)
    const cluster = context.store.get().clusters.get(name)
    return cluster === undefined || isGone(cluster, context.now) ? undefined : { context, cluster }
  }
  return {
    find(name, where) {
      const cluster = found(name, where)?.cluster
      return cluster === undefined ? undefined : { arn: clusterArn(cluster), issuer: issuerOf(cluster) }
    },
    association({ cluster: name, account, region, namespace, serviceAccount, view }) {
      const place = found(name, { account, region })
      if (place === undefined) return undefined
      const pair = pairKey(namespace, serviceAccount)
      const timeline = place.cluster.associations.get(pair)
      const delayMs = place.context.delay(eksDelays.association, `${name}/${pair}`)
      const seen = view === 'newest' ? newestOf(timeline) : seenOf(timeline, place.context.now, delayMs)
      return seen === undefined ? undefined : associationView(seen)
    },
    document(host, path) {
      const region = /^oidc\.eks\.([a-z0-9-]+)\.amazonaws\.com(?:\.cn)?$/.exec(host)?.[1] ?? 'us-east-1'
      for (const place of at().stores()) {
        if (place.region !== region) continue
        const document = issuerDocument(at({ account: place.account, region }), host, path)
        if (document !== undefined) return Promise.resolve(document)
      }
      const body = Buffer.from(JSON.stringify({ message: 'Not Found' }))
      return Promise.resolve({ kind: 'answer', status: 404, contentType: 'application/json', body })
    },
  }
}

function associationView(association: Association): AssociationView {
  return {
    arn: association.arn,
    id: association.id,
    roleArn: association.roleArn,
    targetRoleArn: association.targetRoleArn,
    externalId: association.externalId,
    policy: association.policy,
    disableSessionTags: association.disableSessionTags,
  }
}
