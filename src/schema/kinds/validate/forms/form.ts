// Objects as a real server's own types have them: every field under the type's own name, in the type's order, with null or what is empty
// where there is none. Refusals show such forms, and whether two objects are the same is asked of them too.
import { escapeHtml } from '../../../field-error.ts'
import { isList, isObject, type Json, type JsonObject, renderJson } from '../../../json.ts'
import { parseQuantity } from '../../../quantity.ts'
import { listOf, objectOf, text } from '../checks.ts'
import { shownSelector } from '../selectors.ts'
import { unifiedDiff } from './unified-diff.ts'

/** By the name in the server's type: the field, what stands there when there is none, and what it holds. */
export interface FormShape {
  readonly [name: string]: readonly [field: string, none: Json, holds?: FormShape | HeldKind]
}

/**
 * What a field holds that is not a list, an object or a plain value with fields of its own: names that people choose, an amount, amounts by
 * name, a label selector, or metadata, whose fields stand among those of its owner.
 */
export type HeldKind = 'names' | 'amount' | 'amounts' | 'selector' | 'metadata'

/** So many fields are shown: a megabyte of `{}` in a list of containers would become three hundred. */
const fieldsMax = 300_000

interface Writer {
  readonly held: Readonly<Record<HeldKind, (value: Json) => Json>>
  readonly list: (items: readonly Json[]) => Json
  room: number
}

/** As it is shown; undefined when it is too long to be shown. */
export function formOf(value: JsonObject, shape: FormShape): JsonObject | undefined {
  const writer: Writer = { held: shownHeld, list: items => items, room: fieldsMax }
  const form = formWith(writer, value, shape)
  return writer.room < 0 ? undefined : form
}

/** For a refusal that shows it: what is too long is shown as it was given. */
export function shownForm(value: JsonObject, shape: FormShape): JsonObject {
  return formOf(value, shape) ?? value
}

/** To a real server an empty list and none are the same, and so are amounts that are written in different ways. */
export function sameForms(one: JsonObject, other: JsonObject, shape: FormShape): boolean {
  const [left, right] = [one, other].map(value => {
    const writer: Writer = { held: comparedHeld, list: items => (items.length === 0 ? null : items), room: fieldsMax }
    const form = formWith(writer, value, shape)
    return writer.room < 0 ? undefined : renderJson(form)
  })
  return left !== undefined && left === right
}

/** What changed, line by line; nothing of what is too long to be shown. */
export function formChange(before: JsonObject, now: JsonObject, shape: FormShape): string {
  const [left, right] = [formOf(before, shape), formOf(now, shape)]
  return left === undefined || right === undefined ? '' : unifiedDiff(formLines(left), formLines(right))
}

function formWith(writer: Writer, value: JsonObject, shape: FormShape): JsonObject {
  const entries: [string, Json][] = []
  for (const [name, [field, none, holds]] of Object.entries(shape)) {
    writer.room--
    const given = heldForm(writer, value[field] ?? none, holds)
    if (holds === 'metadata') entries.push(...Object.entries(objectOf(given)))
    else entries.push([name, given])
  }
  return Object.fromEntries(entries)
}

function heldForm(writer: Writer, given: Json, holds: FormShape | HeldKind | undefined): Json {
  if (typeof holds === 'string') return given === null ? null : writer.held[holds](given)
  if (isList(given)) {
    writer.room -= given.length
    const areShown = holds !== undefined && writer.room >= 0
    return writer.list(areShown ? given.map(item => formWith(writer, objectOf(item), holds)) : given)
  }
  return isObject(given) && holds !== undefined ? formWith(writer, given, holds) : given
}

const shownHeld: Writer['held'] = {
  names: names => inOrder(objectOf(names)),
  amount: amount => amount,
  amounts: amounts => inOrder(objectOf(amounts)),
  selector: selector => shownSelector(objectOf(selector)),
  metadata: metadata => metadataForm(objectOf(metadata)),
}

const comparedHeld: Writer['held'] = {
  names: names => orNone(inOrder(objectOf(names))),
  amount: comparedAmount,
  amounts: amounts =>
    orNone(
      inOrder(Object.fromEntries(Object.entries(objectOf(amounts)).map(([name, amount]) => [name, comparedAmount(amount)]))),
    ),
  selector: shownHeld.selector,
  metadata: shownHeld.metadata,
}

function orNone(object: JsonObject): Json {
  return Object.keys(object).length === 0 ? null : object
}

function comparedAmount(amount: Json): Json {
  const quantity = parseQuantity(text(amount))
  if (quantity === undefined) return amount
  let { numerator, scale } = quantity
  while (scale > 0 && numerator % 10n === 0n) [numerator, scale] = [numerator / 10n, scale - 1]
  return `${numerator}/${scale}`
}

/** In the order in which metadata is written; the part of it that is empty is not there. */
const metadataFields = [
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'managedFields',
] as const
/** A zero counts for something where none is something else. */
const kept = new Set<string>(['deletionGracePeriodSeconds'])
const ownerFields = ['apiVersion', 'kind', 'name', 'uid', 'controller', 'blockOwnerDeletion'] as const
const managedFields = ['manager', 'operation', 'apiVersion', 'time', 'fieldsType', 'fieldsV1', 'subresource'] as const

function metadataForm(metadata: JsonObject): JsonObject {
  const lists: Readonly<Record<string, readonly string[]>> = { ownerReferences: ownerFields, managedFields }
  const entries = metadataFields.flatMap((field): [string, Json][] => {
    const value = metadata[field]
    if (value === undefined || value === null || (isNothing(value) && !kept.has(field))) return []
    const fields = lists[field]
    if (fields !== undefined) return [[field, listOf(value).map(item => inOrder(objectOf(item), fields))]]
    return [[field, isObject(value) ? inOrder(value) : value]]
  })
  return Object.fromEntries(entries)
}

function isNothing(value: Json): boolean {
  if (isList(value)) return value.length === 0
  return isObject(value) ? Object.keys(value).length === 0 : value === '' || value === 0
}

/** What people name themselves stands in the order of its names. */
function inOrder(object: JsonObject, names: readonly string[] = Object.keys(object).sort()): JsonObject {
  return Object.fromEntries(names.flatMap(name => (object[name] === undefined ? [] : [[name, object[name]]])))
}

/** Indented by one, a line for each field and each item. */
function formLines(form: JsonObject): readonly string[] {
  const lines: string[] = []
  writeLines(lines, form, { before: '', indent: '', after: '' })
  return lines
}

interface Place {
  readonly before: string
  readonly indent: string
  readonly after: string
}

function writeLines(lines: string[], value: Json, { before, indent, after }: Place): void {
  const parts: readonly (readonly [before: string, Json])[] = isList(value)
    ? value.map(item => ['', item])
    : isObject(value)
      ? Object.entries(value).map(([name, part]) => [`${JSON.stringify(name)}: `, part])
      : []
  if (parts.length === 0) {
    lines.push(escapeHtml(`${indent}${before}${renderJson(value)}${after}`))
    return
  }
  const [opening, closing] = isList(value) ? '[]' : '{}'
  lines.push(escapeHtml(`${indent}${before}${opening}`))
  for (const [index, [name, part]] of parts.entries())
    writeLines(lines, part, { before: name, indent: `${indent} `, after: index === parts.length - 1 ? '' : ',' })
  lines.push(`${indent}${closing}${after}`)
}
