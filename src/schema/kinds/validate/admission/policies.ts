// Validating admission policies: their expressions are compiled when they are written, so that none fails at every request.
import { dns1035LabelErrors, dnsSubdomainErrors, qualifiedNameErrors } from '#kube'
import type { Variables } from '../../../cel/checker.ts'
import { reservedWords } from '../../../cel/parser.ts'
import { type CelType, dynType } from '../../../cel/types.ts'
import { fieldError } from '../../../field-error.ts'
import { isObject, type Json, type JsonObject } from '../../../json.ts'
import { type Errors, eachItem, listOf, objectOf, oneOf, say, text } from '../checks.ts'
import { checkConditions, checkExpression, requestVariables, rightsVariables } from './expressions.ts'
import { checkConstraints } from './operation-rules.ts'

const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge']
const nothing = 'validations or auditAnnotations must contain at least one item'

export function validateAdmissionPolicy(object: JsonObject): Errors {
  const errors: Errors = []
  const spec = objectOf(object.spec)
  oneOf(spec.failurePolicy, 'spec.failurePolicy', ['Fail', 'Ignore'], errors)
  if (isObject(spec.paramKind)) checkParamKind(spec.paramKind, errors)
  checkConstraints(spec.matchConstraints, 'spec.matchConstraints', errors)
  const base = isObject(spec.paramKind) ? [['params', dynType] as const] : []
  checkConditions(spec.matchConditions, 'spec.matchConditions', new Map([...rightsVariables, ...base]), errors)
  const more = [['namespaceObject', dynType] as const, ...base]
  const named = variablesOf(spec.variables, new Map([...rightsVariables, ...more]), errors)
  const inRules: Variables = new Map([...rightsVariables, ...more, ['variables', named]])
  const inMessages: Variables = new Map([...requestVariables, ...more, ['variables', named]])
  if (listOf(spec.validations).length === 0 && listOf(spec.auditAnnotations).length === 0)
    errors.push(fieldError.required('spec.validations', nothing), fieldError.required('spec.auditAnnotations', nothing))
  eachItem(spec.validations, 'spec.validations', (validation, at) =>
    checkValidation(validation, at, { inRules, inMessages }, errors),
  )
  checkNotes(spec.auditAnnotations, text(objectOf(object.metadata).name), inRules, errors)
  return errors
}

const notesMax = 20

/** What goes into the record of a request, under keys that no other policy has. */
function checkNotes(notes: Json | undefined, policy: string, variables: Variables, errors: Errors): void {
  const at = 'spec.auditAnnotations'
  if (listOf(notes).length > notesMax) {
    const shown = listOf(notes)
      .map(objectOf)
      .map(({ key = '', valueExpression = '' }) => ({ Key: key, ValueExpression: valueExpression }))
    const why = `must not have more than ${notesMax} auditAnnotations`
    errors.push({ ...fieldError.invalid(at, shown, why), ordered: true })
  }
  const keys = new Set<string>()
  eachItem(notes, at, (note, each) => {
    const key = text(note.key)
    checkKey(key, policy, `${each}.key`, errors)
    checkNote(text(note.valueExpression), `${each}.valueExpression`, variables, errors)
    if (keys.has(key)) errors.push(fieldError.duplicate(`${each}.key`, key))
    keys.add(key)
  })
}

/** Keys of all policies stand side by side in the records. */
function checkKey(key: string, policy: string, at: string, errors: Errors): void {
  if (policy === '') errors.push(fieldError.invalid(at, key, 'requires metadata.name be non-empty'))
  else say(errors, at, `${policy}/${key}`, qualifiedNameErrors(`${policy}/${key}`))
}

const noteBytesMax = 5 * 1024

function checkNote(source: string, at: string, variables: Variables, errors: Errors): void {
  const said = source.trim()
  if (said === '') errors.push(fieldError.required(at, 'valueExpression is not specified'))
  else if (Buffer.byteLength(said) > noteBytesMax)
    errors.push(fieldError.required(at, `must not exceed ${noteBytesMax} bytes in length`))
  else checkExpression({ source, at, wanted: ['string', 'null'] }, variables, errors)
}

interface Scopes {
  readonly inRules: Variables
  readonly inMessages: Variables
}

const blank = 'must be non-empty if specified'

function checkValidation(validation: JsonObject, at: string, { inRules, inMessages }: Scopes, errors: Errors): void {
  const source = text(validation.expression)
  if (source.trim() === '') errors.push(fieldError.required(`${at}.expression`, 'expression is not specified'))
  else checkExpression({ source, at: `${at}.expression`, wanted: ['bool'] }, inRules, errors)
  const said = text(validation.messageExpression)
  if (said !== '' && said.trim() === '') errors.push(fieldError.invalid(`${at}.messageExpression`, said, blank))
  else if (said !== '') checkExpression({ source: said, at: `${at}.messageExpression`, wanted: ['string'] }, inMessages, errors)
  const message = text(validation.message)
  if (message !== '' && message.trim() === '') errors.push(fieldError.invalid(`${at}.message`, message, blank))
  else if (/[\n\r]/.test(message.trim()))
    errors.push(fieldError.invalid(`${at}.message`, message, 'must not contain line breaks'))
  oneOf(validation.reason, `${at}.reason`, reasons, errors)
}

function checkParamKind(paramKind: JsonObject, errors: Errors): void {
  const [apiVersion, kind] = [text(paramKind.apiVersion), text(paramKind.kind)]
  const at = 'spec.paramKind.apiVersion'
  const parts = apiVersion.split('/')
  const [group, version] = parts.length === 1 ? ['', apiVersion] : [parts[0] ?? '', parts[1] ?? '']
  if (apiVersion === '') errors.push(fieldError.required(at))
  else if (parts.length > 2) errors.push(fieldError.invalid(at, apiVersion, `unexpected GroupVersion string: ${apiVersion}`))
  else {
    if (group !== '') say(errors, at, group, joined(dnsSubdomainErrors(group)))
    if (version === '') errors.push(fieldError.invalid(at, apiVersion, 'version must be specified'))
    else say(errors, at, version, joined(dns1035LabelErrors(version)))
  }
  const mixed = 'may have mixed case, but should otherwise match: '
  if (kind === '') errors.push(fieldError.required('spec.paramKind.kind'))
  else
    say(
      errors,
      'spec.paramKind.kind',
      kind,
      joined(dns1035LabelErrors(kind.toLowerCase())).map(why => mixed + why),
    )
}

/** All that is wrong with one name, in one sentence. */
function joined(problems: readonly string[]): readonly string[] {
  return problems.length === 0 ? [] : [problems.join(',')]
}

const identifier = /^[_a-zA-Z][_a-zA-Z0-9]*$/

/** What is named under `variables`: each may speak of those before it. */
function variablesOf(list: Json | undefined, variables: Variables, errors: Errors): CelType {
  const known = new Map<string, CelType>()
  const named: CelType = { kind: 'object', name: 'kubernetes.variables', fieldType: name => known.get(name) }
  eachItem(list, 'spec.variables', (variable, at) => {
    const [name, source] = [text(variable.name), text(variable.expression)]
    if (name === '') errors.push(fieldError.required(`${at}.name`, 'name is not specified'))
    else if (!identifier.test(name) || reservedWords.has(name))
      errors.push(fieldError.invalid(`${at}.name`, name, 'must be a valid CEL identifier'))
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
