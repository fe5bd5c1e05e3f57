// Spec and status of one kind: the members of its Create operation's input and output, and what its config adds, moves and hides.

import { didYouMean, given } from '#base'
import type { FieldConfig, ResourceConfig } from '../config/generator-config.ts'
import { configError, type LoadedConfig } from '../config/read-config.ts'
import { InferError } from '../infer-error.ts'
import { type Api, type ApiMember, type ApiOperation, type ApiStructure, elementOf, memberIgnoringCase, sorted } from './api.ts'
import { collectionShape } from './custom-shapes.ts'
import { fieldNamed, pathSteps, putConfigured } from './field-config.ts'
import { type Field, type FieldMap, type FieldOrigin, type FieldType, leafOf, type TypeRegistry } from './field-type.ts'
import type { Findings } from './findings.ts'
import { goScalars, parseGoType } from './go-type.ts'
import { namesOf } from './names.ts'

export interface FieldInputs {
  readonly api: Api
  readonly loaded: LoadedConfig
  readonly types: TypeRegistry
  readonly resource: string
  readonly create: ApiOperation
  readonly findings: Findings
}

export interface SpecAndStatus {
  readonly spec: FieldMap
  readonly status: FieldMap
  /** Name of the primary ARN's member, where an answer holds it. */
  readonly arnMember?: string
}

export function inferFields(inputs: FieldInputs): SpecAndStatus {
  const inference = new FieldInference(inputs)
  return inference.run()
}

class FieldInference {
  readonly #in: FieldInputs
  readonly #config: ResourceConfig
  /** In sorted key order, which decides between two spellings of one field. */
  readonly #entries: readonly (readonly [string, FieldConfig])[]
  readonly #spec: FieldMap = new Map()
  readonly #status: FieldMap = new Map()
  /** Dotted keys that are fields at the top. */
  readonly #joined = new Set<string>()
  #arnMember: string | undefined
  #hasAttributes = false

  constructor(inputs: FieldInputs) {
    this.#in = inputs
    this.#config = inputs.loaded.config.resources?.get(inputs.resource) ?? {}
    this.#entries = sorted(this.#config.fields ?? [])
  }

  run(): SpecAndStatus {
    this.#addInput()
    this.#addDefined('spec')
    this.#addOutput()
    this.#addDefined('status')
    this.#applyTopLevel()
    this.#applyNested()
    return {
      spec: this.#spec,
      status: this.#status,
      ...given({ arnMember: this.#arnMember }),
    }
  }

  #addInput(): void {
    const { api, create, loaded } = this.#in
    const input = structure(api, create.input)
    const wrapper = loaded.config.operations?.get(create.name)?.input_wrapper_field_path
    const source =
      wrapper === undefined
        ? { ...input, name: create.modelInput ?? create.input }
        : this.#wrapped(input, { path: wrapper, key: 'input_wrapper_field_path' })
    const owner = source.name
    for (const [name, member] of sorted(source.members)) {
      if (member.idempotencyToken === true && this.#config.ignore_idempotency_token === true) continue
      if (name === 'Attributes' && this.#unpacksAttributes()) {
        this.#addAttributes(new Set([...source.members.keys()].map(each => namesOf(this.#rename(each)).camel)))
        continue
      }
      const renamed = this.#rename(name)
      const origin: FieldOrigin = this.#origin('input', { owner, name, member, renamed })
      this.#put(
        this.#spec,
        this.#field(renamed, { model: name, member, origin, required: input.required.has(this.#unrenamed(renamed)) }),
      )
    }
  }

  #addOutput(): void {
    const { api, create, loaded } = this.#in
    const output = structure(api, create.output)
    const path = loaded.config.operations?.get(create.name)?.output_wrapper_field_path
    const only = output.members.size === 1 ? [...output.members.values()][0] : undefined
    const unwrapped = only === undefined ? undefined : api.shapes.get(only.target)
    const source =
      path !== undefined
        ? this.#wrapped(output, { path, key: 'output_wrapper_field_path' })
        : only !== undefined && unwrapped?.type === 'structure'
          ? { ...unwrapped, name: only.target }
          : { ...output, name: create.modelOutput ?? create.output }
    const owner = source.name
    for (const [name, member] of sorted(source.members)) {
      const renamed = this.#rename(name)
      if (this.#spec.has(namesOf(renamed).camel)) continue
      if (name === 'Attributes' && this.#unpacksAttributes()) continue
      if (this.#isPrimaryArn(renamed) || this.#isPrimaryArn(name)) {
        this.#arnMember = name
        continue
      }
      const origin = this.#origin('output', { owner, name, member, renamed })
      this.#put(this.#status, this.#field(renamed, { model: name, member, origin, required: false }))
    }
  }

  #origin(
    by: 'input' | 'output',
    {
      owner,
      name,
      member,
      renamed,
    }: { readonly owner: string; readonly name: string; readonly member: ApiMember; readonly renamed: string },
  ): FieldOrigin {
    return {
      by,
      operation: this.#in.create.name,
      member: `${owner}.${member.wire ?? name}`,
      ...(renamed === name ? {} : { renamedFrom: name }),
    }
  }

  /** The structure at a dotted path below a payload; a list is entered. */
  #wrapped(
    from: ApiStructure,
    { path, key }: { readonly path: string; readonly key: string },
  ): ApiStructure & { readonly name: string } {
    const { api, create, loaded } = this.#in
    let current: ApiStructure & { readonly name: string } = { ...from, name: create.name }
    for (const element of path.split('.')) {
      const member = memberIgnoringCase(current, element)?.[1]
      const target = member === undefined ? undefined : elementOf(api, member.target)
      const shape = target === undefined ? undefined : api.shapes.get(target)
      if (target === undefined || shape?.type !== 'structure') {
        const near = didYouMean(element, current.members.keys())
        const problem = member === undefined ? `has no member "${element}"${near}` : `"${element}" is no structure`
        throw configError(loaded, ['operations', create.name, key], `"${path}": ${problem}`)
      }
      current = { ...shape, name: target }
    }
    return current
  }

  #renames(): readonly (ReadonlyMap<string, string> | undefined)[] {
    const renames = this.#config.renames?.operations?.get(this.#in.create.name)
    return [renames?.input_fields, renames?.output_fields]
  }

  #rename(name: string): string {
    for (const renames of this.#renames()) {
      const renamed = renames?.get(name)
      if (renamed !== undefined) return renamed
    }
    return name
  }

  /**
   * The member that a field's name goes back to: what is required of the field is what is required of that one. A name that only the
   * output is renamed to goes back to the output's member, of which the input says nothing; published kinds have it so.
   */
  #unrenamed(name: string): string {
    for (const renames of this.#renames()) {
      for (const [from, to] of renames ?? []) if (to === name) return from
    }
    return name
  }

  #unpacksAttributes(): boolean {
    return this.#config.unpack_attributes_map !== undefined || this.#entries.some(([, entry]) => entry.is_attribute === true)
  }

  /**
   * Every attribute is a text, whatever it looks like: that is what the map holds. One that is a member of the input too is that one
   * field.
   */
  #addAttributes(members: ReadonlySet<string>): void {
    this.#hasAttributes = true
    for (const [key, entry] of this.#entries) {
      if (entry.is_attribute !== true || members.has(namesOf(key).camel)) continue
      if (!isDefined(entry) && this.#isPrimaryArn(key)) {
        this.#arnMember = key
        continue
      }
      const origin: FieldOrigin = { by: 'attribute', operation: this.#in.create.name, config: this.#place(key) }
      const field = this.#made(key, { type: { kind: 'string' }, origin })
      this.#put(entry.is_read_only === true ? this.#status : this.#spec, field)
    }
  }

  /** A member that holds the resource's own ARN: it goes to the common metadata. */
  #isPrimaryArn(name: string): boolean {
    const flagged = this.#entries.filter(([, entry]) => entry.is_arn === true)
    const wanted = name.toLowerCase()
    if (flagged.length > 0)
      return flagged.some(([key]) => key.toLowerCase() === wanted || namesOf(key).camel === namesOf(name).camel)
    return wanted === 'arn' || wanted === `${this.#in.resource.toLowerCase()}arn`
  }

  /** Fields that a config defines itself; one with the name of an inferred field takes its place. */
  #addDefined(part: 'spec' | 'status'): void {
    for (const [key, entry] of this.#entries) {
      if ((entry.is_read_only === true) !== (part === 'status') || !isDefined(entry)) continue
      if (this.#isBelow(key, entry)) continue
      const fields = part === 'spec' ? this.#spec : this.#status
      const field = this.#definedField(key, { entry, part })
      if (field === undefined) continue
      this.#remove(fields, field.names.camel)
      this.#put(fields, field)
    }
  }

  /**
   * A dotted key leads into a field, and a `type` there adds a member to its structure. What is taken from an operation under a dotted
   * name that leads into none is a field at the top, with the name's parts joined.
   */
  #isBelow(key: string, entry: FieldConfig): boolean {
    const [first = '', ...rest] = pathSteps(key)
    if (rest.length === 0) return false
    const leads = [this.#spec, this.#status].some(fields => fieldNamed(fields, first) !== undefined)
    if (leads || (entry.from === undefined && entry.custom_field === undefined)) return true
    this.#joined.add(key)
    return false
  }

  #definedField(
    key: string,
    { entry, part }: { readonly entry: FieldConfig; readonly part: 'spec' | 'status' },
  ): Field | undefined {
    const { api, loaded, types, create } = this.#in
    const required =
      part === 'spec' &&
      [...structure(api, create.input).required].some(name => namesOf(this.#rename(name)).camel === namesOf(key).camel)
    const place = this.#place(key)
    if (entry.from !== undefined) {
      const found = this.#from(key, { ...entry.from, part })
      if (found === undefined) return undefined
      const type = found.member === undefined ? types.typeOf(found.target) : types.typeOf(found.member.target)
      return {
        ...this.#made(key, { type, origin: { by: 'from', operation: found.operation, member: found.path, config: place } }),
        required,
        ...(found.member === undefined ? { shape: found.target } : { ...docs(api, found.member), ...wire(found.member) }),
      }
    }
    if (entry.custom_field !== undefined) {
      const { list_of: list, map_of: map } = entry.custom_field
      const of = list ?? map
      const path = ['resources', this.#in.resource, 'fields', key, 'custom_field']
      if (of === undefined) throw configError(loaded, path, 'custom_field needs "list_of" or "map_of"')
      const shape = collectionShape(api, { kind: list === undefined ? 'map' : 'list', of })
      if (shape === undefined)
        return this.#missing(path, { name: of, candidates: api.shapes.keys(), problem: `shape "${of}" does not exist` })
      return {
        ...this.#made(key, { type: types.typeOf(shape), origin: { by: 'custom_field', member: of, config: place } }),
        required,
        shape,
      }
    }
    return {
      ...this.#made(key, { type: this.#writtenType(key, entry.type ?? ''), origin: { by: 'type', config: place } }),
      required,
    }
  }

  #writtenType(key: string, notation: string): FieldType {
    const type = parseGoType(notation)
    if (type !== undefined) return type
    const path = ['resources', this.#in.resource, 'fields', key, 'type']
    throw new InferError(
      'wrong-type',
      `${this.#in.loaded.placeOf(...path)}: "${notation}" is no type${didYouMean(notation, goScalars)}; write one of ${goScalars.join(', ')}, with *, [] or map[string] before it`,
    )
  }

  /** The member at `from.path` of an operation: of the input first for what users write, of the output first for what they read. */
  #from(
    key: string,
    { operation: name, path, part }: { readonly operation?: string; readonly path?: string; readonly part: 'spec' | 'status' },
  ): FromTarget | undefined {
    const { api, resource } = this.#in
    const keys = ['resources', resource, 'fields', key, 'from']
    const operation = api.operations.get(name ?? '')
    if (operation === undefined) {
      const problem = `field "${key}" of ${resource}: operation "${name}" does not exist`
      return this.#missing([...keys, 'operation'], { name: name ?? '', candidates: api.operations.keys(), problem })
    }
    const payloads = part === 'spec' ? [operation.input, operation.output] : [operation.output, operation.input]
    if (path === '.') return { operation: operation.name, target: operation.input, path: operation.input }
    for (const payload of payloads) {
      const found = memberAt(api, payload, path ?? '')
      if (found !== undefined)
        return { operation: operation.name, target: found.member.target, member: found.member, path: found.path }
    }
    const members = payloads.flatMap(payload => membersAlong(api, payload, path ?? ''))
    const problem = `field "${key}" of ${resource}: ${operation.name} has no "${path}" in input or output`
    return this.#missing([...keys, 'path'], { name: lastMissing(api, payloads, path ?? ''), candidates: members, problem })
  }

  #missing(
    path: readonly string[],
    {
      name,
      candidates,
      problem,
      fatal = true,
    }: { readonly name: string; readonly candidates: Iterable<string>; readonly problem: string; readonly fatal?: boolean },
  ): undefined {
    const all = [...candidates]
    const message = `${this.#in.loaded.placeOf(...path)}: ${problem}${didYouMean(name, all)}`
    this.#in.findings.missing({ name, candidates: all, message, fatal })
    return undefined
  }

  #applyTopLevel(): void {
    for (const [key, entry] of this.#entries) {
      if (key.includes('.') && !this.#joined.has(key)) continue
      const found = [this.#spec, this.#status].flatMap(fields => {
        const field = fieldNamed(fields, key)
        return field === undefined ? [] : [{ fields, field }]
      })
      if (found.length === 0) this.#refuseUnmatched(key, key, entry)
      for (const { fields, field } of found) {
        // Only what users write can be required or referred to.
        const config = fields === this.#spec ? entry : withoutSpecOnly(entry)
        putConfigured(fields, field, { config, place: this.#place(key) })
      }
    }
  }

  #refuseUnmatched(key: string, first: string, entry: FieldConfig): void {
    if (this.#isPrimaryArn(first)) return
    // Defined here, but not made: that was reported where it was to be made.
    if (isDefined(entry) && !key.includes('.')) return
    const fatal = Object.keys(entry).some(each => !harmless.has(each))
    const candidates = [...this.#spec.values(), ...this.#status.values()].map(({ names }) => names.camel)
    const attribute = entry.is_attribute === true && !this.#hasAttributes ? '; its Create operation has no attributes' : ''
    const problem = `${this.#in.resource} has no field "${first}"${attribute}`
    const path = ['resources', this.#in.resource, 'fields', key]
    this.#missing(path, { name: namesOf(first).camel, candidates, problem, fatal })
  }

  /** Dotted entries change the structure itself, and so every field that uses it. */
  #applyNested(): void {
    for (const [key, entry] of this.#entries) {
      if (!key.includes('.') || this.#joined.has(key)) continue
      const [first = '', ...rest] = pathSteps(key)
      const [written, read] = [fieldNamed(this.#spec, first), fieldNamed(this.#status, first)]
      if (written === undefined && read === undefined) this.#refuseUnmatched(key, first, entry)
      if (written !== undefined) this.#applyBelow(written, { key, rest, entry })
      if (read !== undefined) this.#applyBelow(read, { key, rest, entry: written === undefined ? entry : withoutSpecOnly(entry) })
    }
  }

  #applyBelow(
    from: Field,
    { key, rest, entry }: { readonly key: string; readonly rest: readonly string[]; readonly entry: FieldConfig },
  ): void {
    const { types, findings } = this.#in
    let leaf = leafOf(from.type)
    for (const [index, name] of rest.entries()) {
      if (leaf.kind !== 'structure')
        return findings.warn(`${this.#place(key)}: "${key}": "${rest[index - 1] ?? from.names.original}" has no members`)
      const fields = types.fieldsOf(leaf.shape)
      const isLast = index === rest.length - 1
      if (isLast && isDefined(entry)) {
        const made = this.#definedField(key, { entry, part: 'spec' })
        if (made === undefined) return
        const names = namesOf(name)
        this.#remove(fields, names.camel)
        fields.set(names.camel, { ...made, names, json: names.json, model: name, required: false })
      }
      const field = fieldNamed(fields, name)
      if (field === undefined) {
        const near = didYouMean(namesOf(name).camel, fields.keys())
        return findings.warn(`${this.#place(key)}: "${key}": ${leaf.shape} has no member "${name}"${near}`)
      }
      if (isLast) return putConfigured(fields, field, { config: entry, place: this.#place(key) })
      leaf = leafOf(field.type)
    }
  }

  #field(
    name: string,
    {
      model,
      member,
      origin,
      required,
    }: { readonly model: string; readonly member: ApiMember; readonly origin: FieldOrigin; readonly required: boolean },
  ): Field {
    const { api, types } = this.#in
    const made = this.#made(name, { type: types.typeOf(member.target), origin })
    return { ...made, model, required, shape: member.target, ...wire(member), ...docs(api, member) }
  }

  #made(name: string, { type, origin }: { readonly type: FieldType; readonly origin: FieldOrigin }): Field {
    const names = namesOf(name)
    return { names, json: names.json, model: name, type, required: false, immutable: false, origin }
  }

  /** Two members that would be one field: the kind cannot be made, since one of the two would be lost without a word. */
  #put(fields: FieldMap, field: Field): void {
    const taken = fields.get(field.names.camel)
    if (taken !== undefined) {
      throw new InferError(
        'name-collision',
        `${this.#in.resource}: ${taken.origin.member ?? taken.model} and ${field.origin.member ?? field.model} would both be the field "${field.json}"; rename one under resources.${this.#in.resource}.renames.operations.${this.#in.create.name}`,
      )
    }
    fields.set(field.names.camel, field)
  }

  #remove(fields: FieldMap, camel: string): void {
    const wanted = camel.toLowerCase()
    for (const name of fields.keys()) if (name.toLowerCase() === wanted) fields.delete(name)
  }

  #place(key: string): string {
    return this.#in.loaded.placeOf('resources', this.#in.resource, 'fields', key)
  }
}

/** The first element of a path that is not there in the payload where the path leads furthest. */
function lastMissing(api: Api, payloads: readonly string[], path: string): string {
  const elements = path.split('.')
  const reached = payloads.map(payload =>
    elements.findIndex((_, index) => memberAt(api, payload, elements.slice(0, index + 1).join('.')) === undefined),
  )
  return elements[Math.max(0, ...reached)] ?? path
}

/** Members of the structures that a path passes, as far as it goes. */
function membersAlong(api: Api, payload: string, path: string): string[] {
  const elements = path.split('.')
  const targets = [
    payload,
    ...elements.map((_, index) => memberAt(api, payload, elements.slice(0, index).join('.'))?.member.target),
  ]
  return targets.flatMap(target => {
    const shape = target === undefined ? undefined : api.shapes.get(elementOf(api, target))
    return shape?.type === 'structure' ? [...shape.members.keys()] : []
  })
}

interface FromTarget {
  readonly operation: string
  readonly target: string
  readonly member?: ApiMember
  readonly path: string
}

/** Entries with nothing but these may name a field that is not there. */
const harmless: ReadonlySet<string> = new Set(['is_arn', 'is_owner_account_id', 'is_primary_key', 'late_initialize'])

function isDefined(entry: FieldConfig): boolean {
  return entry.from !== undefined || entry.custom_field !== undefined || entry.type !== undefined
}

function withoutSpecOnly(entry: FieldConfig): FieldConfig {
  const { references: _references, is_required: _required, ...rest } = entry
  return rest
}

function structure(api: Api, name: string): ApiStructure {
  const shape = api.shapes.get(name)
  if (shape?.type === 'structure') return shape
  throw new InferError('unknown-name', `payload "${name}" is gone: ignore.shape_names takes it out, but an operation needs it`)
}

function memberAt(api: Api, payload: string, path: string): { readonly member: ApiMember; readonly path: string } | undefined {
  let current = payload
  let found: { readonly member: ApiMember; readonly path: string } | undefined
  for (const element of path.split('.')) {
    const shape = api.shapes.get(elementOf(api, current))
    const member = shape?.type === 'structure' ? shape.members.get(element) : undefined
    if (member === undefined) return undefined
    found = { member, path: `${elementOf(api, current)}.${member.wire ?? element}` }
    current = member.target
  }
  return found
}

function docs(api: Api, member: ApiMember): { readonly documentation?: string } {
  const documentation = member.documentation ?? api.shapes.get(member.target)?.documentation
  return documentation === undefined ? {} : { documentation }
}

function wire(member: ApiMember): { readonly wire?: string } {
  return member.wire === undefined ? {} : { wire: member.wire }
}
