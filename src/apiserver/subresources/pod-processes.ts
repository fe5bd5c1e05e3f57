// What a client asks of the processes of a pod: its log, and to enter it. No process stands behind a pod here, and of a pod that has its node
// that is said, instead of an empty log that looks like a quiet program; a log is there once whoever ran a pod's program has handed it in.
import { isRecord } from '#base'
import { type FieldError, fieldError } from '#schema'
import { type Committed } from '../draft.ts'
import type { Reply, ResourceCall } from '../http/call.ts'
import { badRequest, invalid, notFound } from '../refusals.ts'
import { requireLive } from '../verbs/subject.ts'
import type { SubresourcePorts } from './ports.ts'

/** A log that was handed in is the pod's, whether it stands on a node or not. */
export function podLog(ports: SubresourcePorts, call: ResourceCall): Reply {
  checkLogOptions(call)
  const pod = requireLive(ports, call).object
  checkContainer(pod, call.query.get('container'))
  const log = ports.logs.read(pod.metadata.uid)
  const node = nodeOf(pod)
  if (log === undefined && node === '') return { type: 'nothing' }
  if (log === undefined) {
    checkNode(ports, node)
    throw nothingRuns(pod, 'it has no log')
  }
  const lines = Number(call.query.get('tailLines') ?? Number.NaN)
  return { type: 'text', code: 200, text: tailOf(log, lines), headers: { 'content-type': 'text/plain' } }
}

/** `exec`, `attach` and `portforward`. */
export function enterPod(ports: SubresourcePorts, call: ResourceCall): never {
  const pod = requireLive(ports, call).object
  const { subresource } = call.info
  if (subresource !== 'portforward') checkContainer(pod, call.query.get('container'))
  const node = nodeOf(pod)
  if (node === '') throw badRequest(`pod ${pod.metadata.name} does not have a host assigned`)
  checkNode(ports, node)
  throw nothingRuns(pod, `there is nothing for ${subresource} to reach`)
}

/** A pod is reached at its address, which its name in the path may have a scheme and a port around. */
export function proxyToPod(ports: SubresourcePorts, call: ResourceCall): never {
  const parts = call.info.name.split(':')
  const name = (parts.length === 3 ? parts[1] : parts[0]) ?? ''
  const pod = requireLive(ports, { ...call, info: { ...call.info, name } }).object
  const address = isRecord(pod.status) ? pod.status.podIP : undefined
  if (typeof address !== 'string' || address === '') throw badRequest('address not allowed')
  throw nothingRuns(pod, 'there is nothing for proxy to reach')
}

function checkLogOptions({ info, query }: ResourceCall): void {
  const errors: FieldError[] = []
  const check = (field: string, least: 0 | 1): void => {
    const text = query.get(field)
    const value = Number(text)
    const wish = least === 0 ? 'must be greater than or equal to 0' : 'must be greater than 0'
    if (text !== undefined && Number.isInteger(value) && value < least) errors.push(fieldError.invalid(field, value, wish))
  }
  check('tailLines', 0)
  check('limitBytes', 1)
  check('sinceSeconds', 1)
  if (errors.length > 0) throw invalid({ group: '', kind: 'PodLogOptions' }, info.name, errors)
}

/** That the node is called a pod is part of what a real server says. */
function checkNode({ store }: SubresourcePorts, node: string): void {
  if (store.table('nodes').rows.get(node) === undefined) throw notFound({ group: '', plural: 'pods' }, node)
}

function nodeOf({ spec }: Committed): string {
  const node = isRecord(spec) ? spec.nodeName : undefined
  return typeof node === 'string' ? node : ''
}

function nothingRuns({ metadata }: Committed, so: string): Error {
  return badRequest(`nothing runs in pod ${metadata.name}: this embedded API server starts no containers, so ${so}`)
}

/** As a kubelet answers, whose words these are where the container is the matter. */
function checkContainer(pod: Committed, container: string | undefined): void {
  const names = containerNames(pod, 'containers')
  const first = containerNames(pod, 'initContainers')
  if (container === undefined && names.length > 1) {
    const others = first.length === 0 ? '' : ` or one of the init containers: [${first.join(' ')}]`
    const wish = `a container name must be specified for pod ${pod.metadata.name}`
    throw badRequest(`${wish}, choose one of: [${names.join(' ')}]${others}`)
  }
  const all = [...names, ...first, ...containerNames(pod, 'ephemeralContainers')]
  if (container !== undefined && !all.includes(container))
    throw badRequest(`container ${container} is not valid for pod ${pod.metadata.name}`)
}

function containerNames({ spec }: Committed, field: string): readonly unknown[] {
  const containers: unknown = isRecord(spec) ? spec[field] : []
  return Array.isArray(containers) ? containers.map((container: unknown) => (isRecord(container) ? container.name : '')) : []
}

function tailOf(log: string, lines: number): string {
  if (!Number.isInteger(lines) || lines < 0) return log
  const all = log.split(/(?<=\n)/)
  return lines === 0 ? '' : all.slice(-lines).join('')
}
