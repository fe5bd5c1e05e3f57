// From what is seen of one control plane and its guest to a plan for the half in the guest. Nothing here waits for the other half: whichever
// comes first does no harm, because the configuration never refuses a pod.
import { type Instant, onlyCertificate } from '#base'
import { type Condition, clusterRoleBindings, clusterRoles, mutatingWebhookConfigurations } from '#kube'
import { type Action, emptyPlan, isEqualJson, type Next, type Plan } from '#runtime'
import { guestCondition, type HostedReason } from '../api/conditions.ts'
import type { ControlPlane } from '../api/kinds.ts'
import { rootCaName } from '../api/names.ts'
import { textIn } from '../build/authority.ts'
import { buildGuestObjects, type GuestBinding, type GuestConfiguration, type GuestRole } from '../build/guest-objects.ts'
import { platformOf, type SidecarInput } from '../build/platform.ts'
import { type FilledIn, isSameButFilledIn } from '../build/same.ts'
import { pauseOf } from '../paused.ts'
import type { GuestAction, GuestHeld, GuestPlaneSeen } from './seen.ts'
import { decideTrust } from './trust.ts'

type GuestPlan = Plan<GuestAction>

export function decideGuest(seen: GuestPlaneSeen, now: Instant): GuestPlan {
  const { plane, settings } = seen
  if (plane === undefined || plane.metadata.deletionTimestamp !== undefined) return { ...emptyPlan, actions: leave(seen) }
  const pause = pauseOf(plane.spec, now)
  const platform = platformOf(plane.spec, settings.platforms)
  // What is in the guest stays: it does no harm, and goes with the guest.
  if (platform.kind === 'none') return { ...emptyPlan, actions: leave(seen) }
  if (pause.kind === 'paused')
    return {
      actions: [],
      conditions: [saying('Unknown', 'Paused', 'nothing is changed while spec.pausedUntil holds')],
      next: waiting,
    }
  if (platform.kind === 'refused') return lacking(platform.reason, platform.message)
  return decideAccess(seen, plane, platform.input, now)
}

const waiting: Next = { kind: 'await-change' }

function leave({ cluster, isMember }: GuestPlaneSeen): readonly GuestAction[] {
  return isMember ? [{ kind: 'act:leave', cluster, summary: `leave the guest ${cluster}` }] : []
}

function decideAccess(seen: GuestPlaneSeen, plane: ControlPlane, input: SidecarInput, now: Instant): GuestPlan {
  const { settings, access, isConnected, guest, key } = seen
  if (access === undefined)
    return lacking('GuestKubeconfigMissing', `Secret ${settings.guestKubeconfig} is not there yet; the platform makes it`)
  if (access.kind === 'unusable') return lacking('GuestKubeconfigUnusable', access.message)
  if (!isConnected)
    return {
      ...emptyPlan,
      actions: [{ kind: 'act:connect', key, plane, access, summary: `connect to the guest of ${key.name}` }],
    }
  switch (guest.kind) {
    case 'unknown':
      return {
        ...emptyPlan,
        next: { kind: 'look-again', afterMs: Math.max(guest.lookAgainMs, 1_000), why: guest.message, leavesStatus: true },
      }
    case 'away':
      return lacking('RemoteClusterUnavailable', guest.message)
    default:
      return decideObjects(seen, input, guest.held, now)
  }
}

function decideObjects(seen: GuestPlaneSeen, input: SidecarInput, held: GuestHeld, now: Instant): GuestPlan {
  const root = textIn(seen.rootCa, 'ca.crt')
  if (seen.rootCa === undefined)
    return lacking('AuthorityMissing', `Secret ${rootCaName} is not there yet; the platform makes it`)
  if (onlyCertificate(root) === undefined)
    return lacking(
      'AuthorityUnusable',
      `Secret ${rootCaName} has no certificate as its ca.crt; give it the one that the platform trusts`,
    )
  const { choices } = seen.settings
  const isUpstream = choices.authorityChange === 'keep'
  const { authorities, settlesInMs } = isUpstream
    ? { authorities: root }
    : decideTrust({ root, serving: seen.serving, configuration: held.configuration }, now)
  const wanted = buildGuestObjects(input.cloud, authorities, choices)
  const { cluster } = seen
  const configured = configurationActions(seen, held.configuration, wanted.configuration)
  const lookInMs = configured.heldUntil === undefined ? settlesInMs : configured.heldUntil - now
  return {
    actions: [
      ...roleActions(cluster, held.role, wanted.role),
      ...bindingActions(cluster, held.binding, wanted.binding),
      ...configured.actions,
    ],
    conditions: [
      configured.condition ?? saying('True', 'InPlace', `the guest asks ${wanted.role.metadata.name ?? ''} about its pods`),
    ],
    next: lookInMs === undefined ? waiting : { kind: 'look-again', afterMs: lookInMs, why: 'the earlier authority is forgotten' },
  }
}

type Actions = readonly Action<GuestAction>[]

function roleActions(cluster: string, held: GuestHeld['role'], wanted: GuestRole): Actions {
  if (held === undefined) return [{ kind: 'create', type: clusterRoles, object: wanted, cluster }]
  if (isEqualJson(held.rules, wanted.rules)) return []
  const object = { ...held, rules: wanted.rules }
  return [{ kind: 'update', type: clusterRoles, object, cluster }]
}

/** To whom a binding gives can be changed, what it gives cannot: then it is made anew. */
function bindingActions(cluster: string, held: GuestHeld['binding'], wanted: GuestBinding): Actions {
  const create: Action<GuestAction> = { kind: 'create', type: clusterRoleBindings, object: wanted, cluster }
  if (held === undefined) return [create]
  if (!isEqualJson(held.roleRef, wanted.roleRef))
    return [{ kind: 'delete', type: clusterRoleBindings, object: held, cluster }, create]
  if (isEqualJson(held.subjects, wanted.subjects)) return []
  const object = { ...held, subjects: wanted.subjects }
  return [{ kind: 'update', type: clusterRoleBindings, object, cluster }]
}

interface ConfigurationChange {
  readonly actions: Actions
  readonly condition?: Condition
  readonly heldUntil?: Instant
}

/** The whole list of webhooks is ours; labels and annotations of others stay. */
function configurationActions(
  { cluster, plane, heldUntil }: GuestPlaneSeen,
  held: GuestHeld['configuration'],
  wanted: GuestConfiguration,
): ConfigurationChange {
  if (held !== undefined && isSameButFilledIn(wanted.webhooks, held.webhooks, filledIn)) return { actions: [] }
  const { webhooks } = wanted
  const until = heldUntil(webhooks)
  const name = wanted.metadata.name ?? ''
  if (until !== undefined)
    return {
      actions: [],
      condition: saying('False', 'Contested', `somebody in the guest changes ${name} each time; ${oneOfTwo}`),
      heldUntil: until,
    }
  const type = mutatingWebhookConfigurations
  const put = held === undefined ? undefined : { ...held, webhooks }
  const write: Action<GuestAction> =
    put === undefined ? { kind: 'create', type, object: wanted, cluster } : { kind: 'update', type, object: put, cluster }
  const note: GuestAction = {
    kind: 'act:note',
    summary: 'remember what was written',
    uid: plane?.metadata.uid ?? '',
    wanted: webhooks,
  }
  return { actions: [write, note] }
}

const oneOfTwo = 'let one of the two go on'

/** In webhooks and their rules. */
const filledIn: FilledIn = {
  matchPolicy: 'Equivalent',
  reinvocationPolicy: 'Never',
  timeoutSeconds: 10,
  namespaceSelector: {},
  objectSelector: {},
  scope: '*',
}

function lacking(reason: HostedReason, message: string): GuestPlan {
  return { actions: [], conditions: [saying('False', reason, message)], next: waiting }
}

function saying(status: Condition['status'], reason: HostedReason, message: string): Condition {
  return { type: guestCondition, status, reason, message }
}
