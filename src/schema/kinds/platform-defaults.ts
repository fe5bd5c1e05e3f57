// Defaults of the platform's kinds: autoscalers, classes of priority and storage, drivers, devices, flow control.
import { isList, type JsonObject } from '../json.ts'
import { change, changeItems, withDefaults } from './changes.ts'
import { autoscalerFromV1, autoscalerToV1, averageOfCpu, withoutForms } from './conversions/autoscalers.ts'

export const platformDefaults: readonly (readonly [string, (object: JsonObject) => JsonObject])[] = [
  ['autoscaling/HorizontalPodAutoscaler', autoscaler],
  ['scheduling.k8s.io/PriorityClass', object => withDefaults(object, { preemptionPolicy: 'PreemptLowerPriority' })],
  ['storage.k8s.io/StorageClass', object => withDefaults(object, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' })],
  ['storage.k8s.io/CSIDriver', object => change(withDefaults(object, { spec: {} }), 'spec', driverSpec)],
  [
    'flowcontrol.apiserver.k8s.io/FlowSchema',
    object => change(object, 'spec', spec => unlessZero(spec, { matchingPrecedence: 1000 })),
  ],
  ['flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration', object => change(object, 'spec', priorityLevel)],
  [
    'apiregistration.k8s.io/APIService',
    object => change(object, 'spec', spec => change(spec, 'service', service => withDefaults(service, { port: 443 }))),
  ],
  ['resource.k8s.io/ResourceClaim', object => change(object, 'spec', claim)],
  ['resource.k8s.io/ResourceClaimTemplate', object => change(object, 'spec', template => change(template, 'spec', claim))],
]

const shrink = { selectPolicy: 'Max', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] }
const grow = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
}

/** At v1 an object is what is left of it when it has gone through the stored form: that form has the defaults. */
function autoscaler(object: JsonObject): JsonObject {
  if (object.apiVersion !== 'autoscaling/v1') return change(withoutForms(object), 'spec', autoscalerSpec)
  return autoscalerToV1(autoscalerFromV1(change(object, 'spec', atLeastOne)))
}

function atLeastOne(spec: JsonObject): JsonObject {
  return withDefaults(spec, { minReplicas: 1 })
}

function autoscalerSpec(spec: JsonObject): JsonObject {
  const isMeasured = isList(spec.metrics) && spec.metrics.length > 0
  const measured = isMeasured ? spec : { ...spec, metrics: [averageOfCpu] }
  return change(atLeastOne(measured), 'behavior', behavior => {
    const both = withDefaults(behavior, { scaleUp: {}, scaleDown: {} })
    return change(
      change(both, 'scaleUp', rules => withDefaults(rules, grow)),
      'scaleDown',
      rules => withDefaults(rules, shrink),
    )
  })
}

function driverSpec(spec: JsonObject): JsonObject {
  return withDefaults(spec, {
    attachRequired: true,
    podInfoOnMount: false,
    storageCapacity: false,
    fsGroupPolicy: 'ReadWriteOnceWithFSType',
    volumeLifecycleModes: ['Persistent'],
    requiresRepublish: false,
    seLinuxMount: false,
  })
}

function priorityLevel(spec: JsonObject): JsonObject {
  const out = change(spec, 'exempt', level => withDefaults(level, { nominalConcurrencyShares: 0, lendablePercent: 0 }))
  return change(out, 'limited', level =>
    change(withDefaults(level, { nominalConcurrencyShares: 30, lendablePercent: 0 }), 'limitResponse', response =>
      change(response, 'queuing', queuing => unlessZero(queuing, { queues: 64, handSize: 8, queueLengthLimit: 50 })),
    ),
  )
}

/** Where zero says as little as nothing. */
function unlessZero(object: JsonObject, defaults: Readonly<Record<string, number>>): JsonObject {
  const given = Object.entries(object).filter(([key, value]) => !(value === 0 && key in defaults))
  return withDefaults(Object.fromEntries(given), defaults)
}

/** A request says exactly what it wants, or lists what it would take; each of those is one device unless it says otherwise. */
function claim(spec: JsonObject): JsonObject {
  return change(spec, 'devices', devices =>
    changeItems(devices, 'requests', request => change(changeItems(request, 'firstAvailable', counted), 'exactly', counted)),
  )
}

function counted(wish: JsonObject): JsonObject {
  const out = withDefaults(wish, { allocationMode: 'ExactCount' })
  return out.allocationMode === 'ExactCount' ? withDefaults(out, { count: 1 }) : out
}
