// POST of a Binding, to the pod's subresource or to the bindings collection: the scheduler's decision.
import { andThen, isRecord, type Maybe } from '#base'
import { type Draft, draftFrom } from '../draft.ts'
import type { Reply, ResourceCall } from '../http/call.ts'
import { badRequest, conflict, refusal } from '../refusals.ts'
import { timestamp } from '../timestamp.ts'
import { readWriteOptions } from '../verbs/options.ts'
import { updateObject } from '../verbs/update-flow.ts'
import { bodyOf, success } from './pod-requests.ts'
import type { SubresourcePorts } from './ports.ts'

export function bindPod(ports: SubresourcePorts, call: ResourceCall): Maybe<Reply> {
  const options = readWriteOptions(call, 'CreateOptions')
  const body = bodyOf(ports, call)
  const given = isRecord(body.metadata) ? body.metadata.name : undefined
  const name = typeof given === 'string' ? given : ''
  const pod = call.info.name === '' ? name : call.info.name
  if (pod !== name) throw badRequest('name in URL does not match name in Binding object')
  const nodeName = readNode(isRecord(body.target) ? body.target : {})
  const step = {
    options,
    next: (live: Readonly<Draft>) => bound(ports, pod, live, nodeName),
  }
  return andThen(updateObject(ports, call, step), () => success(201))
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
