import { didYouMean } from '#base'
import { isKindNamed } from '#kube'
import { InferError } from '../infer-error.ts'
import type { InferredService } from './infer-service.ts'
import type { InferredKind } from './inferred-kind.ts'

/** The kinds of these names, in any case; all without names. Throws where there is none, or one is refused. */
export function chooseKinds(service: InferredService, wanted: readonly string[] = []): readonly InferredKind[] {
  if (wanted.length === 0) {
    if (service.kinds.length === 0) throw new InferError('no-kind', `${service.alias}: no kind: ${whyNone(service)}`)
    return service.kinds
  }
  const chosen = wanted.map(name => kindNamed(service, name))
  return service.kinds.filter(kind => chosen.includes(kind))
}

/** As kubectl would find it, and as the API calls it. */
export function kindNamed(service: InferredService, name: string): InferredKind {
  const lower = name.toLowerCase()
  const found = service.kinds.find(
    ({ kind, plural, resource, config: { shortNames = [] } }) =>
      isKindNamed(name, { kind, plural, group: service.group, shortNames }) || resource.toLowerCase() === lower,
  )
  if (found !== undefined) return found
  const refused = service.refused.find(({ resource }) => resource.toLowerCase() === lower)
  if (refused !== undefined) throw new InferError('no-kind', refused.problems.map(({ message }) => message).join('\n'))
  const ignored = service.ignored.find(resource => resource.toLowerCase() === lower)
  if (ignored !== undefined) throw new InferError('no-kind', `${name}: left out by ignore.resource_names`)
  const names = service.kinds.map(({ kind }) => kind)
  throw new InferError(
    'no-kind',
    `${service.alias} has no kind "${name}"${didYouMean(name, names) || `; it has ${names.join(', ')}`}`,
  )
}

/** In one sentence. */
export function whyNone({ model, refused, ignored, classified }: InferredService): string {
  const creates = Object.keys(model.operations).filter(name => name.startsWith('Create'))
  if (refused.length > 0) return `all of ${refused.map(({ resource }) => resource).join(', ')} are refused`
  if (ignored.length > 0) return `the config leaves out ${ignored.join(', ')}`
  if (creates.length > 0) return `${creates.join(', ')} make no single resource`
  if (classified.all.length === 0) return 'the model has no operations'
  return 'no operation is called Create…; name one under operations with operation_type Create'
}
