// From what is seen of one ExternalDNS to a plan: the request to the platform, the account, the Deployment, and what is said of all.
import type { Instant } from '#base'
import type { Condition } from '#kube'
import { type Action, emptyPlan, type Next, type Plan } from '#runtime'
import { joinRefusals, refusals } from '../admission/checks.ts'
import { usesSecret } from '../credentials/source.ts'
import { missingCapability } from '../operand/capabilities.ts'
import { buildDeployment, type Deployment } from '../operand/deployment.ts'
import { chooseOwner } from '../ownership/owner-id.ts'
import type { PreflightAction } from '../preflight/runner.ts'
import { accountActions } from './account.ts'
import { deploymentActions, findHold } from './deployment-actions.ts'
import { notBuilt } from './not-built.ts'
import { preflightActions, preflightDue } from './preflight-actions.ts'
import { requestActions } from './request-actions.ts'
import { requestOf } from './request-of.ts'
import { type Obstacles, sayConditions } from './say.ts'
import type { DnsSeen } from './seen.ts'
import { sayStatus } from './status.ts'

export function decideDns(seen: DnsSeen | undefined, now: Instant): Plan<PreflightAction> {
  if (seen === undefined || seen.dns.metadata.deletionTimestamp !== undefined) return emptyPlan
  const built = buildWanted(seen)
  const waits = waitingFor(seen)
  const incompatible = built.deployment === undefined ? undefined : incompatibility(seen, built.deployment)
  const said: Obstacles = { invalid: built.problem, incompatible }
  const isHeld = waits !== undefined || built.problem !== undefined || incompatible !== undefined
  const actions: Action<PreflightAction>[] = [
    ...requestActions(seen),
    ...accountActions(seen),
    ...(isHeld || built.deployment === undefined ? [] : deploymentActions(seen, built.deployment)),
    ...preflightActions(seen, now),
  ]
  const conditions: readonly Condition[] = sayConditions(seen, said)
  const status = sayStatus(seen, built.deployment, isHeld)
  const next = nextLook(seen, waits, now)
  return { actions, conditions, status, next }
}

/** A missing Secret wakes us when it comes; a try of the credentials is due by the clock alone. */
function nextLook(seen: DnsSeen, waits: string | undefined, now: Instant): Next {
  const { requeueMs } = seen.surroundings.settings
  if (waits !== undefined) return { kind: 'look-again', afterMs: requeueMs, why: waits }
  const due = preflightDue(seen, now)
  if (due === undefined || due === 0) return { kind: 'await-change' }
  return { kind: 'look-again', afterMs: due, why: 'the credentials are tried again', lane: 'drift' }
}

interface Wanted {
  readonly deployment?: Deployment
  readonly problem?: string
}

/** What the webhook would have refused is looked at again: it may be switched off, or the object older than it. */
function buildWanted(seen: DnsSeen): Wanted {
  const { dns, model, surroundings } = seen
  const isNewest = model.origin === 'v1beta2'
  const hold = findHold(seen)
  if (hold !== undefined) return { problem: hold }
  const lacking = notBuilt(model.spec)
  if (lacking !== undefined) return { problem: lacking }
  const owner = chooseOwner(dns, model, surroundings.settings.clusterId)
  const built = buildDeployment(requestOf(seen, owner.ownerId))
  if ('problem' in built) return { problem: built.problem }
  const context = { isOpenShift: surroundings.platform.isOpenShift, isNewest, hadCrdSource: true }
  const refused = refusals(model.spec, context)
  if (refused.length > 0) return { problem: joinRefusals(refused) }
  return owner.problem === undefined ? { deployment: built.deployment } : { problem: owner.problem }
}

/** What has to be there first; its arrival wakes us, and the time is a fallback. */
function waitingFor({ model, target, trustedCa, surroundings: { settings } }: DnsSeen): string | undefined {
  if (usesSecret(model.spec) && target === undefined) return 'the credentials secret is not there'
  if (settings.trustedCaConfigMap !== '' && trustedCa === undefined) return 'the bundle of authorities is not there'
  return undefined
}

function incompatibility({ surroundings: { settings } }: DnsSeen, { spec }: Deployment): string | undefined {
  const args = spec.template.spec.containers.flatMap(container => container.args ?? [])
  return missingCapability(settings.operandVersion, args)
}
