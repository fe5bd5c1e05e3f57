// The small controllers by name.
import { roleAggregation } from './cluster-roles.ts'
import { deployments } from './deployments.ts'
import { disruptionBudgets } from './disruption-budgets.ts'
import { endpointSlices, eventLife } from './endpoint-slices.ts'
import { garbageCollector } from './garbage.ts'
import { kubelet, node } from './kubelet.ts'
import { namespaceLifecycle, rootCa, serviceAccounts } from './namespaces.ts'
import { nodeLifecycle } from './node-lifecycle.ts'
import { replicaSets } from './replica-sets.ts'
import type { MakeController } from './runner.ts'
import { scheduler } from './scheduler.ts'
import { claimsInUse, volumesInUse } from './storage-in-use.ts'

const makers: Readonly<Record<string, MakeController>> = {
  namespace: namespaceLifecycle,
  serviceaccount: serviceAccounts,
  'root-ca-cert-publisher': rootCa,
  'garbage-collector': garbageCollector,
  'clusterrole-aggregation': roleAggregation,
  deployment: deployments,
  replicaset: replicaSets,
  disruption: disruptionBudgets,
  scheduler,
  kubelet,
  node,
  'node-lifecycle': nodeLifecycle,
  endpointslice: endpointSlices,
  'event-ttl': eventLife,
  'persistentvolumeclaim-protection': claimsInUse,
  'persistentvolume-protection': volumesInUse,
}

export const controllerNames: readonly string[] = Object.keys(makers)

/** All of them when nothing is said. */
export function chooseControllers(wanted: readonly string[] | 'none' | undefined): readonly MakeController[] {
  if (wanted === 'none') return []
  return (wanted ?? controllerNames).map(name => {
    const maker = makers[name]
    if (maker === undefined) throw new RangeError(`no controller is called ${name}: there are ${controllerNames.join(', ')}`)
    return maker
  })
}
