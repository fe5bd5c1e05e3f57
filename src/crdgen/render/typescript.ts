// TypeScript types and enums of a service's kinds, for users and for those who write hooks.
import { compareText } from '#base'
import type { Field, FieldMap, FieldType } from '../infer/field-type.ts'
import type { InferredService } from '../infer/infer-service.ts'
import type { InferredKind } from '../infer/inferred-kind.ts'
import { describe } from './describe.ts'
import { type TypeNames, typeNames } from './type-names.ts'

const version = 'v1alpha1'

/** File name to content. */
export function typeFiles(service: InferredService, kinds: readonly InferredKind[]): ReadonlyMap<string, string> {
  const names = typeNames(service, kinds)
  const folder = `apis/${version}`
  const files = new Map<string, string>()
  for (const kind of kinds) files.set(`${folder}/${kindFileName(kind)}.ts`, kindFile(kind, names))
  files.set(`${folder}/types.ts`, typesFile(service, names))
  files.set(`${folder}/enums.ts`, enumsFile(service, names))
  files.set(
    `${folder}/group.ts`,
    `export const group = '${service.group}'\nexport const version = '${version}'\nexport const apiVersion = '${service.group}/${version}'\n`,
  )
  return files
}

/** A kind may be called Group, as IAM's is. */
function kindFileName({ kind }: InferredKind): string {
  const name = kind.toLowerCase()
  return ['types', 'enums', 'group'].includes(name) ? `${name}-kind` : name
}

function kindFile(kind: InferredKind, names: TypeNames): string {
  const used = new Set<string>(['ACKResourceMetadata', 'Condition', 'ListMeta', 'ObjectMeta'])
  const spec = interfaceOf(`${kind.kind}Spec`, { fields: kind.spec, names, used })
  const status = interfaceOf(`${kind.kind}Status`, {
    fields: kind.status,
    names,
    used,
    extra: ['  ackResourceMetadata?: ACKResourceMetadata', '  conditions?: Condition[]'],
  })
  const imports = [...used].sort(compareText).join(', ')
  return `import type { apiVersion } from './group.ts'
import type { ${imports} } from './types.ts'

${spec}
${status}
export interface ${kind.kind} {
  apiVersion: typeof apiVersion
  kind: '${kind.kind}'
  metadata: ObjectMeta
  spec?: ${kind.kind}Spec
  status?: ${kind.kind}Status
}

export interface ${kind.kind}List {
  apiVersion: typeof apiVersion
  kind: '${kind.kind}List'
  metadata: ListMeta
  items: ${kind.kind}[]
}
`
}

const commonTypes = `export interface ObjectMeta {
  name?: string
  namespace?: string
  labels?: Record<string, string>
  annotations?: Record<string, string>
  [key: string]: unknown
}

export interface ListMeta {
  resourceVersion?: string
  continue?: string
  [key: string]: unknown
}

export interface SecretKeyReference {
  key: string
  name?: string
  namespace?: string
}

export interface AWSResourceReferenceWrapper {
  from?: { name?: string; namespace?: string }
}

export interface ACKResourceMetadata {
  arn?: string
  ownerAccountID: string
  partition?: string
  region: string
}

export interface Condition {
  type: string
  status: string
  lastTransitionTime?: string
  message?: string
  reason?: string
}
`

function typesFile({ types }: InferredService, names: TypeNames): string {
  const own = [...names.structures].sort(([, a], [, b]) => compareText(a, b))
  const interfaces = own.map(([shape, name]) => interfaceOf(name, { fields: types.fieldsOf(shape), names, used: new Set() }))
  return [commonTypes, ...interfaces].join('\n')
}

function interfaceOf(
  name: string,
  {
    fields,
    names,
    used,
    extra = [],
  }: { readonly fields: FieldMap; readonly names: TypeNames; readonly used: Set<string>; readonly extra?: readonly string[] },
): string {
  const lines = [...fields.values()].sort((a, b) => compareText(a.json, b.json)).map(field => property(field, names, used))
  return [`export interface ${name} {`, ...lines, ...extra, '}', ''].join('\n')
}

function property(field: Field, names: TypeNames, used: Set<string>): string {
  const key = /^[A-Za-z_$][\w$]*$/.test(field.json) ? field.json : JSON.stringify(field.json)
  const summary = describe(field.documentation)?.split('\n\n')[0]?.replaceAll('*/', '* /')
  const comment = summary === undefined ? '' : `  /** ${summary} */\n`
  return `${comment}  ${key}${field.required ? '' : '?'}: ${typeText(field.type, names, used)}`
}

function typeText(type: FieldType, names: TypeNames, used: Set<string>): string {
  const use = (name: string): string => {
    used.add(name)
    return name
  }
  switch (type.kind) {
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'list':
      return `${typeText(type.element, names, used)}[]`
    case 'map':
      return `Record<string, ${typeText(type.value, names, used)}>`
    case 'structure':
      return use(names.structures.get(type.shape) ?? 'never')
    case 'secret':
      return use('SecretKeyReference')
    case 'reference':
      return use('AWSResourceReferenceWrapper')
    default:
      return 'string'
  }
}

function enumsFile({ api }: InferredService, names: TypeNames): string {
  const taken = new Set(names.enums.values())
  const parts = [...names.enums]
    .sort(([, a], [, b]) => compareText(a, b))
    .map(([shape, name]) => {
      const found = api.shapes.get(shape)
      const values = found?.type === 'string' ? (found.enum ?? []) : []
      const constants = values.map(value => `export const ${constantName(name, value, taken)} = ${JSON.stringify(value)}`)
      return [`export type ${name} = ${values.map(value => JSON.stringify(value)).join(' | ')}`, ...constants, ''].join('\n')
    })
  return parts.length === 0 ? 'export {}\n' : parts.join('\n')
}

/** Two values that become one name are both kept: the second gets a number. */
export function constantName(type: string, value: string, taken: Set<string>): string {
  const base = `${type}_${value.replaceAll(/[^A-Za-z0-9]/g, '_')}`
  let name = base
  for (let count = 2; taken.has(name); count++) name = `${base}_${count}`
  taken.add(name)
  return name
}
