// Nobody hands out rights that they do not have themselves, unless they may do just that (`escalate`, `bind`).
import type { AuthorizerPort } from '../../auth/authorizer.ts'
import { compactRules, missingRules, type RbacRule, renderRule } from '../../auth/rules.ts'
import { equalJson } from '../../draft.ts'
import { forbidden, notFound } from '../../refusals.ts'
import { masters } from '../../users.ts'
import type { AdmissionAttributes } from '../admission.ts'
import type { MakePlugin } from '../plugin.ts'

export const rbacEscalation: MakePlugin = ports => ({
  name: 'RbacEscalation',
  validate: attributes => checkEscalation(ports, attributes),
})

const group = 'rbac.authorization.k8s.io'
const fullReach: readonly RbacRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
]

function checkEscalation(ports: AuthorizerPort, attributes: AdmissionAttributes): void {
  const { kind, operation, user, object, oldObject } = attributes
  if (kind.resource.group !== group || operation === 'DELETE' || object === undefined || user.groups.includes(masters)) return
  const isRole = kind.resource.kind.endsWith('Role')
  if (oldObject !== undefined && isOnlyForCollection(object, oldObject)) return
  const verb = isRole ? 'escalate' : 'bind'
  const ref = object.roleRef as { kind: string; name: string } | undefined
  if (
    isExempt(
      ports,
      attributes,
      verb,
      isRole ? attributes.name : (ref?.name ?? ''),
      isRole ? kind.resource.plural : rolePlural(ref?.kind),
    )
  )
    return
  const wanted = isRole ? roleRules(object) : ports.authorizer.roleRules(ref ?? { kind: '', name: '' }, attributes.namespace)
  if (wanted === undefined) throw notFound(kind.resource, ref?.name ?? '')
  const held = ports.authorizer.rulesFor(user, attributes.namespace)
  const missing = missingRules(held, wanted)
  if (missing.length === 0) return
  const groups = user.groups.map(name => JSON.stringify(name)).join(' ')
  const lines = compactRules(missing).map(renderRule).sort().join('\n')
  const why = `user ${JSON.stringify(user.username)} (groups=[${groups}]) is attempting to grant RBAC permissions not currently held:\n${lines}`
  throw forbidden(kind.resource, attributes.name, why)
}

function roleRules(object: Readonly<Record<string, unknown>>): readonly RbacRule[] {
  return object.aggregationRule === undefined ? ((object.rules ?? []) as readonly RbacRule[]) : fullReach
}

type Stored = Readonly<Record<string, unknown>>

/** Whoever lets an object go needs no rights for it; every other change, of a label too, is a grant of all that the object holds. */
function isOnlyForCollection(object: Stored, oldObject: Stored): boolean {
  return equalJson(withoutCollection(object), withoutCollection(oldObject))
}

const ofCollection: ReadonlySet<string> = new Set(['ownerReferences', 'finalizers', 'managedFields'])

function withoutCollection({ metadata, ...rest }: Stored): Stored {
  const kept = Object.entries((metadata ?? {}) as Stored).filter(([field]) => !ofCollection.has(field))
  return { ...rest, metadata: Object.fromEntries(kept) }
}

function isExempt(
  { authorizer }: AuthorizerPort,
  attributes: AdmissionAttributes,
  verb: string,
  name: string,
  resource: string,
): boolean {
  const asked = { verb, group, resource, subresource: '', namespace: attributes.namespace, name }
  return authorizer.decide(attributes.user, asked).allowed
}

function rolePlural(kind: string | undefined): string {
  return kind === 'Role' ? 'roles' : 'clusterroles'
}
