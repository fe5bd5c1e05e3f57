// Events (core/v1), as `kubectl describe` shows them. The name is computed from what is said, so that saying it again, also after a
// restart, finds the same object and only raises its count.
import { hash } from 'node:crypto'
import { given } from '#base'
import { boundText, renderTime } from './conditions.ts'
import type { KubeObject, StoredObject } from './objects.ts'

export interface ObjectReference {
  readonly apiVersion: string
  readonly kind: string
  readonly namespace?: string
  readonly name: string
  readonly uid?: string
  readonly resourceVersion?: string
}

export interface EventObject extends KubeObject {
  readonly involvedObject: ObjectReference
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
  readonly count: number
  readonly firstTimestamp: string
  readonly lastTimestamp: string
  readonly source: { readonly component: string }
  readonly reportingComponent: string
  readonly reportingInstance: string
  readonly action?: string
}

/** What happened to which object, in words. */
export interface Occurrence {
  readonly regarding: ObjectReference
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
  /** What was done or found, in one word for machines: `RemoveFinalizer`. */
  readonly action?: string
}

/** The API's limits. */
const messageLengthMax = 1_024
const reasonLengthMax = 128
/** Room for a dot and 16 hex digits within the 253 of a name. */
const objectNameLengthMax = 236

export function renderEvent(
  occurrence: Occurrence,
  options: { readonly component: string; readonly instance: string; readonly now: number },
): EventObject {
  const { regarding } = occurrence
  const time = renderTime(options.now)
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { namespace: eventNamespace(regarding), name: eventName(occurrence, options.component) },
    involvedObject: regarding,
    type: occurrence.type,
    reason: boundText(occurrence.reason, reasonLengthMax),
    message: boundText(occurrence.message, messageLengthMax),
    count: 1,
    firstTimestamp: time,
    lastTimestamp: time,
    source: { component: options.component },
    reportingComponent: options.component,
    reportingInstance: options.instance,
    ...(occurrence.action === undefined ? {} : { action: boundText(occurrence.action, reasonLengthMax) }),
  }
}

/** Events of cluster-scoped objects live in `default`, where kubectl looks for them. */
export function eventNamespace(regarding: ObjectReference): string {
  return regarding.namespace === undefined || regarding.namespace === '' ? 'default' : regarding.namespace
}

export function eventName(occurrence: Occurrence, component: string): string {
  const { regarding, type, reason, message } = occurrence
  const said = JSON.stringify([component, regarding.apiVersion, regarding.kind, regarding.uid ?? '', type, reason, message])
  const digest = hash('sha256', said, 'hex').slice(0, 16)
  return `${regarding.name.slice(0, objectNameLengthMax).replace(/[.-]+$/, '')}.${digest}`
}

export function referenceTo(object: StoredObject): ObjectReference {
  const { namespace, name, uid, resourceVersion } = object.metadata
  return {
    apiVersion: object.apiVersion,
    kind: object.kind,
    ...given({ namespace }),
    name,
    uid,
    resourceVersion,
  }
}
