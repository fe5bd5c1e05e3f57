// A real kube-apiserver that has no seats for a crowd: what it says to those, and what the client and an informer make of it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type HttpExchange, silentLog, systemClock, systemRandom, systemSeams } from '#base'
import { clusterRoleBindings, configMaps, type ResourceType } from '#kube'
import { connect, createKubeClient, KubeError } from '#kube/client'
import { Informer } from '#runtime'
import { eventually } from './eventually.ts'
import { controlPlaneSkipped, sharedControlPlane } from './shared.ts'

const skip = await controlPlaneSkipped()
const flow = { group: 'flowcontrol.apiserver.k8s.io', version: 'v1', namespaced: false } as const
const levels: ResourceType = { ...flow, kind: 'PriorityLevelConfiguration', plural: 'prioritylevelconfigurations' }
const schemas: ResourceType = { ...flow, kind: 'FlowSchema', plural: 'flowschemas' }
const name = 'no-seats'
const user = { kind: 'User', name, apiGroup: 'rbac.authorization.k8s.io' }
const limited = { nominalConcurrencyShares: 0, lendablePercent: 0, borrowingLimitPercent: 0, limitResponse: { type: 'Reject' } }
const rule = { verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'], clusterScope: true }

describe('429 from the real kube-apiserver', skip === undefined ? {} : { skip }, () => {
  it('is told as such, its Retry-After is waited out, and the informer is in step once the crowd is gone', async () => {
    const plane = await sharedControlPlane()
    const { client: admin } = await connect(systemSeams({}, { log: silentLog }), { kubeconfig: [plane.kubeconfig] })
    const client = createKubeClient({
      clock: systemClock,
      address: plane.address,
      exchange: admin.exchange,
      impersonate: { user: name },
    })
    await admin.create(levels, {
      apiVersion: `${flow.group}/v1`,
      kind: levels.kind,
      metadata: { name },
      spec: { type: 'Limited', limited },
    } as never)
    const spec = {
      priorityLevelConfiguration: { name },
      matchingPrecedence: 2,
      rules: [{ subjects: [{ kind: 'User', user: { name } }], resourceRules: [rule] }],
    }
    await admin.create(schemas, { apiVersion: `${flow.group}/v1`, kind: schemas.kind, metadata: { name }, spec } as never)
    const roleRef = { apiGroup: clusterRoleBindings.group, kind: 'ClusterRole', name: 'cluster-admin' }
    await admin.create(clusterRoleBindings, {
      apiVersion: `${clusterRoleBindings.group}/v1`,
      kind: clusterRoleBindings.kind,
      metadata: { name },
      roleRef,
      subjects: [user],
    } as never)

    // A level without seats still serves a request that finds nobody else, so there is a crowd.
    const refusals: KubeError[] = []
    const crowd = { gone: false }
    const push = async (): Promise<void> => {
      while (!crowd.gone) {
        const error: unknown = await client.list(configMaps).then(
          () => undefined,
          (reason: unknown) => reason,
        )
        if (error instanceof KubeError && error.httpStatus === 429) refusals.push(error)
      }
    }
    const crowding = Promise.all(Array.from({ length: 12 }, push))
    await eventually(
      async () => refusals[0],
      () => 'somebody is refused',
    )
    assert.deepEqual([refusals[0]?.code, refusals[0]?.retryAfterMs], ['throttled', 1_000])

    const asked: { readonly atMs: number; readonly status: number }[] = []
    const noted: HttpExchange = async request => {
      const response = await admin.exchange({ ...request, headers: { ...request.headers, 'impersonate-user': name } })
      asked.push({ atMs: systemClock.monotonicMs(), status: response.status })
      return response
    }
    const informer = new Informer({
      clock: systemClock,
      random: systemRandom,
      log: silentLog,
      client: createKubeClient({ clock: systemClock, address: plane.address, exchange: noted }),
      type: configMaps,
      namespace: 'default',
      limits: { backoffMsMin: 1, backoffMsMax: 1 },
    })
    const told = new Set<string>()
    informer.onState(state => told.add(state.kind === 'behind' ? state.why : state.kind))
    const stop = new AbortController()
    const run = informer.run(stop.signal)
    await eventually(
      async () => {
        // Once it is refused it is left alone: to list again would wake it from the pause that is measured.
        if (told.has('throttled')) return true
        if (informer.cache.synced) informer.relist('the test wants it refused')
        return undefined
      },
      () => 'the informer is refused',
    )
    crowd.gone = true
    await crowding
    await eventually(
      async () => informer.state.kind === 'live' || undefined,
      () => 'in step',
    )
    const pauses = asked.flatMap(({ atMs, status }, index) => (status === 429 ? [(asked[index + 1]?.atMs ?? 0) - atMs] : []))
    assert.ok(pauses.length > 0 && pauses.every(ms => ms >= 990), `asked again after ${pauses.map(Math.round).join(', ')} ms`)
    stop.abort(new Error('the test is over'))
    await run
    await admin.delete(schemas, { namespace: '', name })
    await admin.delete(levels, { namespace: '', name })
    await admin.delete(clusterRoleBindings, { namespace: '', name })
    await admin.close()
  })
})
