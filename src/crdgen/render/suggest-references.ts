// Fields that look as if they named another resource, and no config says so: texts whose names end in a known kind and Id, Arn, Name or Url.
// Suggestions and no more: only a person knows whether a `RoleName` is one of ours.
import { compareText, given } from '#base'
import { type Field, type FieldMap, leafOf } from '../infer/field-type.ts'
import type { InferredService } from '../infer/infer-service.ts'
import type { InferredKind } from '../infer/inferred-kind.ts'

export interface SuggestedReference {
  /** In manifests: `Nodegroup.spec.launchTemplate.id`. */
  readonly field: string
  /** Where it goes in generator.yaml. */
  readonly key: string
  readonly references: { readonly resource: string; readonly service_name?: string; readonly path: string }
}

type Suffix = 'Arn' | 'Id' | 'Name' | 'Url'

interface Known {
  readonly service?: string
  readonly resource: string
  readonly paths: Readonly<Partial<Record<Suffix, string>>>
}

const arn = 'Status.ACKResourceMetadata.ARN'

/** Kinds of other services that many APIs name, by the noun that they use. Nouns that several services share are not in it. */
const others: Readonly<Record<string, Known>> = {
  Bucket: { service: 's3', resource: 'Bucket', paths: { Arn: arn, Name: 'Spec.Name' } },
  Certificate: { service: 'acm', resource: 'Certificate', paths: { Arn: arn } },
  HostedZone: { service: 'route53', resource: 'HostedZone', paths: { Id: 'Status.ID' } },
  InstanceProfile: { service: 'iam', resource: 'InstanceProfile', paths: { Arn: arn, Name: 'Spec.Name' } },
  KmsKey: { service: 'kms', resource: 'Key', paths: { Arn: arn, Id: 'Status.KeyID' } },
  LambdaFunction: { service: 'lambda', resource: 'Function', paths: { Arn: arn, Name: 'Spec.Name' } },
  LogGroup: { service: 'cloudwatchlogs', resource: 'LogGroup', paths: { Arn: arn, Name: 'Spec.Name' } },
  Role: { service: 'iam', resource: 'Role', paths: { Arn: arn, Name: 'Spec.Name' } },
  SecurityGroup: { service: 'ec2', resource: 'SecurityGroup', paths: { Id: 'Status.ID' } },
  SnsTopic: { service: 'sns', resource: 'Topic', paths: { Arn: arn } },
  SqsQueue: { service: 'sqs', resource: 'Queue', paths: { Arn: arn, Url: 'Status.QueueURL' } },
  Subnet: { service: 'ec2', resource: 'Subnet', paths: { Id: 'Status.SubnetID' } },
  TargetGroup: { service: 'elbv2', resource: 'TargetGroup', paths: { Arn: arn } },
  Vpc: { service: 'ec2', resource: 'VPC', paths: { Id: 'Status.VPCID' } },
}

/** Structures below structures: deeper than this nobody refers to anything. */
const depthMax = 6

export function suggestReferences(service: InferredService, kinds: readonly InferredKind[]): readonly SuggestedReference[] {
  const known = new Map([...Object.entries(others), ...service.kinds.map(kind => [kind.resource, ownKind(kind)] as const)])
  return kinds.flatMap(kind => {
    const found: SuggestedReference[] = []
    visit({ service, kind, known, found }, kind.spec, { json: [], camel: [], shapes: [] })
    return found.sort((a, b) => compareText(a.field, b.field))
  })
}

/** A kind of the same service is named by what it has fields for. */
function ownKind({ resource, spec, status }: InferredKind): Known {
  const pathOf = (suffix: string): string | undefined => {
    for (const name of [`${resource}${suffix}`, suffix].map(each => each.toLowerCase())) {
      for (const [part, fields] of [['Spec', spec] as const, ['Status', status] as const]) {
        const field = [...fields.values()].find(({ names, type }) => names.camel.toLowerCase() === name && type.kind === 'string')
        if (field !== undefined) return `${part}.${field.names.camel}`
      }
    }
    return undefined
  }
  const pairs = (['Id', 'Name', 'Url'] as const).flatMap(suffix => {
    const path = pathOf(suffix)
    return path === undefined ? [] : [[suffix, path] as const]
  })
  return { resource, paths: { Arn: arn, ...Object.fromEntries(pairs) } }
}

interface Search {
  readonly service: InferredService
  readonly kind: InferredKind
  readonly known: ReadonlyMap<string, Known>
  readonly found: SuggestedReference[]
}

interface Place {
  readonly json: readonly string[]
  readonly camel: readonly string[]
  readonly shapes: readonly string[]
}

function visit(search: Search, fields: FieldMap, { json, camel, shapes }: Place): void {
  const { service, kind, found } = search
  for (const field of fields.values()) {
    const place = { json: [...json, field.json], camel: [...camel, field.names.camel], shapes }
    const leaf = leafOf(field.type)
    if (leaf.kind === 'structure' && !shapes.includes(leaf.shape) && shapes.length < depthMax)
      visit(search, service.types.fieldsOf(leaf.shape), { ...place, shapes: [...shapes, leaf.shape] })
    if (leaf.kind !== 'string' || field.config?.references !== undefined) continue
    const references = referenceOf(search, field, json.length === 0)
    if (references !== undefined)
      found.push({
        field: `${kind.kind}.spec.${place.json.join('.')}`,
        key: `resources.${kind.resource}.fields.${place.camel.join('.')}.references`,
        references,
      })
  }
}

function referenceOf(
  { kind, known }: Search,
  { model, type }: Field,
  isTop: boolean,
): SuggestedReference['references'] | undefined {
  const name = type.kind === 'list' ? model.replace(/s$/, '') : model
  const [, noun = '', suffix] = /^(.+?)(Arn|Id|Name|Url)$/i.exec(name) ?? []
  if (suffix === undefined) return undefined
  // A field that is called like the kind itself is its identifier and no reference.
  if (isTop && noun.toLowerCase() === kind.resource.toLowerCase()) return undefined
  // The longest: a `DBSubnetGroupName` names a DBSubnetGroup, and no Group.
  const [fitting] = [...known.keys()].filter(each => endsWithWord(noun, each)).sort((a, b) => b.length - a.length)
  const one = fitting === undefined ? undefined : known.get(fitting)
  const path = one?.paths[(suffix.charAt(0).toUpperCase() + suffix.slice(1).toLowerCase()) as Suffix]
  if (one === undefined || path === undefined) return undefined
  return { resource: one.resource, ...given({ service_name: one.service }), path }
}

/** `TaskRole` ends with the word Role, `Parole` does not. */
function endsWithWord(noun: string, word: string): boolean {
  return noun.toLowerCase().endsWith(word.toLowerCase()) && /^[A-Z]/.test(noun.slice(noun.length - word.length))
}
