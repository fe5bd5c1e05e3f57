// The permissions that a kind's controller needs, and no more: the operations of its verbs and those around its resource.
import { permissionOf } from '#aws'
import type { Field } from '../infer/field-type.ts'
import { leafOf } from '../infer/field-type.ts'
import type { InferredService } from '../infer/infer-service.ts'
import type { InferredKind } from '../infer/inferred-kind.ts'
import { wireOperations } from './ir.ts'

export interface KindPolicy {
  readonly Version: '2012-10-17'
  readonly Statement: readonly {
    readonly Sid: string
    readonly Effect: 'Allow'
    readonly Action: readonly string[]
    readonly Resource: '*'
  }[]
}

/** A policy document. Resources stay open: their names are the users' to choose. */
export function policyOf(service: InferredService, kind: InferredKind): KindPolicy {
  const prefix = service.model.signingName
  const actions = new Set(wireOperations(service, kind).map(operation => permissionOf(prefix, operation)))
  const statements = [{ Sid: kind.kind, Effect: 'Allow', Action: [...actions].sort(), Resource: '*' } as const]
  if (!passesRole(service, kind)) return { Version: '2012-10-17', Statement: statements }
  return {
    Version: '2012-10-17',
    Statement: [...statements, { Sid: `${kind.kind}PassRole`, Effect: 'Allow', Action: ['iam:PassRole'], Resource: '*' }],
  }
}

/** True when users hand a role over to the service with this kind. */
function passesRole({ alias, types }: InferredService, kind: InferredKind): boolean {
  const seen = new Set<string>()
  const isRole = (field: Field): boolean => {
    const reference = field.config?.references
    if (reference?.resource === 'Role' && (reference.service_name ?? alias) === 'iam') return true
    const leaf = leafOf(field.type)
    if (leaf.kind !== 'structure' || seen.has(leaf.shape)) return false
    seen.add(leaf.shape)
    return [...types.fieldsOf(leaf.shape).values()].some(isRole)
  }
  return [...kind.spec.values()].some(isRole)
}
