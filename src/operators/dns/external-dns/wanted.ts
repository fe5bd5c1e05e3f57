// The Deployment that an object asks for, or why none can be made of it.
import { joinRefusals, refusals } from '../admission/checks.ts'
import { bindingRefOf, unknownBindingKind } from '../binding/view.ts'
import { missingCapability } from '../operand/capabilities.ts'
import { buildDeployment, type Deployment } from '../operand/deployment.ts'
import { chooseOwner, type OwnerChoice } from '../ownership/owner-id.ts'
import { eldersOf } from '../ownership/rivals.ts'
import type { DnsSettings } from '../settings.ts'
import { discoveryRefusal } from '../zones/refusals.ts'
import { findHold } from './deployment-actions.ts'
import { contenderOf } from './observe.ts'
import { requestOf } from './request-of.ts'
import type { DnsSeen } from './seen.ts'

export interface WantedOperand {
  readonly deployment?: Deployment
  readonly problem?: string
}

/** What the webhook would have refused is looked at again: it may be switched off, or the object older than it. */
export function buildWanted(seen: DnsSeen): WantedOperand {
  const { dns, model, surroundings } = seen
  const isNewest = model.origin === 'v1beta2'
  const hold = findHold(seen) ?? impossible(seen)
  if (hold !== undefined) return { problem: hold }
  const owner = chooseOwner(dns, model, surroundings.settings.clusterId)
  const built = buildDeployment(requestOf(seen, owner.ownerId))
  if ('problem' in built) return { problem: built.problem }
  const context = { isOpenShift: surroundings.platform.isOpenShift, isNewest, hadCrdSource: true }
  const refused = refusals(model.spec, context)
  if (refused.length > 0) return { problem: joinRefusals(refused) }
  const problem = owner.problem ?? ownedByElder(seen, owner)
  return problem === undefined ? { deployment: built.deployment } : { problem }
}

/** What the operand of this version lacks. */
export function incompatibility({ surroundings: { settings } }: DnsSeen, { spec }: Deployment): string | undefined {
  const args = spec.template.spec.containers.flatMap(container => container.args ?? [])
  return missingCapability(settings.operandVersion, args)
}

/** What nobody could carry out: an operand without its zones would write in all of them, one without its identity as somebody else. */
function impossible({ model: { spec }, surroundings: { settings, platform } }: DnsSeen): string | undefined {
  const context = { isOpenShift: platform.isOpenShift, triesCredentials: settings.preflightEnabled }
  const ref = bindingRefOf(spec)
  const unknown = ref === undefined ? undefined : unknownBindingKind(ref)
  return (
    discoveryRefusal(spec, context) ?? unknown ?? (ref?.create === true ? refusedPlace(ref.namespace ?? '', settings) : undefined)
  )
}

/** Who may write ExternalDNS objects may not thereby have roles made anywhere. */
function refusedPlace(namespace: string, { bindingNamespaces }: DnsSettings): string | undefined {
  if (bindingNamespaces.includes(namespace)) return undefined
  const where = bindingNamespaces.join(', ')
  return `bindingRef.create: bindings are made in the namespaces of --binding-namespaces (${where}), and ${namespace} is none of them: make the binding yourself`
}

/** Under the owner id of another object, this one would take away that object's records. */
function ownedByElder({ dns, sameOwner, surroundings }: DnsSeen, { ownerId }: OwnerChoice): string | undefined {
  const [elder] = eldersOf(contenderOf(dns, surroundings.settings.clusterId), sameOwner)
  return elder === undefined
    ? undefined
    : `the owner id ${ownerId} is that of ${elder}, whose records this object would take away: choose another ownership.ownerID, other zones or other domains, or delete ${elder} first`
}
