// Endpoint slices of services with a selector, and events that are past their time.
import { type Committed, equalJson } from '../draft.ts'
import { findObject, isReady, objectsIn, ownerReference, selects } from './look.ts'
import type { MakeController } from './runner.ts'

const slicesTable = 'endpointslices.discovery.k8s.io'

export const endpointSlices: MakeController = ({ ports, api }) => ({
  name: 'endpointslice',
  keys: (event, table) => {
    if (table.name === 'services') return event.type === 'DELETED' ? [] : [event.key]
    if (table.name !== 'pods') return []
    const { namespace = '', labels } = event.version.object.metadata
    return objectsIn(ports, 'services', namespace)
      .filter(service => selectorOf(service) !== undefined && selects({ matchLabels: selectorOf(service) }, labels))
      .map(service => `${namespace}/${service.metadata.name}`)
  },
  reconcile: async key => {
    const service = findObject(ports, 'services', key)
    const selector = service === undefined ? undefined : selectorOf(service)
    if (service === undefined || selector === undefined) return undefined
    const { namespace = '', name } = service.metadata
    const pods = objectsIn(ports, 'pods', namespace).filter(
      pod => selects({ matchLabels: selector }, pod.metadata.labels) && addressOf(pod) !== undefined,
    )
    const content = { addressType: 'IPv4', endpoints: pods.map(endpointOf), ports: portsOf(service) }
    const path = `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`
    const live = objectsIn(ports, slicesTable, namespace).find(
      slice => slice.metadata.ownerReferences?.[0]?.uid === service.metadata.uid,
    )
    if (live === undefined) {
      const labels = {
        'kubernetes.io/service-name': name as string,
        'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
      }
      const metadata = { generateName: `${name}-`, namespace, labels, ownerReferences: [ownerReference(service)] }
      await api.create(path, { kind: 'EndpointSlice', apiVersion: 'discovery.k8s.io/v1', metadata, ...content })
    } else if (!equalJson(live.endpoints ?? [], content.endpoints) || !equalJson(live.ports ?? [], content.ports)) {
      await api.update(`${path}/${live.metadata.name}`, { ...live, ...content })
    }
    return undefined
  },
})

function selectorOf(service: Committed): Record<string, string> | undefined {
  const { selector } = (service.spec ?? {}) as { selector?: Record<string, string> }
  return selector === undefined || Object.keys(selector).length === 0 ? undefined : selector
}

function addressOf(pod: Committed): string | undefined {
  return ((pod.status ?? {}) as { podIP?: string }).podIP
}

function endpointOf(pod: Committed): object {
  const ready = isReady(pod)
  const { name, namespace, uid } = pod.metadata
  return {
    addresses: [addressOf(pod)],
    conditions: { ready, serving: ready, terminating: pod.metadata.deletionTimestamp !== undefined },
    nodeName: (pod.spec as { nodeName?: string }).nodeName,
    targetRef: { kind: 'Pod', name, namespace, uid },
  }
}

function portsOf(service: Committed): object[] {
  const { ports = [] } = service.spec as {
    ports?: readonly { name?: string; port: number; protocol?: string; targetPort?: number | string }[]
  }
  return ports.map(({ name = '', port, protocol = 'TCP', targetPort }) => ({
    name,
    protocol,
    port: typeof targetPort === 'number' ? targetPort : port,
  }))
}

/** How long a real cluster keeps events. */
const eventLifeMs = 3_600_000

export const eventLife: MakeController = ({ ports, api }) => ({
  name: 'event-ttl',
  keys: (event, table) => (table.name === 'events' && event.type !== 'DELETED' ? [event.key] : []),
  reconcile: async key => {
    const event = findObject(ports, 'events', key)
    if (event === undefined) return undefined
    const { creationTimestamp, namespace, name } = event.metadata
    const { lastTimestamp, series } = event as { lastTimestamp?: string; series?: { lastObservedTime?: string } }
    const latest = Math.max(
      ...[creationTimestamp, lastTimestamp, series?.lastObservedTime].map(text => Date.parse(text ?? '') || 0),
    )
    const left = latest + eventLifeMs - ports.clock.now()
    if (left > 0) return left
    await api.delete(`/api/v1/namespaces/${namespace}/events/${name}`)
    return undefined
  },
})
