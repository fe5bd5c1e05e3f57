// Where a pod may run, and beside whom.
import { dnsLabelErrors, labelValueErrors, qualifiedNameErrors } from '#kube'
import { fieldError } from '../../../field-error.ts'
import { isObject, type Json, type JsonObject } from '../../../json.ts'
import { type Errors, eachItem, listOf, objectOf, oneOf, say, text } from '../checks.ts'
import { checkSelector } from '../selectors.ts'
import { checkNodeTerm } from './node-selectors.ts'

const required = 'requiredDuringSchedulingIgnoredDuringExecution'
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution'

/** Nodes and neighbours that a pod needs or likes. */
export function checkAffinity(affinity: Json | undefined, at: string, errors: Errors): void {
  checkNodes(objectOf(affinity).nodeAffinity, `${at}.nodeAffinity`, errors)
  for (const kind of ['podAffinity', 'podAntiAffinity'])
    checkNeighbours(objectOf(objectOf(affinity)[kind]), `${at}.${kind}`, errors)
}

function checkNodes(affinity: Json | undefined, at: string, errors: Errors): void {
  const terms = objectOf(affinity)[required]
  if (isObject(terms) && listOf(terms.nodeSelectorTerms).length === 0) {
    const why = 'must have at least one node selector term'
    errors.push(fieldError.required(`${at}.${required}.nodeSelectorTerms`, why))
  }
  eachItem(objectOf(terms).nodeSelectorTerms, `${at}.${required}.nodeSelectorTerms`, (term, path) =>
    checkNodeTerm(term, path, errors, true),
  )
  eachItem(objectOf(affinity)[preferred], `${at}.${preferred}`, (term, path) => {
    checkWeight(term, path, errors)
    checkNodeTerm(objectOf(term.preference), `${path}.preference`, errors, false)
  })
}

function checkNeighbours(affinity: JsonObject, at: string, errors: Errors): void {
  eachItem(affinity[required], `${at}.${required}`, (term, path) => checkTerm(term, path, errors))
  eachItem(affinity[preferred], `${at}.${preferred}`, (weighted, path) => {
    checkWeight(weighted, path, errors)
    checkTerm(objectOf(weighted.podAffinityTerm), `${path}.podAffinityTerm`, errors)
  })
}

function checkTerm(term: JsonObject, at: string, errors: Errors): void {
  checkSelector(term.labelSelector, `${at}.labelSelector`, errors)
  checkSelector(term.namespaceSelector, `${at}.namespaceSelector`, errors)
  for (const namespace of listOf(term.namespaces)) say(errors, `${at}.namespace`, namespace, dnsLabelErrors(text(namespace)))
  checkLabelKeys(term, at, errors)
  const key = text(term.topologyKey)
  if (key === '') errors.push(fieldError.required(`${at}.topologyKey`, 'can not be empty'))
  say(errors, `${at}.topologyKey`, key, qualifiedNameErrors(key))
}

/** Labels whose values the scheduler takes from the pod itself: they narrow a selector, so that there must be one. */
function checkLabelKeys(term: JsonObject, at: string, errors: Errors): void {
  for (const list of ['matchLabelKeys', 'mismatchLabelKeys']) checkKeyList(term, `${at}.${list}`, list, errors)
  checkNarrowed(term, at, errors)
  const others = new Set(listOf(term.mismatchLabelKeys))
  listOf(term.matchLabelKeys).forEach((key, index) => {
    if (!others.has(key)) return
    const why = 'exists in both matchLabelKeys and mismatchLabelKeys'
    errors.push(fieldError.invalid(`${at}.matchLabelKeys[${index}]`, key, why))
  })
}

function checkKeyList(owner: JsonObject, at: string, list: string, errors: Errors): void {
  const keys = listOf(owner[list])
  if (keys.length === 0) return
  if (!isObject(owner.labelSelector)) {
    errors.push(fieldError.forbidden(at, 'must not be specified when labelSelector is not set'))
    return
  }
  keys.forEach((key, index) => say(errors, `${at}[${index}]`, key, qualifiedNameErrors(text(key))))
}

/** A label by which a pod's selector has been narrowed is one that it does not name besides. A real server names the selector's owner here. */
function checkNarrowed({ labelSelector, matchLabelKeys }: JsonObject, at: string, errors: Errors): void {
  const { matchLabels, matchExpressions } = objectOf(labelSelector)
  const named = [...Object.keys(objectOf(matchLabels)), ...listOf(matchExpressions).map(each => text(objectOf(each).key))]
  const last = new Map(listOf(matchLabelKeys).map((key, index) => [text(key), index]))
  const first = new Set<string>()
  const again: number[] = []
  for (const name of named) {
    const index = first.has(name) ? last.get(name) : undefined
    if (index !== undefined) again.push(index)
    first.add(name)
  }
  const why = 'exists in both matchLabelKeys and labelSelector'
  for (const index of again.sort((a, b) => a - b))
    errors.push(fieldError.invalid(`${at}[${index}]`, listOf(matchLabelKeys)[index], why))
}

function checkWeight({ weight }: JsonObject, at: string, errors: Errors): void {
  if (typeof weight === 'number' && (weight < 1 || weight > 100))
    errors.push(fieldError.invalid(`${at}.weight`, weight, 'must be in the range 1-100'))
}

export function checkSpreads(spreads: Json | undefined, at: string, errors: Errors): void {
  const last = new Map(listOf(spreads).map((spread, index) => [placeOf(objectOf(spread)), index]))
  eachItem(spreads, at, (spread, path, index) => {
    const place = placeOf(spread)
    checkSpreadPlace(spread, path, errors)
    // All but the last are told.
    if (last.get(place) !== index) errors.push(fieldError.duplicate(`${path}.{topologyKey, whenUnsatisfiable}`, place))
    checkSpreadNodes(spread, path, errors)
    checkKeyList(spread, `${path}.matchLabelKeys`, 'matchLabelKeys', errors)
    checkNarrowed(spread, path, errors)
    checkSelector(spread.labelSelector, `${path}.labelSelector`, errors)
  })
}

function placeOf({ topologyKey, whenUnsatisfiable }: JsonObject): string {
  return `{${text(topologyKey)}, ${text(whenUnsatisfiable)}}`
}

function checkSpreadPlace({ maxSkew, topologyKey, whenUnsatisfiable }: JsonObject, at: string, errors: Errors): void {
  if (typeof maxSkew === 'number' && maxSkew < 1)
    errors.push(fieldError.invalid(`${at}.maxSkew`, maxSkew, 'must be greater than zero'))
  if (text(topologyKey) === '') errors.push(fieldError.required(`${at}.topologyKey`, 'can not be empty'))
  oneOf(whenUnsatisfiable ?? '', `${at}.whenUnsatisfiable`, ['DoNotSchedule', 'ScheduleAnyway'], errors)
}

function checkSpreadNodes(spread: JsonObject, at: string, errors: Errors): void {
  const { minDomains, whenUnsatisfiable } = spread
  if (typeof minDomains === 'number') checkDomains(minDomains, text(whenUnsatisfiable), `${at}.minDomains`, errors)
  for (const field of ['nodeAffinityPolicy', 'nodeTaintsPolicy'])
    oneOf(spread[field], `${at}.${field}`, ['Honor', 'Ignore'], errors)
}

function checkDomains(least: number, unsatisfiable: string, at: string, errors: Errors): void {
  if (least < 1) errors.push(fieldError.invalid(at, least, 'must be greater than zero'))
  const why = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${unsatisfiable}`
  if (unsatisfiable !== 'DoNotSchedule') errors.push(fieldError.invalid(at, least, why))
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
  const isEqual = operator === 'Equal' || text(operator) === ''
  // A real server names the operator here, not the value.
  if (isEqual) say(errors, `${at}.operator`, text(value), labelValueErrors(text(value)))
  else oneOf(operator, `${at}.operator`, ['Equal', 'Exists'], errors)
  if (operator === 'Exists' && text(value) !== '')
    errors.push(fieldError.invalid(`${at}.operator`, value, "value must be empty when `operator` is 'Exists'"))
  if (text(effect) !== '') oneOf(effect, `${at}.effect`, ['NoSchedule', 'PreferNoSchedule', 'NoExecute'], errors)
}
