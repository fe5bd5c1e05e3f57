// Levels of priority: how many requests of a level are served at once, and how many wait for their turn.
import { fieldError } from '../../../field-error.ts'
import { isObject, type Json, type JsonObject, jsonEqual } from '../../../json.ts'
import { type Errors, objectOf, text } from '../checks.ts'
import { fixedLevels, shownLevel } from './fixed-specs.ts'

const types = ['Exempt', 'Limited']

export function validatePriorityLevel(object: JsonObject): Errors {
  const errors: Errors = []
  const name = text(objectOf(object.metadata).name)
  const spec = objectOf(object.spec)
  const type = text(spec.type)
  if ((type === 'Exempt') !== (name === 'exempt'))
    errors.push(fieldError.invalid('spec.type', type, "must be 'Exempt' if and only if `name` is 'exempt'"))
  if (type === 'Limited') checkLimitedLevel(spec, errors)
  else if (type === 'Exempt') checkExemptLevel(spec, errors)
  else errors.push(fieldError.notSupported('spec.type', type, types))
  checkFixed(name, spec, errors)
  return errors
}

function checkLimitedLevel({ limited, exempt }: JsonObject, errors: Errors): void {
  if (exempt !== undefined) errors.push(fieldError.forbidden('spec.exempt', 'must be nil if the type is Limited'))
  if (isObject(limited)) checkLimits(limited, 'spec.limited', errors)
  else errors.push(fieldError.required('spec.limited', 'must not be empty when type is Limited'))
}

function checkExemptLevel({ limited, exempt }: JsonObject, errors: Errors): void {
  if (limited !== undefined) errors.push(fieldError.forbidden('spec.limited', 'must be nil if the type is not Limited'))
  const { nominalConcurrencyShares, lendablePercent } = objectOf(exempt)
  checkShares(nominalConcurrencyShares, 'spec.exempt.nominalConcurrencyShares', errors)
  checkLendable(lendablePercent, 'spec.exempt.lendablePercent', errors)
}

/** What is exempt may still say what it lends. */
function checkFixed(name: string, { exempt, ...rest }: JsonObject, errors: Errors): void {
  const fixed = fixedLevels.get(name)
  const judged = name === 'exempt' || exempt === undefined ? rest : { ...rest, exempt }
  if (fixed === undefined || jsonEqual(judged, fixed)) return
  const but = name === 'exempt' ? " except the 'spec.exempt' field" : ''
  const shown = shownLevel(exempt === undefined ? rest : { ...rest, exempt })
  errors.push({ ...fieldError.invalid('spec', shown, `spec of '${name}'${but} must equal the fixed value`), ordered: true })
}

function checkLimits(limited: JsonObject, at: string, errors: Errors): void {
  checkShares(limited.nominalConcurrencyShares, `${at}.nominalConcurrencyShares`, errors)
  checkResponse(objectOf(limited.limitResponse), `${at}.limitResponse`, errors)
  checkLendable(limited.lendablePercent, `${at}.lendablePercent`, errors)
  const borrowed = limited.borrowingLimitPercent
  if (typeof borrowed === 'number' && borrowed < 0)
    errors.push(fieldError.invalid(`${at}.borrowingLimitPercent`, borrowed, 'if specified, must be a non-negative integer'))
}

function checkShares(shares: Json | undefined, at: string, errors: Errors): void {
  if (typeof shares === 'number' && shares < 0) errors.push(fieldError.invalid(at, shares, 'must be a non-negative integer'))
}

function checkLendable(percent: Json | undefined, at: string, errors: Errors): void {
  if (typeof percent === 'number' && (percent < 0 || percent > 100))
    errors.push(fieldError.invalid(at, percent, 'must be between 0 and 100, inclusive'))
}

function checkResponse({ type, queuing }: JsonObject, at: string, errors: Errors): void {
  if (type === 'Queue' && isObject(queuing)) checkQueues(queuing, `${at}.queuing`, errors)
  else if (type === 'Queue')
    errors.push(fieldError.required(`${at}.queuing`, 'must not be empty if limited.limitResponse.type is Limited'))
  else if (type !== 'Reject') errors.push(fieldError.notSupported(`${at}.type`, text(type), ['Queue', 'Reject']))
  else if (queuing !== undefined)
    errors.push(fieldError.forbidden(`${at}.queuing`, 'must be nil if limited.limitResponse.type is not Limited'))
}

const queuesMax = 10_000_000
const entropyBitsMax = 60

function checkQueues(queuing: JsonObject, at: string, errors: Errors): void {
  const [queues, handSize, length] = [Number(queuing.queues), Number(queuing.handSize), Number(queuing.queueLengthLimit)]
  if (length <= 0) errors.push(fieldError.invalid(`${at}.queueLengthLimit`, length, 'must be positive'))
  if (queues <= 0) errors.push(fieldError.invalid(`${at}.queues`, queues, 'must be positive'))
  if (queues > queuesMax) errors.push(fieldError.invalid(`${at}.queues`, queues, `must not be greater than ${queuesMax}`))
  const problem = problemOfHand(handSize, queues)
  if (problem !== undefined) errors.push(fieldError.invalid(`${at}.handSize`, handSize, problem))
}

/** A flow is dealt a hand of queues; hands of which there are too many cannot be dealt by one hash. */
function problemOfHand(handSize: number, queues: number): string | undefined {
  if (handSize <= 0) return 'must be positive'
  if (handSize > queues) return `should not be greater than queues (${queues})`
  if (Math.log2(queues) * handSize <= entropyBitsMax) return undefined
  return `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${entropyBitsMax}`
}
