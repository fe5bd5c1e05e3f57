// What cells are made of.
import { isList, isObject, type Json, type JsonObject } from '#schema'

export const none = '<none>'

export function member(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  let current = value
  for (const key of path) current = isObject(current) ? current[key] : undefined
  return current
}

export function text(value: Json | undefined, otherwise = ''): string {
  if (typeof value === 'string') return value === '' ? otherwise : value
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean' ? String(value) : otherwise
}

export function count(value: Json | undefined): number {
  return typeof value === 'number' ? value : Number(value ?? 0) || 0
}

export function items(value: Json | undefined): readonly JsonObject[] {
  return isList(value) ? value.filter(isObject) : []
}

export function texts(value: Json | undefined): readonly string[] {
  return isList(value) ? value.filter(item => typeof item === 'string') : []
}

export function sizeOf(value: Json | undefined): number {
  if (isList(value)) return value.length
  return isObject(value) ? Object.keys(value).length : 0
}

export function joined(parts: readonly string[], otherwise: string = none): string {
  return parts.length === 0 ? otherwise : parts.join(',')
}

export function labelsText(labels: Json | undefined): string {
  if (!isObject(labels) || Object.keys(labels).length === 0) return none
  return Object.keys(labels)
    .sort()
    .map(key => `${key}=${text(labels[key])}`)
    .join(',')
}

/** A label selector as one reads it on a command line. */
export function selectorText(selector: Json | undefined): string {
  if (!isObject(selector)) return none
  const labels = isObject(selector.matchLabels) ? selector.matchLabels : {}
  const parts = Object.keys(labels)
    .sort()
    .map(key => `${key}=${text(labels[key])}`)
  for (const expression of items(selector.matchExpressions)) parts.push(requirementText(expression))
  return joined(parts)
}

function requirementText({ key, operator, values }: JsonObject): string {
  const list = `(${[...texts(values)].sort().join(',')})`
  switch (operator) {
    case 'In':
      return `${text(key)} in ${list}`
    case 'NotIn':
      return `${text(key)} notin ${list}`
    case 'DoesNotExist':
      return `!${text(key)}`
    default:
      return text(key)
  }
}

/** At most so many, then how many more. */
export function firstOf(parts: readonly string[], max: number): string {
  if (parts.length === 0) return none
  const shown = parts.slice(0, max).join(',')
  return parts.length > max ? `${shown} + ${parts.length - max} more...` : shown
}

export function containersOf(spec: Json | undefined): readonly [string, string] {
  const containers = items(member(spec, 'containers'))
  return [
    containers.map(container => text(container.name)).join(','),
    containers.map(container => text(container.image)).join(','),
  ]
}
