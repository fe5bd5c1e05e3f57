// POST of a Binding, to the pod's subresource or to the bindings collection: the scheduler's decision.
import { andThen, invariant, isRecord, type Maybe } from '#base'
import { type Draft, draftFrom } from '../draft.ts'
import type { Reply, ResourceCall } from '../http/call.ts'
import { badRequest, conflict, refusal } from '../refusals.ts'
import { timestamp } from '../timestamp.ts'
import { type RequestWriteOptions, readWriteOptions } from '../verbs/options.ts'
import { otherRevision, otherUid } from '../verbs/update.ts'
import { updateObject } from '../verbs/update-flow.ts'
import { success } from './pod-requests.ts'
import type { SubresourcePorts } from './ports.ts'
import { checkNameParameter, decodeAs } from './readable.ts'

export function bindPod(ports: SubresourcePorts, call: ResourceCall): Maybe<Reply> {
  const options = readWriteOptions(call, 'CreateOptions')
  const { metadata, target } = decodeAs(ports, call, options, { group: '', version: 'v1', kind: 'Binding' })
  const { name = '' } = metadata
  if (call.info.name !== '' && call.info.name !== name) throw badRequest('name in URL does not match name in Binding object')
  const nodeName = readNode(isRecord(target) ? target : {})
  checkNameParameter(name)
  const pod = podOf(ports, call, name)
  const step = {
    options,
    next: (live: Readonly<Draft>) => {
      // Which pod it means says only a binding that comes to the pod itself.
      checkMeant(pod, call.info.name === '' ? { ...metadata, uid: '' } : metadata, live, options)
      return bound(ports, name, live, nodeName)
    },
  }
  return andThen(updateObject(ports, pod, step), () => success(201))
}

function checkMeant(
  call: ResourceCall,
  { uid = '', resourceVersion = '' }: Draft['metadata'],
  { metadata: live }: Readonly<Draft>,
  options: RequestWriteOptions,
): void {
  if (uid !== '' && uid !== live.uid) throw otherUid(call, options, uid, live.uid ?? '')
  if (resourceVersion !== '' && resourceVersion !== live.resourceVersion)
    throw otherRevision(call, options, resourceVersion, live.resourceVersion ?? '')
}

/** A binding that comes to the collection of bindings is for the pod that it names. */
function podOf(ports: SubresourcePorts, call: ResourceCall, name: string): ResourceCall {
  if (call.info.name !== '') return call
  const kind = ports.registry.find('', 'v1', 'pods')
  invariant(kind !== undefined, 'no pods are served')
  return { ...call, kind, info: { ...call.info, resource: 'pods', name, subresource: 'binding' } }
}

/** A real server takes a binding that is not valid for a fault of its own, and gives no reason. */
function readNode({ kind, name }: Record<string, unknown>): string {
  const problems: string[] = []
  if (typeof kind === 'string' && kind !== '' && kind !== 'Node')
    problems.push(`target.kind: Unsupported value: ${JSON.stringify(kind)}: supported values: "Node", "<empty>"`)
  const node = typeof name === 'string' ? name : ''
  if (node === '') problems.push('target.name: Required value')
  if (problems.length > 0) throw refusal(500, '', problems.length === 1 ? (problems[0] ?? '') : `[${problems.join(', ')}]`)
  return node
}

function bound(ports: SubresourcePorts, name: string, live: Readonly<Draft>, nodeName: string): Draft {
  const spec = (live.spec ?? {}) as { nodeName?: string; schedulingGates?: readonly unknown[] }
  const refuse = (why: string): Error => conflict({ group: '', plural: 'pods/binding' }, name, why)
  if (live.metadata.deletionTimestamp !== undefined) throw refuse(`pod ${name} is being deleted, cannot be assigned to a host`)
  if (spec.nodeName !== undefined && spec.nodeName !== '')
    throw refuse(`pod ${name} is already assigned to node "${spec.nodeName}"`)
  if ((spec.schedulingGates ?? []).length > 0) throw refuse(`pod ${name} has non-empty .spec.schedulingGates`)
  const status = (live.status ?? {}) as { conditions?: readonly { type: string }[] }
  const scheduled = {
    type: 'PodScheduled',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: timestamp(ports.clock.now()),
  }
  const others = (status.conditions ?? []).filter(condition => condition.type !== 'PodScheduled')
  return { ...draftFrom(live), spec: { ...spec, nodeName }, status: { ...status, conditions: [...others, scheduled] } }
}
