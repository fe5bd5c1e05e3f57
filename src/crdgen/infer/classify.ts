// Which operations do what to which resource: by their names, unless a config says otherwise.
import { compareText, didYouMean } from '#base'
import type { LoadedConfig } from '../config/read-config.ts'
import { type Api } from './api.ts'
import type { Findings } from './findings.ts'
import { isPlural, singularOf } from './plural.ts'

export type OperationType =
  | 'Create'
  | 'CreateBatch'
  | 'Replace'
  | 'Update'
  | 'Delete'
  | 'AddChild'
  | 'AddChildren'
  | 'RemoveChild'
  | 'RemoveChildren'
  | 'Get'
  | 'List'
  | 'GetAttributes'
  | 'SetAttributes'
  | 'Unknown'

export interface Classification {
  readonly operation: string
  readonly type: OperationType
  readonly resource: string
  /** The rule of the table, or the config's entry. */
  readonly why: string
}

/** Type to resource to operation. */
export type OperationMap = ReadonlyMap<OperationType, ReadonlyMap<string, string>>

export interface ClassifiedOperation {
  readonly all: readonly Classification[]
  readonly map: OperationMap
}

/** Classifies one name. `listed` holds the config's resource names in lower case. */
export function classify(operation: string, listed: ReadonlySet<string>): Classification {
  const result = (type: OperationType, resource: string, why: string): Classification => ({ operation, type, resource, why })
  const isListed = (noun: string): boolean => listed.has(noun.toLowerCase())
  const after = (...prefixes: string[]): string | undefined => {
    const prefix = prefixes.find(each => operation.startsWith(each) && operation.length > each.length)
    return prefix === undefined ? undefined : operation.slice(prefix.length)
  }
  const unlessListed = (noun: string): string => (isPlural(noun) && !isListed(noun) ? singularOf(noun) : noun)

  let noun = after('CreateOrUpdate')
  if (noun !== undefined) return result('Replace', noun, 'CreateOrUpdate…')
  noun = after('BatchCreate', 'CreateBatch')
  if (noun !== undefined) return result('CreateBatch', unlessListed(noun), 'BatchCreate…')
  noun = after('Create')
  if (noun !== undefined) {
    if (!isPlural(noun)) return result('Create', noun, 'Create and a singular noun')
    if (isListed(noun)) return result('Create', noun, 'Create and a plural that the config lists')
    return result('CreateBatch', singularOf(noun), 'Create and a plural')
  }
  noun = after('Modify', 'Update')
  if (noun !== undefined) return result('Update', noun, 'Modify… or Update…')
  noun = after('Delete')
  if (noun !== undefined) return result('Delete', noun, 'Delete…')
  noun = after('Describe')
  if (noun !== undefined) {
    return isPlural(noun)
      ? result('List', unlessListed(noun), 'Describe and a plural')
      : result('Get', noun, 'Describe and a singular noun')
  }
  if (/^Get.+Attributes$/.test(operation)) {
    return result('GetAttributes', operation.slice('Get'.length, -'Attributes'.length), 'Get…Attributes')
  }
  noun = after('Get')
  if (noun !== undefined) {
    if (!isPlural(noun)) return result('Get', noun, 'Get and a singular noun')
    if (isListed(noun)) return result('Get', noun, 'Get and a plural that the config lists')
    return result('List', singularOf(noun), 'Get and a plural')
  }
  noun = after('List')
  if (noun !== undefined) return result('List', unlessListed(noun), 'List…')
  if (/^Set.+Attributes$/.test(operation)) {
    return result('SetAttributes', operation.slice('Set'.length, -'Attributes'.length), 'Set…Attributes')
  }
  return result('Unknown', '', 'no rule fits the name')
}

const spellings: Readonly<Record<string, OperationType>> = {
  create: 'Create',
  createbatch: 'CreateBatch',
  replace: 'Replace',
  update: 'Update',
  delete: 'Delete',
  addchild: 'AddChild',
  addchildren: 'AddChildren',
  removechild: 'RemoveChild',
  removechildren: 'RemoveChildren',
  get: 'Get',
  readone: 'Get',
  read_one: 'Get',
  list: 'List',
  readmany: 'List',
  read_many: 'List',
  getattributes: 'GetAttributes',
  get_attributes: 'GetAttributes',
  setattributes: 'SetAttributes',
  set_attributes: 'SetAttributes',
}

function typeOf(spelling: string): OperationType {
  const key = spelling.toLowerCase()
  return Object.hasOwn(spellings, key) ? (spellings[key] ?? 'Unknown') : 'Unknown'
}

/** All operations of the API, and the map of slots after overrides and ignored operations. */
export function classifyAll(api: Api, loaded: LoadedConfig, findings: Findings): ClassifiedOperation {
  const { config } = loaded
  const listed = new Set([...(config.resources?.keys() ?? [])].map(name => name.toLowerCase()))
  const map = new Map<OperationType, Map<string, string>>()
  const put = ({ type, resource, operation }: Classification): void => {
    const slots = map.get(type) ?? new Map<string, string>()
    slots.set(resource, operation)
    map.set(type, slots)
  }
  const all: Classification[] = []
  const names = [...api.operations.keys()].sort(compareText)
  for (const operation of names) {
    const overriding = overrides(loaded, operation)
    const found = overriding.length > 0 ? overriding : [classify(operation, listed)]
    all.push(...found)
    for (const each of found) put(each)
  }
  for (const operation of [...(config.operations?.keys() ?? [])].sort(compareText)) {
    checkOperation(api, loaded, { operation, findings })
    if (!api.operations.has(operation)) continue
    for (const each of overrides(loaded, operation)) put(each)
  }
  removeIgnored(api, loaded, { map, findings })
  return { all, map }
}

function overrides({ config }: LoadedConfig, operation: string): readonly Classification[] {
  const entry = config.operations?.get(operation)
  const types = entry?.operation_type ?? []
  const resources = entry?.resource_name ?? []
  return types.flatMap(type =>
    resources.map(resource => ({ operation, type: typeOf(type), resource, why: `operations.${operation} in the config` })),
  )
}

function checkOperation(
  api: Api,
  loaded: LoadedConfig,
  { operation, findings }: { readonly operation: string; readonly findings: Findings },
): void {
  const entry = loaded.config.operations?.get(operation)
  const types = entry?.operation_type ?? []
  for (const type of types.filter(each => typeOf(each) === 'Unknown')) {
    const place = loaded.placeOf('operations', operation, 'operation_type')
    findings.warn(`${place}: operation type "${type}" is unknown and stands for none${didYouMean(type, Object.keys(spellings))}`)
  }
  if (api.operations.has(operation)) return
  const problem = `operation "${operation}" does not exist${didYouMean(operation, api.operations.keys())}`
  const message = `${loaded.placeOf('operations', operation)}: ${problem}`
  findings.missing({ name: operation, candidates: api.operations.keys(), message, fatal: entry?.resource_name !== undefined })
}

function removeIgnored(
  api: Api,
  loaded: LoadedConfig,
  { map, findings }: { readonly map: ReadonlyMap<OperationType, Map<string, string>>; readonly findings: Findings },
): void {
  for (const operation of loaded.config.ignore?.operations ?? []) {
    if (!api.operations.has(operation)) {
      const message =
        `${loaded.placeOf('ignore', 'operations', operation)}: ` +
        `operation "${operation}" does not exist${didYouMean(operation, api.operations.keys())}`
      findings.missing({ name: operation, candidates: api.operations.keys(), message, fatal: true })
    }
    for (const slots of map.values()) {
      for (const [resource, name] of slots) if (name === operation) slots.delete(resource)
    }
  }
}
