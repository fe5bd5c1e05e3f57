// What a client asks of the processes of a pod: its log, and to enter it. No process stands behind a pod here, and that is said, instead of an
// empty log that looks like a quiet program; a log is there once whoever ran a pod's program has handed it in.
import { isRecord } from '#base'
import { type Committed } from '../draft.ts'
import type { Reply, ResourceCall } from '../http/call.ts'
import { badRequest } from '../refusals.ts'
import { requireLive } from '../verbs/subject.ts'
import type { SubresourcePorts } from './ports.ts'

/** As a kubelet answers, whose words these are where the container is the matter. */
export function podLog(ports: SubresourcePorts, call: ResourceCall): Reply {
  const pod = requireLive(ports, call).object
  checkContainer(pod, call.query.get('container'))
  const log = ports.logs.read(pod.metadata.uid)
  if (log === undefined) throw nothingRuns(pod, 'it has no log')
  const lines = Number(call.query.get('tailLines') ?? Number.NaN)
  return { type: 'text', code: 200, text: tailOf(log, lines), headers: { 'content-type': 'text/plain' } }
}

/** `exec`, `attach` and `portforward`. */
export function enterPod(ports: SubresourcePorts, call: ResourceCall): never {
  const pod = requireLive(ports, call).object
  throw nothingRuns(pod, `there is nothing for ${call.info.subresource} to reach`)
}

function nothingRuns({ metadata }: Committed, so: string): Error {
  return badRequest(`nothing runs in pod ${metadata.name}: this embedded API server starts no containers, so ${so}`)
}

function checkContainer(pod: Committed, container: string | undefined): void {
  const names = containerNames(pod)
  if (container === undefined && names.length > 1)
    throw badRequest(`a container name must be specified for pod ${pod.metadata.name}, choose one of: [${names.join(' ')}]`)
  if (container !== undefined && !names.includes(container))
    throw badRequest(`container ${container} is not valid for pod ${pod.metadata.name}`)
}

function containerNames({ spec }: Committed): readonly unknown[] {
  const containers: unknown = isRecord(spec) ? spec.containers : []
  return Array.isArray(containers) ? containers.map((container: unknown) => (isRecord(container) ? container.name : '')) : []
}

function tailOf(log: string, lines: number): string {
  if (!Number.isInteger(lines) || lines < 0) return log
  const all = log.split(/(?<=\n)/)
  return lines === 0 ? '' : all.slice(-lines).join('')
}
