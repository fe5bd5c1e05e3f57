// Where a pod may run, and beside whom.
import { qualifiedNameErrors } from '#kube'
import { fieldError } from '../../../field-error.ts'
import { isObject, type Json, type JsonObject } from '../../../json.ts'
import { type Errors, eachItem, listOf, objectOf, oneOf, say, text } from '../checks.ts'
import { checkSelector } from '../selectors.ts'

const required = 'requiredDuringSchedulingIgnoredDuringExecution'
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution'

export function checkPlacement(spec: JsonObject, at: string, errors: Errors): void {
  checkNodes(objectOf(spec.affinity).nodeAffinity, `${at}.affinity.nodeAffinity`, errors)
  for (const kind of ['podAffinity', 'podAntiAffinity'])
    checkNeighbours(objectOf(objectOf(spec.affinity)[kind]), `${at}.affinity.${kind}`, errors)
  eachItem(spec.tolerations, `${at}.tolerations`, (toleration, path) => checkToleration(toleration, path, errors))
  eachItem(spec.topologySpreadConstraints, `${at}.topologySpreadConstraints`, (spread, path) => checkSpread(spread, path, errors))
  eachItem(spec.schedulingGates, `${at}.schedulingGates`, (gate, path) =>
    say(errors, path, gate.name, qualifiedNameErrors(text(gate.name))),
  )
}

function checkNodes(affinity: Json | undefined, at: string, errors: Errors): void {
  const terms = objectOf(affinity)[required]
  if (isObject(terms) && listOf(terms.nodeSelectorTerms).length === 0) {
    const why = 'must have at least one node selector term'
    errors.push(fieldError.required(`${at}.${required}.nodeSelectorTerms`, why))
  }
  eachItem(objectOf(affinity)[preferred], `${at}.${preferred}`, (term, path) => checkWeight(term, path, errors))
}

function checkNeighbours(affinity: JsonObject, at: string, errors: Errors): void {
  eachItem(affinity[required], `${at}.${required}`, (term, path) => checkTerm(term, path, errors))
  eachItem(affinity[preferred], `${at}.${preferred}`, (weighted, path) => {
    checkWeight(weighted, path, errors)
    checkTerm(objectOf(weighted.podAffinityTerm), `${path}.podAffinityTerm`, errors)
  })
}

function checkTerm({ topologyKey, labelSelector }: JsonObject, at: string, errors: Errors): void {
  checkSelector(labelSelector, `${at}.labelSelector`, errors)
  const key = text(topologyKey)
  if (key === '') errors.push(fieldError.required(`${at}.topologyKey`, 'can not be empty'))
  say(errors, `${at}.topologyKey`, key, qualifiedNameErrors(key))
}

function checkWeight({ weight }: JsonObject, at: string, errors: Errors): void {
  if (typeof weight === 'number' && (weight < 1 || weight > 100))
    errors.push(fieldError.invalid(`${at}.weight`, weight, 'must be in the range 1-100'))
}

function checkSpread({ maxSkew, topologyKey, whenUnsatisfiable }: JsonObject, at: string, errors: Errors): void {
  if (typeof maxSkew === 'number' && maxSkew < 1)
    errors.push(fieldError.invalid(`${at}.maxSkew`, maxSkew, 'must be greater than zero'))
  if (text(topologyKey) === '') errors.push(fieldError.required(`${at}.topologyKey`, 'can not be empty'))
  oneOf(whenUnsatisfiable ?? '', `${at}.whenUnsatisfiable`, ['DoNotSchedule', 'ScheduleAnyway'], errors)
}

export function checkToleration(
  { key, operator, effect, value, tolerationSeconds }: JsonObject,
  at: string,
  errors: Errors,
): void {
  if (text(key) !== '') say(errors, `${at}.key`, key, qualifiedNameErrors(text(key)))
  if (text(key) === '' && operator !== 'Exists') {
    errors.push(
      fieldError.invalid(
        `${at}.operator`,
        operator ?? '',
        'operator must be Exists when `key` is empty, which means "match all values and all keys"',
      ),
    )
  }
  if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
    errors.push(fieldError.invalid(`${at}.effect`, effect ?? '', "effect must be 'NoExecute' when `tolerationSeconds` is set"))
  }
  oneOf(operator, `${at}.operator`, ['Equal', 'Exists'], errors)
  if (operator === 'Exists' && text(value) !== '')
    errors.push(fieldError.invalid(`${at}.operator`, value, "value must be empty when `operator` is 'Exists'"))
  oneOf(effect, `${at}.effect`, ['NoSchedule', 'PreferNoSchedule', 'NoExecute'], errors)
}
