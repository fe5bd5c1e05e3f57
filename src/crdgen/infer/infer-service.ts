// From a model and its config to the kinds of a service: everything that is decided, before anything is rendered.

import type { ServiceModel } from '#aws'
import { compareText, didYouMean, given } from '#base'
import type { DocumentationConfig } from '../config/generator-config.ts'
import { type LoadedConfig, noConfig } from '../config/read-config.ts'
import { InferError } from '../infer-error.ts'
import { type Api, type ApiOperation } from './api.ts'
import { checkConfig } from './check-config.ts'
import { checkFields } from './check-fields.ts'
import { type ClassifiedOperation, classifyAll, type OperationType } from './classify.ts'
import { columnsOf } from './columns.ts'
import { addCustomShapes } from './custom-shapes.ts'
import { documented } from './documentation.ts'
import { TypeRegistry } from './field-type.ts'
import { Findings, type SkewPolicy } from './findings.ts'
import { applyIgnoreRules } from './ignore.ts'
import { inferFields } from './infer-fields.ts'
import type { InferredKind } from './inferred-kind.ts'
import { namesOf } from './names.ts'
import { normalise } from './normalise.ts'
import { pluralOf } from './plural.ts'

/** A resource that is no kind, and why. */
export interface Refused {
  readonly resource: string
  readonly problems: readonly InferError[]
}

export interface InferredService {
  readonly alias: string
  readonly group: string
  readonly model: ServiceModel
  readonly api: Api
  readonly loaded: LoadedConfig
  readonly types: TypeRegistry
  readonly classified: ClassifiedOperation
  readonly kinds: readonly InferredKind[]
  readonly refused: readonly Refused[]
  /** Left out by the config. */
  readonly ignored: readonly string[]
  readonly warnings: readonly string[]
  /** What the config says of another version of the model, and which therefore is not there. */
  readonly skew: readonly string[]
}

export interface InferOptions {
  /** Stem of the API group. */
  readonly alias: string
  readonly loaded?: LoadedConfig
  readonly documentation?: DocumentationConfig
  /** What to do about names that the model lacks. Default `auto`. */
  readonly skew?: SkewPolicy
}

export function inferService(
  model: ServiceModel,
  { alias, loaded = noConfig, documentation = {}, skew: policy = 'auto' }: InferOptions,
): InferredService {
  const findings = new Findings()
  for (const warning of loaded.warnings) findings.warn(warning)
  const api = normalise(model)
  addCustomShapes(api, loaded)
  applyIgnoreRules(api, loaded, findings)
  const classified = classifyAll(api, loaded, findings)
  checkRenames(api, loaded, findings)
  const types = new TypeRegistry(api, loaded.config.empty_shapes ?? [])
  const { resources, ignored } = chooseResources(classified, loaded, findings)
  const made: InferredKind[] = []
  const refused: Refused[] = []
  for (const resource of resources) {
    try {
      made.push(inferKind(resource, { api, loaded, types, classified, findings }))
    } catch (error) {
      if (!(error instanceof InferError) || error.code !== 'name-collision') throw error
      refused.push({ resource, problems: [error] })
    }
  }
  const sound = made.filter(kind => {
    const problems = checkFields(kind.resource, [...kind.spec.values(), ...kind.status.values()], { api, types })
    if (problems.length > 0) refused.push({ resource: kind.resource, problems })
    return problems.length === 0
  })
  const kinds = documented(sound, { documentation, types, findings })
  for (const kind of kinds) checkConfig(kind, loaded)
  for (const { resource, operations, config } of kinds) warnOfMissingVerbs(resource, { operations, config, findings })
  const skew = findings.judge(policy)
  refused.sort((a, b) => compareText(a.resource, b.resource))
  const group = `${loaded.config.controller_name ?? alias}.services.k8s.aws`
  return { alias, group, model, api, loaded, types, classified, kinds, refused, ignored, warnings: findings.warnings, skew }
}

/** Resources with a Create operation, but for those that the config leaves out. */
function chooseResources(
  { map }: ClassifiedOperation,
  { config, placeOf }: LoadedConfig,
  findings: Findings,
): { readonly resources: readonly string[]; readonly ignored: readonly string[] } {
  const all = [...(map.get('Create')?.keys() ?? [])].sort(compareText)
  const unwanted = new Set(config.ignore?.resource_names ?? [])
  for (const name of unwanted) {
    if (all.includes(name)) continue
    findings.warn(`${placeOf('ignore', 'resource_names', name)}: "${name}" is no resource of the service${didYouMean(name, all)}`)
  }
  for (const name of config.resources?.keys() ?? []) {
    if (all.includes(name)) continue
    findings.warn(`${placeOf('resources', name)}: no operation creates "${name}", so this says nothing${didYouMean(name, all)}`)
  }
  return { resources: all.filter(name => !unwanted.has(name)), ignored: all.filter(name => unwanted.has(name)) }
}

function inferKind(
  resource: string,
  {
    api,
    loaded,
    types,
    classified,
    findings,
  }: {
    readonly api: Api
    readonly loaded: LoadedConfig
    readonly types: TypeRegistry
    readonly classified: ClassifiedOperation
    readonly findings: Findings
  },
): InferredKind {
  const create = operationFor(api, { classified, resource })
  const { spec, status, arnMember } = inferFields({ api, loaded, types, resource, create, findings })
  const config = loaded.config.resources?.get(resource) ?? {}
  const { camel: kind } = namesOf(resource)
  const documentation = api.shapes.get(resource)?.documentation
  const operations: Partial<Record<OperationType, string>> = {}
  for (const [type, slots] of classified.map) {
    const operation = slots.get(resource)
    if (operation !== undefined) operations[type] = operation
  }
  return {
    resource,
    kind,
    plural: config.plural ?? pluralOf(kind).toLowerCase(),
    operations,
    spec,
    status,
    ...given({ arnMember }),
    columns: columnsOf(resource, { spec, status, types, loaded }),
    config,
    ...given({ documentation }),
  }
}

function operationFor(
  api: Api,
  { classified, resource }: { readonly classified: ClassifiedOperation; readonly resource: string },
): ApiOperation {
  const name = classified.map.get('Create')?.get(resource) ?? ''
  const operation = api.operations.get(name)
  if (operation === undefined)
    throw new InferError('unknown-name', `operation "${name}", which creates ${resource}, does not exist`)
  return operation
}

/** Renames of operations that do not exist are errors, of members that do not exist warnings. */
function checkRenames(api: Api, loaded: LoadedConfig, findings: Findings): void {
  for (const [resource, { renames }] of loaded.config.resources ?? []) {
    for (const [name, { input_fields: inputs, output_fields: outputs }] of renames?.operations ?? []) {
      const path = ['resources', resource, 'renames', 'operations', name]
      const operation = api.operations.get(name)
      if (operation === undefined) {
        const message = `${loaded.placeOf(...path)}: operation "${name}" does not exist${didYouMean(name, api.operations.keys())}`
        findings.missing({ name, candidates: api.operations.keys(), message, fatal: true })
        continue
      }
      const input = membersOfPayload(api, operation.input)
      for (const member of inputs?.keys() ?? []) {
        if (input.has(member)) continue
        findings.warn(
          `${loaded.placeOf(...path, 'input_fields', member)}: ${name} has no input member "${member}"${didYouMean(member, input)}`,
        )
      }
      const output = membersOfPayload(api, operation.output)
      for (const member of outputs?.keys() ?? []) {
        if (output.has(member)) continue
        findings.warn(
          `${loaded.placeOf(...path, 'output_fields', member)}: ${name} has no output member "${member}"${didYouMean(member, output)}`,
        )
      }
    }
  }
}

/** With those one level down: answers stand in a structure of their own more often than not. */
function membersOfPayload(api: Api, payload: string): ReadonlySet<string> {
  const shape = api.shapes.get(payload)
  const names = new Set<string>()
  if (shape?.type !== 'structure') return names
  for (const [name, { target }] of shape.members) {
    names.add(name)
    const below = api.shapes.get(target)
    if (below?.type === 'structure') for (const each of below.members.keys()) names.add(each)
  }
  return names
}

function warnOfMissingVerbs(
  resource: string,
  { operations, config, findings }: Pick<InferredKind, 'operations' | 'config'> & { readonly findings: Findings },
): void {
  const canRead = operations.Get ?? operations.GetAttributes ?? operations.List ?? config.find_operation?.custom_method_name
  if (canRead === undefined) {
    findings.warn(
      `${resource}: no operation reads it, so every read will fail as not implemented; name one under operations, or a find_operation`,
    )
  }
  if (operations.Delete === undefined && config.delete_operation?.custom_method_name === undefined) {
    findings.warn(
      `${resource}: no operation deletes it, so deletion only removes the finalizer; name one under operations, or a delete_operation`,
    )
  }
}
