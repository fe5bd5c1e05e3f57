// From what is seen of one ExternalDNS to a plan: the request to the platform, the account, the Deployment, and what is said of all.
import type { Instant } from '#base'
import type { Condition } from '#kube'
import { type Action, emptyPlan, type Next, type Plan } from '#runtime'
import { bindingRefOf } from '../binding/view.ts'
import { bindingActions, bindingPolicy } from '../binding/wanted.ts'
import { decideCleanup, finalizerActions, holdsForCleanup } from '../cleanup/decide.ts'
import { usesSecret } from '../credentials/source.ts'
import { holdOn } from '../ownership/hold.ts'
import type { PreflightAction } from '../preflight/runner.ts'
import { sourceBindingActions } from '../rbac/binding-actions.ts'
import { discoveryMode, effectiveZones, lacksZones } from '../zones/effective.ts'
import { accountActions } from './account.ts'
import { deploymentActions } from './deployment-actions.ts'
import { boundOf } from './identity.ts'
import { type NewsAction, noticeActions } from './notices.ts'
import { preflightActions, preflightDue } from './preflight-actions.ts'
import { requestActions } from './request-actions.ts'
import { type Obstacles, sayConditions } from './say.ts'
import type { DnsSeen } from './seen.ts'
import { sayStatus } from './status.ts'
import { buildWanted, incompatibility, type WantedOperand } from './wanted.ts'

export type DnsAction = PreflightAction | NewsAction

export function decideDns(seen: DnsSeen | undefined, now: Instant): Plan<DnsAction> {
  if (seen === undefined) return emptyPlan
  if (seen.dns.metadata.deletionTimestamp !== undefined) return decideEnd(seen)
  const built = buildWanted(seen)
  const waits = waitingFor(seen)
  const incompatible = built.deployment === undefined ? undefined : incompatibility(seen, built.deployment)
  const said: Obstacles = { invalid: built.problem, incompatible }
  const isHeld = waits !== undefined || built.problem !== undefined || incompatible !== undefined
  const actions: Action<DnsAction>[] = [
    ...finalizerActions(seen.dns, wantsCleanup(seen)),
    ...requestActions(seen),
    ...accountActions(seen),
    ...rightActions(seen),
    ...(built.problem === undefined ? identityActions(seen) : []),
    ...(isHeld || built.deployment === undefined ? [] : deploymentActions(seen, built.deployment)),
    ...preflightActions(seen, now),
    ...noticeActions(seen, now),
  ]
  const conditions: readonly Condition[] = sayConditions(seen, said)
  const status = sayStatus(seen, built.deployment, isHeld)
  const next = nextLook(seen, waits, now)
  return { actions, conditions, status, next }
}

/** A missing Secret wakes us when it comes; a try of the credentials is due by the clock alone. */
function nextLook(seen: DnsSeen, waits: Waiting | undefined, now: Instant): Next {
  const { requeueMs } = seen.surroundings.settings
  if (waits?.isTimed === true) return { kind: 'look-again', afterMs: requeueMs, why: waits.why }
  const due = preflightDue(seen, now)
  if (due === undefined || due === 0) return { kind: 'await-change' }
  return { kind: 'look-again', afterMs: due, why: 'the credentials are tried again', lane: 'drift' }
}

function rightActions({ dns, model, sourceBinding, surroundings: { settings } }: DnsSeen): readonly Action[] {
  if (!settings.perInstanceRbac) return []
  const { name, uid } = dns.metadata
  const wish = { name, uid, operandNamespace: settings.operandNamespace, source: model.spec.source.type }
  return sourceBindingActions(sourceBinding, wish)
}

/** The binding that an object asks for. */
function identityActions(seen: DnsSeen): readonly Action[] {
  const { dns, model, binding, surroundings } = seen
  const ref = bindingRefOf(model.spec)
  if (ref === undefined || binding === undefined) return []
  const { name, uid } = dns.metadata
  // Zones that are looked for with this very role are not known before it works.
  const zones = discoveryMode(seen) === 'AssumedRole' ? [] : effectiveZones(seen)
  const policy = bindingPolicy(model.spec, zones, surroundings.platform.awsRegion)
  return bindingActions(binding, { ref, name, uid, policy, operandNamespace: surroundings.settings.operandNamespace })
}

interface Waiting {
  readonly why: string
  /** Its arrival wakes us; the time is a fallback. */
  readonly isTimed: boolean
}

/** What has to be there first. */
function waitingFor(seen: DnsSeen): Waiting | undefined {
  const { model, target, trustedCa, surroundings } = seen
  const isMissing = usesSecret(model.spec) && target === undefined
  if (isMissing) return { why: 'the credentials secret is not there', isTimed: true }
  if (surroundings.settings.trustedCaConfigMap !== '' && trustedCa === undefined)
    return { why: 'the bundle of authorities is not there', isTimed: true }
  if (boundOf(seen)?.kind === 'wait') return { why: 'the binding is not ready', isTimed: false }
  return lacksZones(seen) ? { why: 'no zone has been found', isTimed: false } : undefined
}

function wantsCleanup({ model }: DnsSeen): boolean {
  return model.spec.operand?.cleanup === true
}

/** What was made for an object goes with it; its records only where it asks for that. */
function decideEnd(seen: DnsSeen): Plan {
  const { dns, deployment, pods, cleanupJob: job } = seen
  if (!holdsForCleanup(dns)) return emptyPlan
  const own = deployment !== undefined && holdOn(deployment, dns) === 'ours' ? deployment : undefined
  const wanted = lastRun(seen)
  return decideCleanup({ dns, wantsCleanup: wantsCleanup(seen), deployment: own, podsLeft: pods.length, job, wanted })
}

function lastRun(
  seen: DnsSeen,
): { readonly deployment: NonNullable<WantedOperand['deployment']> } | { readonly problem: string } {
  const others = seen.sameOwner.map(({ name }) => name)
  if (others.length > 0) return { problem: `${others.join(', ')} writes records under the same owner id` }
  const { deployment, problem } = buildWanted(seen)
  if (deployment === undefined) return { problem: problem ?? 'there is no operand' }
  const obstacle = incompatibility(seen, deployment) ?? waitingFor(seen)?.why
  return obstacle === undefined ? { deployment } : { problem: obstacle }
}
