// References: fields that name another object instead of a value. Resolved for each pass from the objects as they are, used for the calls,
// and never written into the manifest.

import type { ResourceField, ResourceService } from '#aws'
import { type Condition, findCondition, type ResourceType } from '#kube'
import { conditions, type Fields, type Resource } from '../api.ts'
import { isRecord, isReferenceField } from '../model/convert.ts'
import { fieldsIn, type KindModel, leadsTo, onceOfKind, shapeIn } from '../model/kind-model.ts'
import { propertyNamed, sameName } from '../model/names.ts'
import type { Resolved } from '../seen/seen.ts'

/** What a reference names. */
export interface ReferenceTarget {
  readonly service: string
  readonly resource: string
  readonly namespace: string
  readonly name: string
}

export interface ReferenceReads {
  /** `unserved`: nobody here knows the kind. */
  find(target: ReferenceTarget): Resource | undefined | 'unserved'
  readonly crossNamespace: boolean
}

class Unresolved extends Error {
  readonly how: 'wait' | 'stop'
  readonly terminal: boolean
  constructor(how: 'wait' | 'stop', message: string, terminal = how === 'stop') {
    super(message)
    this.how = how
    this.terminal = terminal
  }
}

/** The spec with values in the place of references. */
export function resolveReferences(model: KindModel, claim: Resource, reads: ReferenceReads): Resolved {
  const state: State = { model, claim, reads, foreign: new Set(), found: 0 }
  try {
    const spec = resolveFields(state, undefined, claim.spec ?? {})
    const notices = [...state.foreign]
      .sort()
      .map(
        (message): Condition => ({ type: conditions.advisory, status: 'True', reason: 'CrossNamespaceOptInRequired', message }),
      )
    return { kind: 'resolved', spec, notices, hasReferences: state.found > 0 }
  } catch (error) {
    if (!(error instanceof Unresolved)) throw error
    return { kind: 'unresolved', how: error.how, message: error.message, terminal: error.terminal }
  }
}

/** All objects that a claim refers to: for watches. */
export function targetsOf(model: KindModel, claim: Resource): readonly ReferenceTarget[] {
  const targets: ReferenceTarget[] = []
  const visit = (shape: string | undefined, values: Fields): void => {
    for (const { field, companion, within } of referringIn(model, shape)) {
      const named = companion === undefined ? [] : itemsOf(values[companion.json])
      targets.push(...named.flatMap(each => targetOf(model.service, claim, field, each) ?? []))
      for (const each of within === undefined ? [] : itemsOf(values[field.json])) if (isRecord(each)) visit(within, each)
    }
  }
  visit(undefined, claim.spec ?? {})
  return targets
}

function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}

/** A field that another one names an object for, or that leads to such fields. */
interface Referring {
  readonly field: ResourceField
  /** The field by which the object is named. */
  readonly companion: ResourceField | undefined
  /** The structure in which further ones stand. */
  readonly within: string | undefined
}

/** Of a structure, or of the spec. */
const referringIn: (model: KindModel, shape: string | undefined) => readonly Referring[] = onceOfKind((model, shape) => {
  const fields = fieldsIn(model, shape)
  return fields.flatMap(field => {
    if (isReferenceField(field)) return []
    const companion = fields.find(each => each.referenceFor === field.camel && isReferenceField(each))
    const inner = shapeIn(field)
    const within =
      inner !== undefined && fieldsIn(model, inner).some(each => leadsTo(model, each, isReferenceField)) ? inner : undefined
    return companion === undefined && within === undefined ? [] : [{ field, companion, within }]
  })
})

/** Reference fields of a structure that no other field has for its own stay out of calls all the same. */
const referencesIn: (model: KindModel, shape: string | undefined) => readonly string[] = onceOfKind((model, shape) =>
  fieldsIn(model, shape)
    .filter(isReferenceField)
    .map(({ json }) => json),
)

interface State {
  readonly model: KindModel
  readonly claim: Resource
  readonly reads: ReferenceReads
  readonly foreign: Set<string>
  found: number
}

function resolveFields(state: State, shape: string | undefined, values: Fields): Fields {
  const made: Record<string, unknown> = { ...values }
  for (const json of referencesIn(state.model, shape)) delete made[json]
  for (const { field, companion, within } of referringIn(state.model, shape)) {
    const required = shape === undefined && field.required === true
    if (companion !== undefined) resolvePair(state, { field, companion, values, made, required })
    const value = made[field.json]
    if (within === undefined || value === undefined || value === null) continue
    if (Array.isArray(value)) made[field.json] = value.map(each => (isRecord(each) ? resolveFields(state, within, each) : each))
    else if (isRecord(value)) made[field.json] = resolveFields(state, within, value)
  }
  return made
}

interface Pair {
  readonly field: ResourceField
  readonly companion: ResourceField
  readonly values: Fields
  readonly made: Record<string, unknown>
  readonly required: boolean
}

function resolvePair(state: State, { field, companion, values, made, required }: Pair): void {
  const given = values[companion.json]
  const own = values[field.json]
  const names = `${field.camel},${companion.camel}`
  if (has(given) && has(own))
    throw new Unresolved('stop', `both resource reference wrapper and ID cannot be used together: ${names}`)
  if (!has(given)) {
    if (required && !has(own)) throw new Unresolved('stop', `resource reference wrapper or ID required: ${names}`)
    return
  }
  state.found += 1
  made[field.json] = Array.isArray(given) ? given.map(each => resolveOne(state, field, each)) : resolveOne(state, field, given)
}

function has(value: unknown): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0)
}

function resolveOne(state: State, field: ResourceField, reference: unknown): unknown {
  const { model, claim, reads } = state
  const literal = externalOf(reference)
  if (literal !== undefined) return literal
  const target = targetOf(model.service, claim, field, reference)
  if (target === undefined || target.name === '')
    throw new Unresolved('stop', `provided resource reference is empty: ${field.camel}Ref`)
  const where = `${target.namespace}/${target.name}`
  const what = `${target.service} ${target.resource} ${where}`
  if (target.namespace !== (claim.metadata.namespace ?? '')) {
    if (!reads.crossNamespace)
      throw new Unresolved(
        'stop',
        `${claim.metadata.namespace ?? ''}/${claim.metadata.name} refers to ${what} in another namespace, which is not allowed: name one of its own namespace, or have the operator run with --enable-cross-namespace`,
      )
    state.foreign.add(`${what} is in another namespace`)
  }
  const found = reads.find(target)
  if (found === 'unserved') throw new Unresolved('wait', `${target.service} ${target.resource} is not served by this controller`)
  if (found === undefined) throw new Unresolved('wait', `the referenced ${what} does not exist`)
  return valueOf(found, field, what)
}

function valueOf(found: Resource, field: ResourceField, what: string): unknown {
  const held = found.status?.conditions
  const path = field.reference?.path ?? ''
  if (field.reference?.skipStateChecks !== true && !isServing(found, path)) {
    if (findCondition(held, conditions.terminal)?.status === 'True')
      throw new Unresolved(
        'stop',
        `the referenced resource has 'ACK.Terminal' condition 'True'. Cannot be referenced: ${what}`,
        false,
      )
    if (findCondition(held, conditions.synced)?.status !== 'True')
      throw new Unresolved('wait', `the referenced resource is not synced yet: ${what}`)
  }
  let value: unknown = found
  for (const step of path.split('.')) value = isRecord(value) ? propertyNamed(value, step)?.value : undefined
  if (value === undefined || value === null || value === '')
    throw new Unresolved('wait', `the referenced resource is missing the target field: ${what} ${path}`)
  return value
}

/** It was made and serves; only a wish for other fields of it than this one cannot be carried out. */
function isServing({ status }: Resource, path: string): boolean {
  const terminal = findCondition(status?.conditions, conditions.terminal)
  if (terminal?.status !== 'True' || !ofOneField.includes(terminal.reason)) return false
  const isWished = path.toLowerCase().startsWith('spec.')
  return status?.ackResourceMetadata?.arn !== undefined && !(isWished && isNamedIn(terminal.message, path))
}

/** The field, or what it is a part of, and not one whose name merely begins alike. */
function isNamedIn(message: string, path: string): boolean {
  const top = path.split('.').slice(0, 2).join('.').toLowerCase()
  return message
    .toLowerCase()
    .split(/[,;\s]+/)
    .some(word => word === top || word.startsWith(`${top}.`))
}

/** Reasons of a refusal that is about fields, and leaves the resource as it was. */
const ofOneField: readonly string[] = ['NotUpdatable', 'InvalidManifest']

/** What no object stands for, said by its ARN, id or name: `external: {arn: …}`. */
function externalOf(reference: unknown): string | undefined {
  const external = isRecord(reference) ? reference['external'] : undefined
  if (!isRecord(external)) return undefined
  return [external['arn'], external['id'], external['name']].find(
    (value): value is string => typeof value === 'string' && value !== '',
  )
}

function targetOf(
  service: ResourceService,
  claim: Resource,
  field: ResourceField,
  reference: unknown,
): ReferenceTarget | undefined {
  const from = isRecord(reference) ? reference['from'] : undefined
  if (!isRecord(from) || field.reference === undefined) return undefined
  const { name, namespace } = from
  return {
    service: field.reference.service ?? service.alias,
    resource: field.reference.resource,
    namespace: typeof namespace === 'string' && namespace !== '' ? namespace : (claim.metadata.namespace ?? ''),
    name: typeof name === 'string' ? name : '',
  }
}

/** Kinds by service and resource, as references name them. */
export function referenceType(
  services: readonly ResourceService[],
  { service, resource }: Pick<ReferenceTarget, 'service' | 'resource'>,
): ResourceType | undefined {
  const found = services.find(({ alias }) => alias === service)
  const kind = Object.values(found?.kinds ?? {}).find(each => sameName(each.resource, resource) || sameName(each.kind, resource))
  if (found === undefined || kind === undefined) return undefined
  return { group: found.group, version: kind.version, kind: kind.kind, plural: kind.plural, namespaced: true }
}
