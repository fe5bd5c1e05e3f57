// Validating admission policies: their expressions are compiled when they are written, so that none fails at every request.
import type { Variables } from '../../cel/checker.ts'
import { type CelType, dynType } from '../../cel/types.ts'
import { fieldError } from '../../field-error.ts'
import { isObject, type Json, type JsonObject } from '../../json.ts'
import { type Errors, eachItem, listOf, objectOf, oneOf, text } from './checks.ts'
import { checkConditions, checkExpression, requestVariables, rightsVariables } from './expressions.ts'

const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge']
const nothing = 'validations or auditAnnotations must contain at least one item'

export function validateAdmissionPolicy(object: JsonObject): Errors {
  const errors: Errors = []
  const spec = objectOf(object.spec)
  oneOf(spec.failurePolicy, 'spec.failurePolicy', ['Fail', 'Ignore'], errors)
  if (listOf(spec.validations).length === 0 && listOf(spec.auditAnnotations).length === 0)
    errors.push(fieldError.required('spec.validations', nothing), fieldError.required('spec.auditAnnotations', nothing))
  const base = isObject(spec.paramKind) ? [['params', dynType] as const] : []
  checkConditions(spec.matchConditions, 'spec.matchConditions', new Map([...rightsVariables, ...base]), errors)
  const more = [['namespaceObject', dynType] as const, ...base]
  const named = variablesOf(spec.variables, new Map([...rightsVariables, ...more]), errors)
  const inRules: Variables = new Map([...rightsVariables, ...more, ['variables', named]])
  const inMessages: Variables = new Map([...requestVariables, ...more, ['variables', named]])
  eachItem(spec.validations, 'spec.validations', (validation, at) => {
    const source = text(validation.expression)
    if (source.trim() === '') errors.push(fieldError.required(`${at}.expression`, 'expression is not specified'))
    else checkExpression({ source, at: `${at}.expression`, wanted: ['bool'] }, inRules, errors)
    const message = text(validation.messageExpression)
    if (message !== '')
      checkExpression({ source: message, at: `${at}.messageExpression`, wanted: ['string'] }, inMessages, errors)
    const { reason } = validation
    if (typeof reason === 'string' && reason !== '' && !reasons.includes(reason))
      errors.push(fieldError.notSupported(`${at}.reason`, reason, reasons))
  })
  eachItem(spec.auditAnnotations, 'spec.auditAnnotations', (annotation, at) => {
    const source = text(annotation.valueExpression)
    if (source.trim() === '') errors.push(fieldError.required(`${at}.valueExpression`, 'valueExpression is not specified'))
    else checkExpression({ source, at: `${at}.valueExpression`, wanted: ['string', 'null'] }, inRules, errors)
  })
  return errors
}

const identifier = /^[_a-zA-Z][_a-zA-Z0-9]*$/

/** What is named under `variables`: each may speak of those before it. */
function variablesOf(list: Json | undefined, variables: Variables, errors: Errors): CelType {
  const known = new Map<string, CelType>()
  const named: CelType = { kind: 'object', name: 'kubernetes.variables', fieldType: name => known.get(name) }
  eachItem(list, 'spec.variables', (variable, at) => {
    const [name, source] = [text(variable.name), text(variable.expression)]
    if (name === '') errors.push(fieldError.required(`${at}.name`, 'name is not specified'))
    else if (!identifier.test(name)) errors.push(fieldError.invalid(`${at}.name`, name, 'must be a valid CEL identifier'))
    if (source.trim() === '') errors.push(fieldError.required(`${at}.expression`, 'expression is not specified'))
    else {
      const type = checkExpression(
        { source, at: `${at}.expression`, wanted: [] },
        new Map([...variables, ['variables', named]]),
        errors,
      )
      known.set(name, type ?? dynType)
    }
  })
  return named
}
