// What is within a field that is told, and is itself told by nobody: the shape of an answer often has less than the shape of the request, such
// as a password among other settings.
import type { ResourcePart } from '#aws'
import { type Api, type ApiMember, structureOf } from '../infer/api.ts'
import { type Field, type FieldType, leafOf } from '../infer/field-type.ts'
import type { InferredService } from '../infer/infer-service.ts'
import type { InferredKind } from '../infer/inferred-kind.ts'
import { isOption, keyOf } from './addresses.ts'
import { shapeTold } from './find-reads.ts'

interface Told {
  readonly field: Field
  readonly parts: readonly ResourcePart[]
}

/** Dotted Camel paths; lists and maps on the way are passed through. */
export function untoldWithin(service: InferredService, kind: InferredKind, { field, parts }: Told): readonly string[] {
  const leaf = leafOf(field.type)
  if (leaf.kind !== 'structure') return []
  const told = toldByPart(service, field, parts) ?? shapeTold(service, kind, field)
  return told === undefined ? [] : within(service, field, { path: field.names.camel, told })
}

/** The shape in which the read of a part tells the field. */
function toldByPart({ api }: InferredService, { names }: Field, parts: readonly ResourcePart[]): string | undefined {
  const read = parts.find(part => part.read?.paths[names.camel] !== undefined)?.read
  if (read === undefined) return undefined
  const operation = [...api.operations.values()].find(({ wire }) => wire === read.operation)
  const steps = (read.paths[names.camel] ?? '').split('.').filter(step => step !== '')
  return steps.reduce<string | undefined>((target, step) => memberOf(api, target, step)?.target, operation?.output)
}

interface Where {
  readonly path: string
  readonly told: string
}

/** No kind has a structure that holds itself. */
function within(service: InferredService, field: Field, { path, told }: Where): readonly string[] {
  const { api, types } = service
  const pair = besides(api, field.type, told)
  if (pair === undefined) return []
  return [...types.fieldsOf(pair.shape).values()].flatMap(inner => {
    const { kind } = leafOf(inner.type)
    if (kind === 'secret' || inner.referenceFor !== undefined || isOption(inner.model)) return []
    const deeper = `${path}.${inner.names.camel}`
    const member = memberOf(api, pair.told, inner.model)
    if (member !== undefined) return within(service, inner, { path: deeper, told: member.target })
    return isToldAsState(api, pair.told, inner) ? [] : [deeper]
  })
}

/** Through lists and maps on both sides at once; `undefined` where the answer has something else there. */
function besides(api: Api, type: FieldType, told: string): { readonly shape: string; readonly told: string } | undefined {
  const shape = api.shapes.get(told)
  if (type.kind === 'list') return shape?.type === 'list' ? besides(api, type.element, shape.element) : undefined
  if (type.kind === 'map') return shape?.type === 'map' ? besides(api, type.value, shape.value) : undefined
  return type.kind === 'structure' && shape?.type === 'structure' ? { shape: type.shape, told } : undefined
}

function memberOf(api: Api, target: string | undefined, name: string): ApiMember | undefined {
  const members = structureOf(api, target ?? '')?.members ?? new Map<string, ApiMember>()
  return [...members].find(([each]) => keyOf(each) === keyOf(name))?.[1]
}

/** `Enabled` of a request is `Status` in many an answer. */
function isToldAsState(api: Api, told: string, { type, model }: Field): boolean {
  if (type.kind !== 'boolean' || !/enabled$/i.test(model)) return false
  const stem = keyOf(model).replace(/enabled$/, '')
  return [...(structureOf(api, told)?.members.keys() ?? [])].some(name => {
    const key = keyOf(name)
    return stem === '' ? key.endsWith('status') : key === `${stem}status`
  })
}
