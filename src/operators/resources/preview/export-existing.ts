// What is in AWS already, as manifests that adopt it: listed by the kind's own list operation, read as the operator reads, and written with
// the identifiers by which adoption finds it.
import type { KubeObject } from '#kube'
import { adoptionKeys } from '../adoption.ts'
import { annotations, type Resource } from '../api.ts'
import { structuresOf } from '../kinds/calls.ts'
import type { Caller } from '../kinds/deviation.ts'
import { deviationOf } from '../kinds/deviations.ts'
import { Memory } from '../memory.ts'
import { candidatesOf } from '../model/answer.ts'
import { textOf } from '../model/convert.ts'
import { inputOf, type KindModel, outputOf } from '../model/kind-model.ts'
import { propertyNamed } from '../model/names.ts'
import { type Content, fieldOf, type Values } from '../model/request.ts'
import { chooseKinds } from '../operator.ts'
import { type ResourcesOptions, settingsOf } from '../options.ts'
import type { Place } from '../place/select-place.ts'
import { readResource } from '../read-aws.ts'
import { isReserved, tagsIn, withTags } from '../tags.ts'
import { createWorld } from '../world.ts'

export interface ExportOptions {
  readonly kind: string
  readonly namespace: string
  /** Inputs that the list needs, such as `clusterName`. */
  readonly with: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/** A kind whose resources cannot be listed, or not without being told where. */
export class ExportError extends Error {
  override readonly name = 'ExportError'
}

/** One manifest for each resource that the account has. */
export async function* exportExisting(options: ResourcesOptions, asked: ExportOptions): AsyncGenerator<KubeObject> {
  const { services, kinds } = chooseKinds({ services: options.services, kinds: [asked.kind] })
  const [model] = kinds
  if (model === undefined) throw new ExportError(`no service has a kind ${asked.kind}`)
  const settings = settingsOf(options)
  const world = createWorld({ model, settings, services, aws: options.aws, memory: new Memory(), nowMs: options.nowMs })
  const { account, partition, region } = options.home
  const place: Place = { account, partition, region }
  const caller = world.caller(place, asked.signal)
  const taken = new Set<string>()
  for await (const wanted of listed(model, asked, caller)) {
    const claim = stub(model, asked.namespace)
    const context = { model, claim, wanted, place, caller, adopting: true, justMade: false }
    const found = await readResource(deviationOf(model.id), context)
    if (found !== undefined && found.isAbsent !== true)
      yield manifestOf(model, { found, wanted, namespace: asked.namespace, taken })
  }
}

async function* listed(model: KindModel, asked: ExportOptions, caller: Caller): AsyncGenerator<Content> {
  const { exported } = deviationOf(model.id)
  const operation = exported?.operation ?? model.kind.operations.readMany
  if (operation === undefined) throw new ExportError(`${model.id} has no operation that lists it`)
  const given = Object.entries(asked.with).map(([name, value]) => {
    const member = propertyNamed(inputOf(model.service.model, operation).members, name)
    if (member === undefined) throw new ExportError(`${operation} takes no ${name}`)
    return [member.name, value] as const
  })
  const input: Values = { ...exported?.input, ...Object.fromEntries(given) }
  const missing = inputOf(model.service.model, operation).required.filter(name => input[name] === undefined)
  if (missing.length > 0) throw new ExportError(`${operation} needs ${missing.join(', ')}: give it by --with ${missing[0]}=VALUE`)
  for await (const page of caller.pages(operation, input)) {
    for (const element of elementsOf(model, operation, page)) {
      const content = identified(model, { ...Object.fromEntries(given), ...element })
      if (exported?.skips?.(element) !== true && content !== undefined) yield content
    }
  }
}

/** Structures as they are; a list of texts as structures with the one name that identifies. */
function elementsOf(model: KindModel, operation: string, page: Values): readonly Values[] {
  const { values } = candidatesOf(model, operation, page)
  if (values.length > 0) return values
  const wrapped = Object.values(page).flatMap(value => structuresOf(value))
  if (wrapped.length > 0) return wrapped
  for (const name of Object.keys(outputOf(model.service.model, operation).members)) {
    const value = page[name]
    if (Array.isArray(value) && value.every(each => typeof each === 'string'))
      return value.map(each => ({ [each.startsWith('arn:') ? 'Arn' : 'Name']: each }))
  }
  return []
}

/** The identifiers that the kind's read takes, out of what a list tells of a resource. */
function identified(model: KindModel, element: Values): Content | undefined {
  const { kind, service } = model
  const spec: Record<string, unknown> = {}
  const status: Record<string, unknown> = {}
  const arn = propertyNamed(element, 'Arn')?.value ?? propertyNamed(element, `${kind.resource}Arn`)?.value
  const operation = kind.operations.readOne ?? kind.operations.getAttributes
  const required = operation === undefined ? [] : inputOf(service.model, operation).required
  const keys = operation === undefined ? adoptionKeys(model).filter(key => key !== 'arn') : required
  for (const member of keys) {
    const field =
      operation === undefined ? (model.spec.named(member) ?? model.status.named(member)) : fieldOf(model, operation, member)
    const names = [member, field?.camel ?? '', 'Name', 'Id', `${kind.resource}Name`, `${kind.resource}Id`]
    const value = names.map(name => propertyNamed(element, name)?.value).find(each => typeof each === 'string')
    if (value === undefined || field === undefined) continue
    if (model.spec.named(field.camel) === field) spec[field.json] = value
    else status[field.json] = value
  }
  if (Object.keys(spec).length + Object.keys(status).length === 0 && typeof arn !== 'string') return undefined
  return { spec, status, ...(typeof arn === 'string' ? { arn } : {}) }
}

/** Ours, and those of AWS Controllers for Kubernetes: each controller puts its own on. */
const ownTags = 'services.k8s.aws/'

interface Written {
  readonly found: Content
  readonly wanted: Content
  readonly namespace: string
  readonly taken: Set<string>
}

function manifestOf(model: KindModel, { found, wanted, namespace, taken }: Written): KubeObject {
  const { type } = model
  const spec = deviationOf(model.id).adoptedSpec?.(found.spec) ?? found.spec
  const tags = Object.entries(tagsIn(model, spec)).filter(([key]) => !isReserved(key) && !key.startsWith(ownTags))
  const fields: Record<string, unknown> = { ...wanted.status, ...wanted.spec }
  const needsArn = adoptionKeys(model).includes('arn') || Object.keys(fields).length === 0
  const identifiers = needsArn && found.arn !== undefined ? { arn: found.arn } : fields
  const name = freeName(textOf(Object.values(identifiers).at(-1) ?? found.arn ?? model.kind.kind), taken)
  return {
    apiVersion: `${type.group}/${type.version}`,
    kind: type.kind,
    metadata: {
      namespace,
      name,
      annotations: {
        [annotations.adoptionPolicy]: 'adopt',
        [annotations.adoptionFields]: JSON.stringify(identifiers),
      },
    },
    spec: JSON.parse(JSON.stringify(withTags(model, spec, Object.fromEntries(tags)))) as unknown,
  } as KubeObject
}

/** A name that Kubernetes takes, made of the resource's own. */
function freeName(text: string, taken: Set<string>): string {
  const base =
    (text.split(/[/:]/).at(-1) ?? text)
      .toLowerCase()
      .replaceAll(/[^a-z0-9.-]+/g, '-')
      .replaceAll(/^[^a-z0-9]+|[^a-z0-9]+$/g, '')
      .slice(0, 200) || 'resource'
  let name = base
  for (let count = 2; taken.has(name); count++) name = `${base}-${count}`
  taken.add(name)
  return name
}

function stub({ type }: KindModel, namespace: string): Resource {
  const metadata = { namespace, name: 'export', uid: 'export', resourceVersion: '0' }
  return { apiVersion: `${type.group}/${type.version}`, kind: type.kind, metadata } as Resource
}
