// When a job counts as done and when as failed, by the indexes and the exit codes of its pods.
import { qualifiedNameErrors } from '#kube'
import { fieldError } from '../../field-error.ts'
import { quote } from '../../go-quote.ts'
import { isObject, type Json, type JsonObject, jsonEqual } from '../../json.ts'
import { type Errors, eachItem, listOf, nonNegative, objectOf, oneOf, repeats, say, shownList, text } from './checks.ts'
import { countIndexes } from './index-ranges.ts'

export function checkPolicies(spec: JsonObject, at: string, errors: Errors): void {
  const { podFailurePolicy, successPolicy } = spec
  if (isObject(podFailurePolicy)) checkFailure(spec, podFailurePolicy, `${at}.podFailurePolicy`, errors)
  if (isObject(successPolicy)) checkSuccess(spec, successPolicy, `${at}.successPolicy`, errors)
}

/** What counts by how a pod failed has to know that it did: none may start again by itself. */
export function checkRestartsOfPolicy(spec: JsonObject, at: string, errors: Errors): void {
  const { restartPolicy } = objectOf(objectOf(spec.template).spec)
  if (!isObject(spec.podFailurePolicy) || restartPolicy !== 'OnFailure') return
  const why = 'only "Never" is supported when podFailurePolicy is specified'
  errors.push(fieldError.invalid(`${at}.template.spec.restartPolicy`, restartPolicy, why))
}

const rulesMax = 20
const exitCodesMax = 255
const conditionsMax = 20

function notMany(value: Json | undefined, at: string, most: number, errors: Errors): void {
  const { length } = listOf(value)
  if (length > most) errors.push(fieldError.tooMany(at, length, most))
}

function checkFailure(spec: JsonObject, { rules }: JsonObject, at: string, errors: Errors): void {
  notMany(rules, `${at}.rules`, rulesMax, errors)
  eachItem(rules, `${at}.rules`, (rule, each) => checkFailureRule(rule, spec, each, errors))
}

function checkSuccess(spec: JsonObject, policy: JsonObject, at: string, errors: Errors): void {
  const rules = listOf(policy.rules)
  if (spec.completionMode !== 'Indexed') {
    errors.push({ ...fieldError.invalid(at, shownPolicy(policy.rules), 'requires indexed completion mode'), ordered: true })
    return
  }
  if (rules.length === 0)
    errors.push(fieldError.required(`${at}.rules`, 'at least one rules must be specified when the successPolicy is specified'))
  notMany(rules, `${at}.rules`, rulesMax, errors)
  eachItem(rules, `${at}.rules`, (rule, each) => checkSuccessRule(rule, Number(spec.completions ?? 0), each, errors))
}

/** How a finished pod counts is decided when the job is made. */
export function checkFixedFailure(policy: Json | undefined, before: Json | undefined, errors: Errors): void {
  if (jsonEqual(policy ?? null, before ?? null)) return
  const shown = isObject(policy) ? { Rules: shownList(policy.rules, shownRule) } : null
  errors.push({ ...fieldError.invalid('spec.podFailurePolicy', shown, 'field is immutable'), ordered: true })
}

/** The same of which pods are enough. */
export function checkFixedSuccess(policy: Json | undefined, before: Json | undefined, errors: Errors): void {
  if (jsonEqual(policy ?? null, before ?? null)) return
  const shown = isObject(policy) ? shownPolicy(policy.rules) : null
  errors.push({ ...fieldError.invalid('spec.successPolicy', shown, 'field is immutable'), ordered: true })
}

function shownRule({ action, onExitCodes, onPodConditions }: JsonObject): JsonObject {
  const codes = isObject(onExitCodes)
    ? {
        ContainerName: onExitCodes.containerName ?? null,
        Operator: text(onExitCodes.operator),
        Values: onExitCodes.values ?? null,
      }
    : null
  const conditions = shownList(onPodConditions, ({ type, status }) => ({ Type: text(type), Status: text(status) }))
  return { Action: text(action), OnExitCodes: codes, OnPodConditions: conditions }
}

/** As the server holds it. */
function shownPolicy(rules: Json | undefined): JsonObject {
  const show = ({ succeededIndexes = null, succeededCount = null }: JsonObject): JsonObject => ({
    SucceededIndexes: succeededIndexes,
    SucceededCount: succeededCount,
  })
  return { Rules: shownList(rules, show) }
}

function checkSuccessRule(rule: JsonObject, completions: number, at: string, errors: Errors): void {
  const { succeededIndexes, succeededCount } = rule
  if (succeededIndexes === undefined && succeededCount === undefined)
    errors.push(fieldError.required(at, 'at least one of succeededCount or succeededIndexes must be specified'))
  const count = succeededIndexes === undefined ? undefined : countIndexes(text(succeededIndexes), completions)
  if (typeof count === 'string')
    errors.push(fieldError.invalid(`${at}.succeededIndexes`, succeededIndexes, `error parsing succeededIndexes: ${count}`))
  if (typeof succeededCount !== 'number') return
  nonNegative(succeededCount, `${at}.succeededCount`, errors)
  const noMoreThan = (most: number, what: string): void => {
    const why = `must be less than or equal to ${most} (the number of ${what})`
    if (succeededCount > most) errors.push(fieldError.invalid(`${at}.succeededCount`, succeededCount, why))
  }
  noMoreThan(completions, 'specified completions')
  // What cannot be read names no index.
  if (count !== undefined) noMoreThan(typeof count === 'string' ? 0 : count, 'indexes in the specified succeededIndexes field')
}

function checkFailureRule(rule: JsonObject, spec: JsonObject, at: string, errors: Errors): void {
  const { action, onExitCodes, onPodConditions } = rule
  requireOneOf(action, `${at}.action`, ['Count', 'FailIndex', 'FailJob', 'Ignore'], errors)
  if (action === 'FailIndex' && spec.backoffLimitPerIndex === undefined)
    errors.push(fieldError.invalid(`${at}.action`, action, 'requires the backoffLimitPerIndex to be set'))
  const hasConditions = listOf(onPodConditions).length > 0
  if (isObject(onExitCodes) && hasConditions)
    errors.push(fieldError.unfit(at, 'specifying both OnExitCodes and OnPodConditions is not supported'))
  if (!isObject(onExitCodes) && !hasConditions)
    errors.push(fieldError.unfit(at, 'specifying one of OnExitCodes and OnPodConditions is required'))
  if (isObject(onExitCodes)) checkExitCodes(onExitCodes, containersOf(spec), `${at}.onExitCodes`, errors)
  notMany(onPodConditions, `${at}.onPodConditions`, conditionsMax, errors)
  eachItem(onPodConditions, `${at}.onPodConditions`, ({ type, status }, each) => {
    say(errors, `${each}.type`, text(type), qualifiedNameErrors(text(type)))
    oneOf(status, `${each}.status`, ['False', 'True', 'Unknown'], errors)
  })
}

function requireOneOf(value: Json | undefined, at: string, allowed: readonly string[], errors: Errors): void {
  if (text(value) === '') errors.push(fieldError.required(at, `valid values: [${allowed.map(quote).join(' ')}]`))
  else oneOf(value, at, allowed, errors)
}

function containersOf({ template }: JsonObject): readonly string[] {
  const { containers, initContainers } = objectOf(objectOf(template).spec)
  return [...listOf(containers), ...listOf(initContainers)].map(container => text(objectOf(container).name))
}

function checkExitCodes(codes: JsonObject, containers: readonly string[], at: string, errors: Errors): void {
  const { operator, containerName } = codes
  requireOneOf(operator, `${at}.operator`, ['In', 'NotIn'], errors)
  if (containerName !== undefined && !containers.includes(text(containerName))) {
    const why = 'must be one of the container or initContainer names in the pod template'
    errors.push(fieldError.invalid(`${at}.containerName`, containerName, why))
  }
  const values = listOf(codes.values)
  notMany(values, `${at}.values`, exitCodesMax, errors)
  if (values.length === 0) errors.push(fieldError.invalid(`${at}.values`, codes.values ?? null, 'at least one value is required'))
  const isRepeat = repeats()
  for (const [index, value] of values.entries()) {
    if (isRepeat(value)) errors.push(fieldError.duplicate(`${at}.values[${index}]`, value))
    if (value === 0 && operator === 'In')
      errors.push(fieldError.invalid(`${at}.values[${index}]`, value, 'must not be 0 for the In operator'))
  }
  const isOrdered = values.every((value, index) => index === 0 || Number(values[index - 1]) <= Number(value))
  if (!isOrdered) errors.push(fieldError.invalid(`${at}.values`, values, 'must be ordered'))
}
