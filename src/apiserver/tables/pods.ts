// The row of a pod: its state in one word, which is the hardest word of all.
import type { Json, JsonObject } from '#schema'
import { ageOf } from './age.ts'
import { count, items, member, none, text } from './cells.ts'
import type { TableRow } from './types.ts'

export function podRow(pod: JsonObject, now: number): TableRow {
  const state = podState(pod)
  const gates = items(member(pod, 'spec', 'readinessGates'))
  const phase = member(pod, 'status', 'phase')
  const ip = items(member(pod, 'status', 'podIPs'))[0]?.ip ?? member(pod, 'status', 'podIP')
  const cells: Json[] = [
    text(member(pod, 'metadata', 'name')),
    `${state.ready}/${state.total}`,
    state.reason,
    restartsText(state, now),
    ageOf(member(pod, 'metadata', 'creationTimestamp'), now),
    text(ip, none),
    text(member(pod, 'spec', 'nodeName'), none),
    text(member(pod, 'status', 'nominatedNodeName'), none),
    gates.length === 0 ? none : `${gates.filter(gate => isTrue(pod, gate.conditionType)).length}/${gates.length}`,
  ]
  if (phase !== 'Succeeded' && phase !== 'Failed') return { cells }
  const message = phase === 'Succeeded' ? 'The pod has completed successfully.' : 'The pod failed.'
  return { cells, conditions: [{ type: 'Completed', status: 'True', reason: phase, message }] }
}

interface PodState {
  readonly ready: number
  readonly total: number
  readonly reason: string
  readonly restarts: number
  readonly lastRestart: string
}

function podState(pod: JsonObject): PodState {
  const spec = member(pod, 'spec')
  const initial = text(member(pod, 'status', 'reason'), text(member(pod, 'status', 'phase')))
  const starting = initState(pod)
  const running = starting.reason === undefined ? containerState(pod, initial) : undefined
  const sidecars = items(member(spec, 'initContainers')).filter(container => container.restartPolicy === 'Always')
  const total = items(member(spec, 'containers')).length + sidecars.length
  const reason = starting.reason ?? running?.reason ?? initial
  const deleting = text(member(pod, 'metadata', 'deletionTimestamp')) !== ''
  const lost = member(pod, 'status', 'reason') === 'NodeLost'
  const finished = ['Succeeded', 'Failed'].includes(text(member(pod, 'status', 'phase')))
  const ending = lost ? 'Unknown' : finished ? reason : 'Terminating'
  return {
    total,
    ready: starting.ready + (running?.ready ?? 0),
    reason: deleting ? ending : gated(pod, reason),
    restarts: running === undefined ? starting.restarts : running.restarts + starting.sidecarRestarts,
    lastRestart: running?.lastRestart ?? starting.lastRestart,
  }
}

function gated(pod: JsonObject, reason: string): string {
  const scheduled = items(member(pod, 'status', 'conditions')).find(condition => condition.type === 'PodScheduled')
  return scheduled?.reason === 'SchedulingGated' ? 'SchedulingGated' : reason
}

interface InitState {
  readonly reason: string | undefined
  readonly ready: number
  readonly restarts: number
  readonly sidecarRestarts: number
  readonly lastRestart: string
}

function initState(pod: JsonObject): InitState {
  const specs = new Map(items(member(pod, 'spec', 'initContainers')).map(container => [container.name, container]))
  const statuses = items(member(pod, 'status', 'initContainerStatuses'))
  let [ready, restarts, sidecarRestarts, lastRestart] = [0, 0, 0, '']
  for (const [index, status] of statuses.entries()) {
    const sidecar = specs.get(status.name ?? '')?.restartPolicy === 'Always'
    restarts += count(status.restartCount)
    lastRestart = later(lastRestart, text(member(status, 'lastState', 'terminated', 'finishedAt')))
    if (sidecar) sidecarRestarts += count(status.restartCount)
    if (member(status, 'state', 'terminated') !== undefined && count(member(status, 'state', 'terminated', 'exitCode')) === 0)
      continue
    if (sidecar && status.started === true) {
      if (status.ready === true) ready++
      continue
    }
    return { reason: initReason(status, index, specs.size), ready, restarts, sidecarRestarts, lastRestart }
  }
  return { reason: undefined, ready, restarts, sidecarRestarts, lastRestart }
}

function initReason(status: JsonObject, index: number, total: number): string {
  const ended = member(status, 'state', 'terminated')
  if (ended !== undefined) {
    const reason = text(member(ended, 'reason'))
    if (reason !== '') return `Init:${reason}`
    const signal = count(member(ended, 'signal'))
    return signal === 0 ? `Init:ExitCode:${count(member(ended, 'exitCode'))}` : `Init:Signal:${signal}`
  }
  const waiting = text(member(status, 'state', 'waiting', 'reason'))
  return waiting !== '' && waiting !== 'PodInitializing' ? `Init:${waiting}` : `Init:${index}/${total}`
}

interface ContainerState {
  readonly reason: string
  readonly ready: number
  readonly restarts: number
  readonly lastRestart: string
}

function containerState(pod: JsonObject, initial: string): ContainerState {
  let [reason, ready, restarts, lastRestart, running] = [initial, 0, 0, '', false]
  for (const status of [...items(member(pod, 'status', 'containerStatuses'))].reverse()) {
    restarts += count(status.restartCount)
    lastRestart = later(lastRestart, text(member(status, 'lastState', 'terminated', 'finishedAt')))
    const waiting = text(member(status, 'state', 'waiting', 'reason'))
    const ended = member(status, 'state', 'terminated')
    if (waiting !== '') reason = waiting
    else if (ended !== undefined) reason = endedReason(ended)
    else if (status.ready === true && member(status, 'state', 'running') !== undefined) {
      running = true
      ready++
    }
  }
  if (reason === 'Completed' && running) reason = isTrue(pod, 'Ready') ? 'Running' : 'NotReady'
  return { reason, ready, restarts, lastRestart }
}

function endedReason(ended: Json): string {
  const reason = text(member(ended, 'reason'))
  if (reason !== '') return reason
  const signal = count(member(ended, 'signal'))
  return signal === 0 ? `ExitCode:${count(member(ended, 'exitCode'))}` : `Signal:${signal}`
}

function later(a: string, b: string): string {
  return b > a ? b : a
}

function isTrue(pod: JsonObject, type: Json | undefined): boolean {
  return items(member(pod, 'status', 'conditions')).some(condition => condition.type === type && condition.status === 'True')
}

function restartsText(state: PodState, now: number): string {
  if (state.restarts === 0 || state.lastRestart === '') return String(state.restarts)
  return `${state.restarts} (${ageOf(state.lastRestart, now)} ago)`
}

export const podColumns = 'Name | Ready | Status | Restarts | Age | IP^1 | Node^1 | Nominated Node^1 | Readiness Gates^1'
