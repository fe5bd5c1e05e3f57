// What an object asks for beyond its limits, in the real server's words.

import { isRecord } from '#base'
import { addQuantities, compareQuantities, parseQuantity, type Quantity, quantityAsNumber, renderQuantity } from '#schema'
import type { Draft } from '../../draft.ts'
import { type Amounts, type AskedAmounts, amountsOf, askedBy, containersIn, type LimitItem } from './limit-items.ts'

export function violationsOf(items: readonly LimitItem[], plural: string, object: Draft): readonly string[] {
  return items.flatMap(item => [...new Set(askedOf(item, plural, object).flatMap(asked => violations(item, asked)))])
}

/** For each thing that the item is about, what it asks for. */
function askedOf({ type }: LimitItem, plural: string, { spec }: Draft): readonly AskedAmounts[] {
  if (plural === 'persistentvolumeclaims') {
    const { resources } = isRecord(spec) ? spec : {}
    return type === 'PersistentVolumeClaim'
      ? [{ requests: amountsOf(isRecord(resources) ? resources.requests : {}), limits: {} }]
      : []
  }
  const containers = containersIn(spec, 'containers').map(askedBy)
  const before = containersIn(spec, 'initContainers').map(askedBy)
  if (type === 'Container') return [...containers, ...before]
  if (type !== 'Pod') return []
  return [{ requests: ofPod('requests', containers, before), limits: ofPod('limits', containers, before) }]
}

/** Containers run together, those before them one after another. */
function ofPod(field: 'requests' | 'limits', containers: readonly AskedAmounts[], before: readonly AskedAmounts[]): Amounts {
  const names = new Set([...containers, ...before].flatMap(asked => Object.keys(asked[field])))
  return Object.fromEntries([...names].map(name => [name, together(name, field, containers, before)]))
}

function together(
  name: string,
  field: 'requests' | 'limits',
  containers: readonly AskedAmounts[],
  before: readonly AskedAmounts[],
): string {
  const amounts = (list: readonly AskedAmounts[]): Quantity[] =>
    list.map(asked => quantityOf(asked[field][name])).filter(found => found !== undefined)
  const sum = amounts(containers).reduce((a, b) => addQuantities(a, b), zero)
  const most = amounts(before).reduce((a, b) => (compareQuantities(a, b) < 0 ? b : a), sum)
  const isBinary = [...containers, ...before].some(asked => asked[field][name]?.endsWith('i') === true)
  return renderQuantity(most, isBinary ? 'binary' : 'decimal')
}

const zero: Quantity = { numerator: 0n, scale: 0, text: '0' }

function quantityOf(text: string | undefined): Quantity | undefined {
  return text === undefined ? undefined : parseQuantity(text)
}

function violations(item: LimitItem, asked: AskedAmounts): readonly string[] {
  return [
    ...Object.entries(item.min).map(([name, least]) => tooLittle(item.type, name, least, asked)),
    ...Object.entries(item.max).map(([name, most]) => tooMuch(item.type, name, most, asked)),
    ...Object.entries(item.maxLimitRequestRatio).map(([name, most]) => tooUneven(item.type, name, most, asked)),
  ].filter(found => found !== undefined)
}

function tooLittle(type: string, name: string, least: string, { requests, limits }: AskedAmounts): string | undefined {
  const said = `minimum ${name} usage per ${type} is ${least}`
  const request = requests[name]
  if (request === undefined) return `${said}.  No request is specified`
  if (isLess(request, least)) return `${said}, but request is ${request}`
  const limit = limits[name]
  return limit !== undefined && isLess(limit, least) ? `${said}, but limit is ${limit}` : undefined
}

function tooMuch(type: string, name: string, most: string, { requests, limits }: AskedAmounts): string | undefined {
  const said = `maximum ${name} usage per ${type} is ${most}`
  const [request, limit] = [requests[name], limits[name]]
  if (type === 'PersistentVolumeClaim')
    return request !== undefined && isLess(most, request) ? `${said}, but request is ${request}` : undefined
  if (limit === undefined) return `${said}.  No limit is specified`
  if (isLess(most, limit)) return `${said}, but limit is ${limit}`
  return request !== undefined && isLess(most, request) ? `${said}, but request is ${request}` : undefined
}

function tooUneven(type: string, name: string, most: string, { requests, limits }: AskedAmounts): string | undefined {
  const said = `${name} max limit to request ratio per ${type} is ${most}`
  const [request, limit] = [numberOf(requests[name]), numberOf(limits[name])]
  if (request === 0) return `${said}, but no request is specified or request is 0`
  if (limit === 0) return `${said}, but no limit is specified or limit is 0`
  const ratio = limit / request
  return ratio > numberOf(most) ? `${said}, but provided ratio is ${ratio.toFixed(6)}` : undefined
}

function isLess(a: string, b: string): boolean {
  const [left, right] = [parseQuantity(a), parseQuantity(b)]
  return left !== undefined && right !== undefined && compareQuantities(left, right) < 0
}

function numberOf(text: string | undefined): number {
  const quantity = quantityOf(text)
  return quantity === undefined ? 0 : quantityAsNumber(quantity)
}
