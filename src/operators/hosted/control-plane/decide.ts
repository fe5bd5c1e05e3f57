// From what is seen of one control plane to a plan for its half in the management cluster: the two Secrets, then the sidecar that mounts
// them, then what another platform left behind. What cannot be whole is not begun.
import type { Instant } from '#base'
import { type Condition, deployments, secrets as secretType } from '#kube'
import { type Action, emptyPlan, type Next, type Plan } from '#runtime'
import { type HostedReason, sidecarCondition } from '../api/conditions.ts'
import { signingDisabledAnnotation } from '../api/kinds.ts'
import { clusterSignerName, kubeApiserverName, rootCaName } from '../api/names.ts'
import { type Authority, readAuthority } from '../build/authority.ts'
import { hasAnySidecar, isRolledOut, withSidecar } from '../build/deployment.ts'
import { imageIn } from '../build/image-map.ts'
import { platformOf, type SidecarInput, startTrouble } from '../build/platform.ts'
import { providers } from '../build/provider.ts'
import {
  inPlaceOf,
  isControlledBy,
  issueSecret,
  judgeSecret,
  kubeconfigSecret,
  renderSecret,
  type SecretPlan,
  servingSecret,
} from '../build/secrets.ts'
import { buildSidecar, type Sidecar } from '../build/sidecar.ts'
import { pauseOf } from '../paused.ts'
import { readAgainMs } from '../release/release-images.ts'
import type { PlaneAction, PlaneSeen, StoredSecret } from './seen.ts'

type PlanePlan = Plan<PlaneAction>

export function decidePlane(seen: PlaneSeen | undefined, now: Instant): PlanePlan {
  if (seen === undefined || seen.plane.metadata.deletionTimestamp !== undefined) return emptyPlan
  const { plane, settings } = seen
  const pause = pauseOf(plane.spec, now)
  const platform = platformOf(plane.spec, settings.platforms)
  if (pause.kind === 'paused') return decidePaused(platform.kind === 'none', pause.until, now)
  switch (platform.kind) {
    case 'none':
      return { ...emptyPlan, actions: [...sidecarActions(seen, undefined).actions, ...leftoverActions(seen, undefined)] }
    case 'refused':
      return lacking(platform.reason, platform.message)
    default:
      return decideSidecar(seen, platform.input, now)
  }
}

function decidePaused(isForeign: boolean, until: Instant | undefined, now: Instant): PlanePlan {
  const conditions = isForeign ? [] : [saying('Unknown', 'Paused', 'nothing is changed while spec.pausedUntil holds')]
  const next: Next =
    until === undefined
      ? { kind: 'await-change' }
      : { kind: 'look-again', afterMs: Math.min(until - now, longestMs), why: 'the pause ends' }
  return { actions: [], conditions, next }
}

/** Timers are not for months; a look more costs nothing. */
const longestMs = 86_400_000

function decideSidecar(seen: PlaneSeen, input: SidecarInput, now: Instant): PlanePlan {
  const image = imageOf(seen, input)
  if (image === undefined)
    return {
      ...lacking('ImageMissing', imageMissing(seen, input)),
      actions: keptActions(seen, input, now),
      next: untilRead(seen),
    }
  const authorities = readAuthorities(seen, now)
  if ('reason' in authorities) return lacking(authorities.reason, authorities.message)
  const { settings, plane } = seen
  const needs = { input, owner: plane, ...authorities, choices: settings.choices }
  const written = secretActions(seen, [servingSecret(needs), kubeconfigSecret(needs)], now)
  if ('reason' in written) return { ...lacking(written.reason, written.message), next: afterQuarrel(written.heldUntil, now) }
  const changed = sidecarActions(seen, buildSidecar(input, image, settings.choices))
  return {
    actions: [...written.actions, ...changed.actions, ...leftoverActions(seen, input)],
    conditions: [changed.condition ?? standing(input)],
    next: afterQuarrel(changed.heldUntil, now),
  }
}

/** What the platform would write is written in any case. */
function standing(input: SidecarInput): Condition {
  const { name } = providers[input.cloud]
  const trouble = startTrouble(input)
  if (trouble !== undefined)
    return lack('SidecarCannotStart', `${name} stands in ${kubeApiserverName} and cannot start: ${trouble}`)
  return saying('True', 'InPlace', `${name} stands in ${kubeApiserverName}`)
}

function afterQuarrel(heldUntil: Instant | undefined, now: Instant): Next {
  if (heldUntil === undefined) return { kind: 'await-change' }
  return { kind: 'look-again', afterMs: heldUntil - now, why: 'the quarrel may be over' }
}

/** A sidecar that stands goes on with the image that it has, and its certificates are kept good meanwhile. */
function keptActions(seen: PlaneSeen, input: SidecarInput, now: Instant): readonly Action<PlaneAction>[] {
  const { plane, settings, deployment } = seen
  const { containers } = deployment?.spec.template.spec ?? {}
  if (containers?.some(({ name }) => name === providers[input.cloud].name) !== true) return []
  const authorities = readAuthorities(seen, now)
  if ('reason' in authorities) return []
  const needs = { input, owner: plane, ...authorities, choices: settings.choices }
  const written = secretActions(seen, [servingSecret(needs), kubeconfigSecret(needs)], now)
  return 'reason' in written ? [] : written.actions
}

/** A release that cannot be read now may be read later, without any event. */
function untilRead({ release }: PlaneSeen): Next {
  if (release?.kind !== 'unreadable') return { kind: 'await-change' }
  return { kind: 'look-again', afterMs: readAgainMs, why: 'the release image may be read by then' }
}

function imageOf({ settings, images, release }: PlaneSeen, { cloud }: SidecarInput): string | undefined {
  const { name } = providers[cloud]
  if (settings.image !== '') return settings.image
  const image = imageIn(images, name)
  if (image !== undefined) return image
  if (release?.kind === 'images' && release.images.has(name)) return release.images.get(name)
  // What cannot be read is not the same as what is not in it.
  if (release?.kind === 'unreadable') return undefined
  return settings.choices.missingImage === 'label' ? name : undefined
}

function imageMissing({ settings, plane, images, release }: PlaneSeen, { cloud }: SidecarInput): string {
  const place = `ConfigMap ${plane.metadata.namespace ?? ''}/${settings.imageMap}`
  const key = `the key ${providers[cloud].name}`
  if (release?.kind === 'unreadable')
    return `the release image cannot be read: ${release.why}; mend the Secret ${settings.pullSecret}, or write the image under ${key} of ${place}`
  const next = `write the image of the release under ${key}, or give --hosted-image`
  if (release !== undefined) return `the release image does not name the sidecar's image, nor does ${place}; ${next}`
  return images === undefined ? `there is no ${place}; ${next}` : `${place} does not name the sidecar's image; ${next}`
}

interface Lack {
  readonly reason: HostedReason
  readonly message: string
  readonly heldUntil?: Instant
}

function readAuthorities(
  seen: PlaneSeen,
  now: Instant,
): { readonly rootCa: Authority; readonly clusterSigner: Authority } | Lack {
  const rootCa = authorityOf(rootCaName, seen.rootCa, now)
  if ('reason' in rootCa) return rootCa
  const clusterSigner = authorityOf(clusterSignerName, seen.clusterSigner, now)
  return 'reason' in clusterSigner ? clusterSigner : { rootCa, clusterSigner }
}

function authorityOf(name: string, secret: StoredSecret | undefined, now: Instant): Authority | Lack {
  if (secret === undefined)
    return { reason: 'AuthorityMissing', message: `Secret ${name} is not there yet; the platform makes it` }
  const read = readAuthority(secret, now)
  if (typeof read !== 'string') return read
  return { reason: 'AuthorityUnusable', message: `Secret ${name} cannot sign: ${read}; give it a pair that belongs together` }
}

function secretActions(
  seen: PlaneSeen,
  plans: readonly SecretPlan[],
  now: Instant,
): { readonly actions: readonly Action<PlaneAction>[] } | Lack {
  const { plane, secrets } = seen
  const isSigningDisabled = plane.metadata.annotations?.[signingDisabledAnnotation] === 'true'
  const actions: Action<PlaneAction>[] = []
  for (const plan of plans) {
    const held = secrets.get(plan.name)
    if (isSigningDisabled) {
      if (held === undefined) return signingDisabled(plan.name)
      continue
    }
    const standing = judgeSecret(plan, held, plane, now)
    if (standing.kind === 'foreign') return foreignSecret(plan.name)
    if (standing.kind === 'good') continue
    const wanted = { secret: plan.name, of: plane.metadata.uid, by: plan.issuer.certificate }
    const heldUntil = seen.heldUntil(wanted)
    if (heldUntil !== undefined) return { ...contestedSecret(plan.name), heldUntil }
    if (standing.kind === 'rewrite' && held !== undefined) {
      const object = inPlaceOf(held, renderSecret(plan, held, plane, standing.pair))
      actions.push({ kind: 'update', type: secretType, object })
    }
    if (standing.kind === 'issue')
      actions.push({
        kind: 'act:issue',
        summary: `sign a certificate into Secret ${plan.name}: ${standing.why}`,
        held,
        render: (drawn, when) => issueSecret(plan, held, plane, { drawn, now: when }),
      })
    actions.push(remembered(seen, wanted))
  }
  return { actions }
}

/** Only what took hold counts: a conflict is no quarrel. */
function remembered({ deployment }: PlaneSeen, wanted: unknown): PlaneAction {
  return { kind: 'act:note', summary: 'remember what was written', uid: deployment?.metadata.uid ?? '', wanted }
}

/** Each time a key would be drawn for it, as often as whoever may write it likes. */
function contestedSecret(name: string): Lack {
  const message = `somebody undoes Secret ${name} each time; see who writes it by its managedFields, and let one of the two go on`
  return { reason: 'Contested', message }
}

function signingDisabled(name: string): Lack {
  const message = `Secret ${name} is not there, and ${signingDisabledAnnotation} says that nothing is to be signed; bring the Secret`
  return { reason: 'SigningDisabled', message }
}

function foreignSecret(name: string): Lack {
  return { reason: 'SecretOwnedByAnother', message: `Secret ${name} has another controller; give it another name, or delete it` }
}

interface SidecarChange {
  readonly actions: readonly Action<PlaneAction>[]
  /** Instead of the good news. */
  readonly condition?: Condition
  readonly heldUntil?: Instant
}

/** One write: container and volumes together, so that the control plane rolls out once. */
function sidecarActions(seen: PlaneSeen, sidecar: Sidecar | undefined): SidecarChange {
  const { deployment, heldUntil } = seen
  if (deployment === undefined) return { actions: [], condition: lack('DeploymentMissing', deploymentMissing) }
  const object = withSidecar(deployment, sidecar)
  if (object === deployment) return { actions: [] }
  const held = heldUntil(sidecar)
  if (held !== undefined) return { actions: [], condition: lack('Contested', contested), heldUntil: held }
  return { actions: [{ kind: 'update', type: deployments, object }, remembered(seen, sidecar)] }
}

const contested = `somebody takes the sidecar out of Deployment ${kubeApiserverName} each time; see who writes it by its managedFields, and let one of the two go on`
const deploymentMissing = `there is no Deployment ${kubeApiserverName} yet; the platform makes it`

/** Secrets that nothing mounts any more: ours alone, and once no pod of an earlier template is left that could start again. */
function leftoverActions(
  { plane, deployment, secrets }: PlaneSeen,
  input: SidecarInput | undefined,
): readonly Action<PlaneAction>[] {
  if (deployment !== undefined && !isSettled(deployment, input)) return []
  const wanted = input === undefined ? [] : [providers[input.cloud].servingSecret, providers[input.cloud].kubeconfigSecret]
  return [...secrets.values()]
    .filter(({ metadata }) => !wanted.includes(metadata.name))
    .filter(held => isControlledBy(held, plane))
    .map(object => ({ kind: 'delete', type: secretType, object }))
}

function isSettled(deployment: NonNullable<PlaneSeen['deployment']>, input: SidecarInput | undefined): boolean {
  return isRolledOut(deployment) && (input !== undefined || !hasAnySidecar(deployment))
}

function lacking(reason: HostedReason, message: string): PlanePlan {
  return { actions: [], conditions: [lack(reason, message)], next: { kind: 'await-change' } }
}

function lack(reason: HostedReason, message: string): Condition {
  return saying('False', reason, message)
}

function saying(status: Condition['status'], reason: HostedReason, message: string): Condition {
  return { type: sidecarCondition, status, reason, message }
}
