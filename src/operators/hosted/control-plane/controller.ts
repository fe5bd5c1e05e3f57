// The half of a hosted control plane in the management cluster: what wakes it, and how certificates are drawn.
import { type Clock, given, type Keys, type Net, type Random } from '#base'
import { configMaps, deployments, type ResourceType, type StoredObject, secrets } from '#kube'
import {
  type ActContext,
  type ActResult,
  type AnyController,
  defineController,
  foldOutcomes,
  type Reads,
  type Report,
  type ReportInput,
  type Source,
  type Targets,
  type Watch,
} from '#runtime'
import { sidecarCondition } from '../api/conditions.ts'
import { type ControlPlane, caHashAnnotation, controlPlaneKind } from '../api/kinds.ts'
import { clusterSignerName, kubeApiserverName, rootCaName } from '../api/names.ts'
import { platformOf } from '../build/platform.ts'
import { inPlaceOf } from '../build/secrets.ts'
import { Contests } from '../contests.ts'
import { ReleaseImages } from '../release/release-images.ts'
import type { HostedSettings } from '../settings.ts'
import { decidePlane } from './decide.ts'
import { observePlane, sidecarSecretNames } from './observe.ts'
import type { PlaneAction, PlaneSeen } from './seen.ts'

export const planeControllerName = 'hosted-control-plane'

export interface PlaneControllerOptions {
  readonly settings: HostedSettings
  readonly clock: Clock
  readonly random: Random
  readonly keys: Keys
  /** For registries. */
  readonly net: Pick<Net, 'dial'>
}

/** Certificates grow old; nothing else changes without an event. */
const lookEveryMs = 21_600_000
const keyBits = 2_048

export function planeController(options: PlaneControllerOptions): AnyController {
  const { settings, clock } = options
  const contests = new Contests(clock)
  const releases = new ReleaseImages(options)
  return defineController<PlaneSeen | undefined, PlaneAction>({
    name: planeControllerName,
    claims: planeSource(settings),
    watches: [
      inNamespaceOf(settings, secrets, watchedSecrets(settings)),
      inNamespaceOf(settings, deployments, [kubeApiserverName]),
      inNamespaceOf(settings, configMaps, [settings.imageMap]),
    ],
    status: { kind: 'subresource', observedGeneration: false },
    summary: sidecarCondition,
    reconciler: {
      observe: (key, world, signal) => observePlane(key, world, { settings, contests, releases }, signal),
      decide: decidePlane,
      act: (action, context) => carryOut(action, context, { ...options, contests }),
      report: input => reportPlane(input),
    },
    workers: settings.workers,
    driftMs: lookEveryMs,
  })
}

/** Those that either half reads: a name is watched once, for both. */
export function watchedSecrets({ guestKubeconfig, pullSecret }: HostedSettings): readonly string[] {
  return [rootCaName, clusterSignerName, ...sidecarSecretNames, guestKubeconfig, pullSecret]
}

export function planeSource({ namespaces }: HostedSettings): Source {
  return { type: controlPlaneKind.type, ...given({ namespaces }) }
}

/** By name, each with a watch of its own: the right to Secrets need not be a right to all of them. */
export function inNamespaceOf(settings: HostedSettings, type: ResourceType, names: readonly string[]): Watch {
  const { namespaces } = settings
  return { type, names, ...given({ namespaces }), toClaims: planesOf }
}

/** As a rule there is one control plane in a namespace. */
function planesOf({ metadata }: StoredObject, world: Reads): Targets {
  return world
    .list<ControlPlane>(controlPlaneKind.type, metadata.namespace ?? '')
    .map(plane => ({ namespace: metadata.namespace ?? '', name: plane.metadata.name }))
}

async function carryOut(
  action: PlaneAction,
  context: ActContext,
  { clock, random, keys, contests }: PlaneControllerOptions & { readonly contests: Contests },
): Promise<ActResult> {
  if (action.kind === 'act:note') {
    contests.note(action.uid, action.wanted)
    return { changed: false }
  }
  const drawn = { key: await keys.generateRsa(keyBits), serial: random.bytes(16) }
  const object = action.render(drawn, clock.now())
  context.checkFence()
  // One that is there after all, of the same authority, is ours whose answer was lost; the next pass looks at it closely.
  const mark = { annotations: { [caHashAnnotation]: object.metadata.annotations?.[caHashAnnotation] ?? '' } }
  if (action.held === undefined) await context.carryOut({ kind: 'create', type: secrets, object, mark })
  else await context.carryOut({ kind: 'update', type: secrets, object: inPlaceOf(action.held, object) })
  return { changed: true }
}

/** On a platform that gets no sidecar nothing is said, and what was said is taken back. */
function reportPlane(input: ReportInput<PlaneAction> & { readonly seen: PlaneSeen | undefined }): Report | undefined {
  const report = foldOutcomes(input)
  if (report === undefined || input.seen === undefined) return report
  const { plane, settings } = input.seen
  const isForeign = platformOf(plane.spec, settings.platforms).kind === 'none'
  return isForeign && report.conditions.length === 0 ? { ...report, forgotten: [sidecarCondition] } : report
}
