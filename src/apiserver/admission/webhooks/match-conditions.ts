// Match conditions of webhooks: expressions over the objects and the request, all of which must hold for the call to be made.
import { BoundedCache } from '#base'
import {
  BudgetExceeded,
  CelList,
  type CelValue,
  type Compiled,
  compileUnchecked,
  EvalError,
  type Json,
  LiteralMap,
} from '#schema'
import { forbidden } from '../../refusals.ts'
import type { AdmissionAttributes } from '../admission.ts'
import type { Webhook } from './webhook-config.ts'

/** A real server gives one expression as much. */
const costMax = 1_000_000
const variables = ['object', 'oldObject', 'request']

/** In characters: a compiled expression holds about two hundred bytes for each. */
const compiledLengthMax = 100_000
/** Expressions come from configurations, of which there are few. */
const compiled = new BoundedCache<string, Compiled>(compiledLengthMax)

/** False: skip the webhook. One condition that is false settles it, even if another cannot be judged. */
export function meetsConditions(webhook: Webhook, attributes: AdmissionAttributes): boolean {
  if (webhook.matchConditions.length === 0) return true
  const values = [attributes.object, attributes.oldObject, requestOf(attributes)].map(value => toValue((value ?? null) as Json))
  let problem: string | undefined
  for (const { name, expression } of webhook.matchConditions) {
    const outcome = judge(expression, values)
    if (outcome === false) return false
    if (outcome !== true) problem ??= `${name}: ${outcome}`
  }
  if (problem === undefined) return true
  if (webhook.ignoresFailure) return false
  throw forbidden(
    attributes.kind.resource,
    attributes.name,
    `failed to evaluate match conditions of webhook ${JSON.stringify(webhook.name)}: ${problem}`,
  )
}

function judge(expression: string, values: readonly CelValue[]): boolean | string {
  const program = compiled.getOrMake(
    expression,
    () => compileUnchecked(expression, variables),
    () => expression.length,
  )
  if (program.kind === 'refused') return program.message
  try {
    const value = program.program.run(values, { cost: 0, costMax })
    return typeof value === 'boolean' ? value : 'the expression gives no boolean'
  } catch (error) {
    if (error instanceof EvalError || error instanceof BudgetExceeded) return error.message
    throw error
  }
}

function requestOf(attributes: AdmissionAttributes): Json {
  const { kind, user } = attributes
  const { group, plural: resource } = kind.resource
  return {
    kind: { group, version: kind.version, kind: kind.resource.kind },
    resource: { group, version: kind.version, resource },
    subResource: attributes.subresource,
    name: attributes.name,
    namespace: attributes.namespace,
    operation: attributes.operation,
    dryRun: attributes.dryRun,
    userInfo: { username: user.username, uid: user.uid ?? '', groups: user.groups, extra: user.extra ?? {} },
    options: attributes.options as Json,
  }
}

function toValue(value: Json): CelValue {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return new CelList(value.map(toValue))
  const map = new LiteralMap()
  for (const [key, item] of Object.entries(value)) if (item !== undefined) map.add(key, toValue(item as Json))
  return map
}
