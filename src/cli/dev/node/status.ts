// What a node says of a pod.
import type { LiveContainer } from './live-container.ts'

export function statusOf(containers: readonly LiveContainer[], startTime: string): object {
  const isReady = containers.every(({ state }) => 'running' in state)
  const hasStarted = containers.some(({ state, lastState }) => 'running' in state || lastState !== undefined)
  const condition = (type: string, isTrue: boolean): object => ({
    type,
    status: isTrue ? 'True' : 'False',
    ...(isTrue ? {} : { reason: 'ContainersNotReady', message: `containers with unready status: ${unreadyOf(containers)}` }),
  })
  return {
    phase: hasStarted ? 'Running' : 'Pending',
    startTime,
    hostIP: '127.0.0.1',
    podIP: '127.0.0.1',
    podIPs: [{ ip: '127.0.0.1' }],
    conditions: [
      condition('PodScheduled', true),
      condition('Initialized', true),
      condition('ContainersReady', isReady),
      condition('Ready', isReady),
    ],
    containerStatuses: containers.map(({ name, image, state, lastState, restarts }) => ({
      name,
      image,
      imageID: '',
      ready: 'running' in state,
      started: 'running' in state,
      restartCount: restarts,
      state,
      lastState: lastState ?? {},
    })),
  }
}

function unreadyOf(containers: readonly LiveContainer[]): string {
  const names = containers.filter(({ state }) => !('running' in state)).map(({ name }) => name)
  return `[${names.join(' ')}]`
}
