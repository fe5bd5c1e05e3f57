// A plan in words: for `vouch plan`, for `--dry-run` and for golden files. Objects in full, so that two plans can be compared.
import { assertNever } from '#base'
import { keyOf, type ResourceType, renderKey, resourceNameOf } from '#kube'
import type { Action, ObjectAction, OwnAction, Plan } from './plan.ts'

/** One line per action: verb, kind, name, cluster. */
export function summarizeAction(action: Action<OwnAction>): string {
  if (action.kind === 'together') {
    return action.branches.map(branch => branch.map(summarizeAction).join(', then ')).join('; and at the same time ')
  }
  if (isOwn(action)) return action.summary
  const where = action.cluster === undefined ? '' : ` in ${action.cluster}`
  return `${summarizeObjectAction(action as ObjectAction)}${where}`
}

/** The whole plan as stable text. */
export function printPlan(plan: Plan<OwnAction>): string {
  const lines: string[] = []
  printActions(plan.actions, '', lines)
  for (const { type, status, reason, message } of plan.conditions)
    lines.push(`say ${type}=${status} (${reason}) ${message}`.trimEnd())
  if (plan.status !== undefined) lines.push(`status ${JSON.stringify(plan.status)}`)
  lines.push(printNext(plan))
  return `${lines.join('\n')}\n`
}

function printActions(actions: readonly Action<OwnAction>[], indent: string, lines: string[]): void {
  for (const action of actions) {
    if (action.kind === 'together') {
      lines.push(`${indent}together`)
      for (const branch of action.branches) {
        lines.push(`${indent}-`)
        printActions(branch as readonly Action<OwnAction>[], `${indent}  `, lines)
      }
      continue
    }
    lines.push(`${indent}${summarizeAction(action)}`)
    const detail = detailOf(action)
    if (detail !== undefined) {
      for (const line of JSON.stringify(detail, null, 2).split('\n')) lines.push(`${indent}  ${line}`)
    }
  }
}

function printNext({ next }: Plan<OwnAction>): string {
  switch (next.kind) {
    case 'await-change':
      return 'then await a change'
    case 'look-again':
      return `then look again after ${next.afterMs} ms: ${next.why}`
    case 'stalled':
      return `then stop until the spec changes: ${next.reason}: ${next.message}`
    default:
      return assertNever(next)
  }
}

function detailOf(action: Action<OwnAction>): unknown {
  switch (action.kind) {
    case 'apply':
    case 'create':
    case 'update':
      return action.object
    case 'patch':
      return action.body
    case 'delete':
    case 'add-finalizer':
    case 'remove-finalizer':
    case 'record-event':
    case 'together':
      return undefined
    default: {
      const { kind: _kind, summary: _summary, ...rest } = action
      return rest
    }
  }
}

function summarizeObjectAction(action: ObjectAction): string {
  switch (action.kind) {
    case 'apply':
    case 'create':
    case 'update':
    case 'delete':
      return `${action.kind} ${named(action.type, renderKey(keyOf(action.object)))}`
    case 'patch':
      return `patch ${named(action.type, renderKey(action.key))}`
    case 'add-finalizer':
      return `add finalizer ${action.finalizer} to ${named(action.type, renderKey(keyOf(action.object)))}`
    case 'remove-finalizer':
      return `remove finalizer ${action.finalizer} from ${named(action.type, renderKey(keyOf(action.object)))}`
    case 'record-event':
      return `event ${action.type} ${action.reason} on ${action.regarding.kind} ${action.regarding.name}: ${action.message}`
    default:
      return assertNever(action)
  }
}

function named(type: ResourceType, key: string): string {
  return `${resourceNameOf(type)} ${key}`
}

export function isOwn(action: Action<OwnAction>): action is OwnAction {
  return action.kind.startsWith('act:')
}
