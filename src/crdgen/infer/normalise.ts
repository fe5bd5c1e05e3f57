// The passes between the model and inference, in their fixed order: names are exported, payloads become each operation's own, the
// quirks of single services are put right.
import type { Operation, ServiceModel, Shape } from '#aws'
import { compareText, given } from '#base'
import type { Api, ApiMember, ApiOperation, ApiScalar, ApiShape, ApiStructure } from './api.ts'
import { exported } from './api.ts'

export function normalise(service: ServiceModel): Api {
  const shapes = new Map<string, ApiShape>()
  for (const [name, shape] of Object.entries(service.shapes)) shapes.set(name, copyShape(shape))
  const operations = new Map<string, ApiOperation>()
  const api = { service, shapes, operations }
  clonePayloads(api)
  quirks[service.id]?.(api)
  return api
}

function copyShape(shape: Shape): ApiShape {
  const documentation = shape.documentation === undefined ? {} : { documentation: shape.documentation }
  switch (shape.type) {
    case 'structure':
    case 'union':
      return {
        type: 'structure',
        members: exportedMembers(shape.members),
        required: new Set(shape.type === 'union' ? [] : shape.required.map(exported)),
        ...(shape.type === 'union' ? { union: true } : {}),
        ...(shape.error === undefined ? {} : { error: true }),
        ...(shape.eventStream === true ? { eventStream: true } : {}),
        ...documentation,
      }
    case 'list':
      return { type: 'list', element: shape.member.target, ...documentation }
    case 'map':
      return { type: 'map', key: shape.key.target, value: shape.value.target, ...documentation }
    case 'string':
      return {
        type: 'string',
        ...given({ enum: shape.enum, pattern: shape.pattern }),
        ...documentation,
      }
    default:
      return { type: scalarTypes[shape.type], ...documentation }
  }
}

const scalarTypes: Readonly<
  Record<Exclude<Shape['type'], 'structure' | 'union' | 'list' | 'map' | 'string'>, ApiScalar['type']>
> = {
  boolean: 'boolean',
  byte: 'integer',
  short: 'integer',
  integer: 'integer',
  long: 'integer',
  bigInteger: 'integer',
  intEnum: 'integer',
  float: 'number',
  double: 'number',
  bigDecimal: 'number',
  timestamp: 'timestamp',
  blob: 'blob',
  document: 'document',
}

/** `String` and `GoString` are methods of the types that published names come from: an underscore keeps them apart. */
const reservedMembers: ReadonlySet<string> = new Set(['String', 'GoString'])

function exportedMembers(members: Extract<Shape, { type: 'structure' | 'union' }>['members']): Map<string, ApiMember> {
  const result = new Map<string, ApiMember>()
  for (const [wire, member] of Object.entries(members)) {
    let name = exported(wire)
    if (reservedMembers.has(name)) name = `${name}_`
    // `foo` beside `Foo` in one structure: the second by order gets a number, so that both stay.
    for (let count = 2; result.has(name); count++) name = `${exported(wire)}_${count}`
    result.set(name, {
      target: member.target,
      wire,
      ...(member.idempotencyToken === true ? { idempotencyToken: true } : {}),
      ...given({ documentation: member.documentation }),
    })
  }
  return result
}

/**
 * Passes 4 and 5. Every operation gets `<Operation>Input` and `<Operation>Output` structures of its own, so that what a config takes
 * from one does not go from another; shapes that merely end so get an underscore, as the type names of published kinds have it.
 */
function clonePayloads({ service, shapes, operations }: Api): void {
  const found = Object.entries(service.operations).sort(([a], [b]) => compareText(a, b))
  const payloads = new Set(found.flatMap(([, { input, output }]) => [input, output]))
  const copies: [string, ApiStructure][] = []
  // By what the model calls it: CloudFront's operations go over the wire with a date behind their names.
  for (const [key, operation] of found) {
    const name = exported(key)
    copies.push([`${name}Input`, copyPayload(shapes, operation.input)], [`${name}Output`, copyPayload(shapes, operation.output)])
    operations.set(name, operationOf(name, { ...operation, name: key }))
  }
  const cloned = new Set(copies.map(([name]) => name))
  renameSuffixed(shapes, copies, name => !payloads.has(name) && cloned.has(name))
  for (const [name, structure] of copies) shapes.set(name, structure)
}

function operationOf(name: string, { name: wire, input, output }: Operation): ApiOperation {
  return {
    name,
    wire,
    input: `${name}Input`,
    output: `${name}Output`,
    ...given({ modelInput: input, modelOutput: output }),
  }
}

function copyPayload(shapes: ReadonlyMap<string, ApiShape>, name: string | undefined): ApiStructure {
  const shape = name === undefined ? undefined : shapes.get(name)
  if (shape?.type !== 'structure') return { type: 'structure', members: new Map(), required: new Set() }
  const members = new Map([...shape.members].map(([member, value]): [string, ApiMember] => [member, { ...value }]))
  return { ...shape, members, required: new Set(shape.required) }
}

/**
 * Only where the name is needed for a payload: the type's name has no place in a schema, the config's spelling does. The copied payloads
 * follow: a member that meant the shape would mean the payload that takes its name, and a structure would hold itself.
 */
function renameSuffixed(
  shapes: Map<string, ApiShape>,
  copies: readonly (readonly [string, ApiStructure])[],
  isClashing: (name: string) => boolean,
): void {
  const renamed = new Map([...shapes.keys()].filter(isClashing).map(name => [name, `${name}_`]))
  if (renamed.size === 0) return
  const now = (name: string): string => renamed.get(name) ?? name
  const before = [...shapes]
  for (const [, shape] of [...before, ...copies])
    if (shape.type === 'structure') for (const member of shape.members.values()) member.target = now(member.target)
  for (const [name, shape] of before) {
    if (renamed.has(name)) shapes.delete(name)
    shapes.set(now(name), retarget(shape, now))
  }
}

function retarget(shape: ApiShape, now: (name: string) => string): ApiShape {
  if (shape.type === 'list') return { ...shape, element: now(shape.element) }
  if (shape.type === 'map') return { ...shape, key: now(shape.key), value: now(shape.value) }
  return shape
}

/** What the models of single services say that their clients do otherwise. Keyed by the SDKs' service id. */
const quirks: Readonly<Record<string, (api: Api) => void>> = {
  S3: ({ shapes }) => {
    for (const [name, shape] of shapes) {
      if (shape.type !== 'structure') continue
      if (name !== 'PutObjectInput' && name !== 'UploadPartInput') shape.members.delete('ContentMD5')
      const expires = shape.members.get('Expires')
      if (name.endsWith('Output') && expires !== undefined) expires.target = textShape(shapes)
    }
  },
  RDS: api =>
    addRegions(api, [
      'CopyDBSnapshotInput',
      'CreateDBInstanceReadReplicaInput',
      'CopyDBClusterSnapshotInput',
      'CreateDBClusterInput',
      'StartDBInstanceAutomatedBackupsReplicationInput',
    ]),
  Neptune: api => addRegions(api, ['CopyDBClusterSnapshotInput', 'CreateDBClusterInput']),
  DocDB: api => addRegions(api, ['CopyDBClusterSnapshotInput', 'CreateDBClusterInput']),
  CloudFront: ({ shapes }) => {
    shapes.set('vouch:Integer', { type: 'integer' })
    for (const shape of shapes.values()) {
      const member = shape.type === 'structure' ? shape.members.get('MaxItems') : undefined
      if (member !== undefined) member.target = 'vouch:Integer'
    }
  },
}

/** The source region drives the signing of the cross-region URL; it is in no model. */
function addRegions({ shapes }: Api, inputs: readonly string[]): void {
  const target = textShape(shapes)
  for (const input of inputs) {
    const shape = shapes.get(input)
    if (shape?.type !== 'structure') continue
    for (const name of ['SourceRegion', 'DestinationRegion']) {
      if (!shape.members.has(name)) shape.members.set(name, { target })
    }
  }
}

/** A plain text, under a name that no model has. */
export function textShape(shapes: Map<string, ApiShape>): string {
  shapes.set('vouch:String', { type: 'string' })
  return 'vouch:String'
}
