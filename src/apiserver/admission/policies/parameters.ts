// The parameters that a binding gives its policy: objects of a kind that the policy names. For each of them the policy is asked once.
import { selectorFromObject } from '#kube'
import type { Draft } from '../../draft.ts'
import type { Registry } from '../../registry/registry.ts'
import { type RegisteredResource, rowKey } from '../../registry/resource.ts'
import type { StorePort } from '../../store/store.ts'
import type { BoundPolicy, ParamRef } from './policy-config.ts'

export interface ParameterPorts extends StorePort {
  readonly registry: Pick<Registry, 'resources'>
}

/** `undefined` stands for none: the policy is asked without. A text says why it cannot be asked. */
export type Parameters = readonly (Readonly<Draft> | undefined)[] | { readonly problem: string }

export function parametersOf(ports: ParameterPorts, { policy, paramRef }: BoundPolicy, requestNamespace: string): Parameters {
  const { paramKind } = policy
  if (paramKind === undefined || paramRef === undefined) return [undefined]
  const resource = ports.registry.resources.find(
    ({ kind, versions }) => kind === paramKind.kind && versions.some(served => served.apiVersion === paramKind.apiVersion),
  )
  if (resource === undefined)
    return { problem: `failed to find resource referenced by paramKind: '${paramKind.apiVersion}, Kind=${paramKind.kind}'` }
  const found = find(ports, resource, paramRef, requestNamespace)
  if (found.length > 0) return found
  if (paramRef.parameterNotFoundAction === 'Allow') return []
  return { problem: 'no params found for policy binding with `Deny` parameterNotFoundAction' }
}

function find(
  { store }: StorePort,
  resource: RegisteredResource,
  ref: ParamRef,
  requestNamespace: string,
): readonly Readonly<Draft>[] {
  const namespace = resource.namespaced ? (ref.namespace ?? requestNamespace) : ''
  const { rows } = store.table(resource.table)
  if (ref.name !== undefined && ref.name !== '') {
    const row = rows.get(rowKey(resource, namespace, ref.name))
    return row === undefined ? [] : [row.object]
  }
  const selector = selectorFromObject(ref.selector ?? {})
  const found: Readonly<Draft>[] = []
  const prefix = resource.namespaced ? `${namespace}/` : ''
  rows.visit(prefix, ({ object }, key) => {
    if (!key.startsWith(prefix)) return false
    if (selector.matches(object.metadata.labels)) found.push(object)
    return true
  })
  return found
}
