// Carries out what the plan decided for one request: before the verb, around it, and after it.
import { type Clock, HttpFailure, type HttpResponse, type Maybe } from '#base'
import { draftFrom } from '../draft.ts'
import type { FaultAction } from '../fault.ts'
import type { ApiCall } from '../http/call.ts'
import { refusal, tooManyRequests } from '../refusals.ts'
import type { Registry } from '../registry/registry.ts'
import { rowKey } from '../registry/resource.ts'
import type { StorePort } from '../store/store.ts'
import type { FaultPlan } from './fault-plan.ts'

/** Delays pass on the clock; a conflict needs somebody who writes in between. */
export interface FaultPorts extends StorePort {
  readonly clock: Clock
  readonly registry: Registry
}

/** Answers the request with the faults that strike it; without any this is the answer itself. */
export function withFaults(
  ports: FaultPorts,
  plan: FaultPlan,
  call: ApiCall,
  answer: (call: ApiCall) => Maybe<HttpResponse>,
): Maybe<HttpResponse> {
  if (plan.isQuiet) return answer(call)
  const actions = plan.strike(call)
  return actions.length === 0 ? answer(call) : struck(ports, plan, call, actions, answer)
}

async function struck(
  ports: FaultPorts,
  plan: FaultPlan,
  call: ApiCall,
  actions: readonly FaultAction[],
  answer: (call: ApiCall) => Maybe<HttpResponse>,
): Promise<HttpResponse> {
  for (const action of actions) await before(ports, plan, call, action)
  const response = await answer({ ...call, faults: actions })
  for (const action of actions) await after(ports, action)
  return response
}

async function before(ports: FaultPorts, plan: FaultPlan, call: ApiCall, action: FaultAction): Promise<void> {
  switch (action.kind) {
    case 'delay':
      if ((action.what ?? 'request') === 'request') await ports.clock.sleep(action.ms, call.request.signal)
      return
    case 'error':
      throw refusal(
        action.status,
        action.reason ?? reasonOf(action.status),
        'a fault was injected',
        action.retryAfter === undefined ? {} : { retryAfterSeconds: action.retryAfter },
      )
    case 'reset':
      throw new HttpFailure('reset', 'the connection was reset by an injected fault')
    case 'not-ready':
      throw tooManyRequests('storage is (re)initializing', 1)
    case 'partition':
      await untilHealed(plan, call)
      return
    case 'conflict-once':
      touch(ports, call)
      return
    default:
  }
}

async function after(ports: FaultPorts, action: FaultAction): Promise<void> {
  if (action.kind === 'delay' && action.what === 'response') await ports.clock.sleep(action.ms)
  if (action.kind !== 'error-after-commit') return
  if (action.how === 'reset')
    throw new HttpFailure('reset', 'the connection was reset by an injected fault, after the request took effect')
  const status = action.how === 'timeout' ? 504 : action.how
  throw refusal(status, reasonOf(status), 'a fault was injected after the request took effect')
}

/** Hangs until the plan says otherwise or the caller gives up. */
function untilHealed(plan: FaultPlan, call: ApiCall): Promise<void> {
  return new Promise((resolve, reject) => {
    const { signal } = call.request
    const onAbort = (): void => reject(new HttpFailure('aborted', 'the caller gave up', { cause: signal?.reason }))
    signal?.addEventListener('abort', onAbort, { once: true })
    const look = (): void => {
      if (plan.isPartitioned(call)) void plan.healed().then(look)
      else {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      }
    }
    look()
  })
}

/** Somebody else writes the object just before: an annotation comes and goes, so that the writer's version is stale. */
function touch(ports: FaultPorts, call: ApiCall): void {
  const { info } = call
  if (info.kind !== 'resource' || info.name === '') return
  const kind = ports.registry.find(info.group, info.version, info.resource)
  if (kind === undefined) return
  const table = ports.store.table(kind.resource.table)
  const key = rowKey(kind.resource, info.namespace, info.name)
  const live = table.rows.get(key)
  if (live === undefined) return
  const touched = draftFrom(live.object)
  touched.metadata.annotations = { ...touched.metadata.annotations, 'faults/touched': 'true' }
  const between = ports.store.update(table, key, live, touched)
  const restored = draftFrom(live.object)
  ports.store.update(table, key, between, restored)
}

function reasonOf(status: number): string {
  const reasons: Readonly<Record<number, string | undefined>> = {
    409: 'Conflict',
    429: 'TooManyRequests',
    500: 'InternalError',
    503: 'ServiceUnavailable',
    504: 'Timeout',
  }
  return reasons[status] ?? ''
}
