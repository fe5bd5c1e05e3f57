// Expressions about requests, as webhooks and policies hold them: what they may speak of, and what they must give.
import { qualifiedNameErrors } from '#kube'
import type { Variables } from '../../../cel/checker.ts'
import { compile } from '../../../cel/program.ts'
import { bare, type CelType, dynType, renderType } from '../../../cel/types.ts'
import { fieldError } from '../../../field-error.ts'
import type { Json } from '../../../json.ts'
import { type Errors, eachItem, listOf, say, text } from '../checks.ts'

const rightsType = (name: string): CelType => ({ kind: 'opaque', name: `kubernetes.authorization.${name}`, params: [] })

/** The objects and the request. */
export const requestVariables: Variables = new Map(['object', 'oldObject', 'request'].map(name => [name, dynType]))

/** Those, and the rights of who asks. */
export const rightsVariables: Variables = new Map<string, CelType>([
  ...requestVariables,
  ['authorizer', rightsType('Authorizer')],
  ['authorizer.requestResource', rightsType('ResourceCheck')],
])

const conditionsMax = 64

export function checkConditions(conditions: Json | undefined, at: string, variables: Variables, errors: Errors): void {
  if (listOf(conditions).length > conditionsMax) errors.push(fieldError.tooMany(at, listOf(conditions).length, conditionsMax))
  const names = new Set<string>()
  eachItem(conditions, at, (condition, path) => {
    const [name, source] = [text(condition.name), text(condition.expression)]
    if (source.trim() === '') errors.push(fieldError.required(`${path}.expression`))
    else checkExpression({ source, at: `${path}.expression`, wanted: ['bool'] }, variables, errors)
    if (name === '') errors.push(fieldError.required(`${path}.name`))
    else say(errors, `${path}.name`, name, qualifiedNameErrors(name))
    if (name !== '' && names.has(name)) errors.push(fieldError.duplicate(`${path}.name`, name))
    names.add(name)
  })
}

interface Asked {
  readonly source: string
  readonly at: string
  /** Types by name; none: any will do. A value of which nobody knows the type before it is there is of no other one. */
  readonly wanted: readonly string[]
}

/** The type of the expression, when it has one. */
export function checkExpression({ source, at, wanted }: Asked, variables: Variables, errors: Errors): CelType | undefined {
  const compiled = compile(source, variables)
  if (compiled.kind === 'refused') {
    errors.push(fieldError.invalid(at, source, `compilation failed: ${compiled.message}`))
    return undefined
  }
  const type = bare(compiled.program.type)
  const name = type.kind === 'simple' ? type.name : ''
  if (wanted.length === 0 || wanted.includes(name)) return type
  const all = wanted.length === 1 ? wanted[0] : `one of [${wanted.map(one => (one === 'null' ? 'null_type' : one)).join(' ')}]`
  errors.push(fieldError.invalid(at, source, `must evaluate to ${all} but got ${renderType(type)}`))
  return type
}
