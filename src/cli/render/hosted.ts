// `vouch render hosted`: what belongs to one hosted control plane, from the platform's own manifests.
import { FlagError, isRecord, memberAt, parseFlags } from '#base'
import type { KubeObject } from '#kube'
import { type HostedManifests, readHostedFlags, renderHosted, renderTrouble } from '#operators/hosted'
import { hostedOperator } from '#operators/hosted/operator'
import { nameOfInput, readText } from '../files/read-text.ts'
import { manifestsOf } from '../files/yaml-text.ts'

export interface HostedRendering {
  readonly objects: readonly KubeObject[]
  /** What a person should know of them. */
  readonly warnings: readonly string[]
}

/** `args`: flags of the hosted operator. */
export async function hostedObjects(args: readonly string[], files: readonly string[]): Promise<HostedRendering> {
  const known = hostedOperator.flags.flatMap(({ flags }) => flags)
  const settings = readHostedFlags(parseFlags(known, args, new Map()), { workers: 1, env: {} })
  if (files.length === 0)
    throw new FlagError(
      '-f is missing: a file with the HostedControlPlane, and what the platform has beside it; - is standard input',
    )
  const given = (await Promise.all(files.map(readObjects))).flat()
  const manifests = manifestsIn(given, files, settings.imageMap)
  const objects = renderHosted(manifests, settings)
  return { objects, warnings: warningsOf(objects, renderTrouble(manifests, settings)) }
}

function warningsOf(objects: readonly KubeObject[], trouble: string | undefined): readonly string[] {
  if (objects.length === 0)
    return ['nothing is rendered: the platform of this HostedControlPlane gets no sidecar (see --hosted-platforms)']
  return trouble === undefined ? [] : [`the sidecar cannot start: ${trouble}`]
}

function manifestsIn(objects: readonly KubeObject[], files: readonly string[], imageMap: string): HostedManifests {
  const named = (kind: string, name?: string): KubeObject | undefined =>
    objects.find(object => object.kind === kind && (name === undefined || object.metadata.name === name))
  const plane = named('HostedControlPlane')
  if (plane === undefined) throw new Error(`${files.map(nameOfInput).join(', ')}: there is no HostedControlPlane`)
  if (!isPlane(plane)) throw new Error(`HostedControlPlane ${plane.metadata.name ?? ''}: it has no name or no spec.platform.type`)
  const deployment = named('Deployment', 'kube-apiserver')
  if (deployment !== undefined && !isKubeApiserver(deployment)) throw new Error('Deployment kube-apiserver: it has no containers')
  return { plane, rootCa: named('Secret', 'root-ca'), images: named('ConfigMap', imageMap), deployment }
}

type KubeApiserver = NonNullable<HostedManifests['deployment']>

function isPlane(object: KubeObject): object is KubeObject & HostedManifests['plane'] {
  return typeof memberAt(object, 'spec', 'platform', 'type') === 'string' && typeof object.metadata.name === 'string'
}

function isKubeApiserver(object: KubeObject): object is KubeApiserver {
  return Array.isArray(memberAt(object, 'spec', 'template', 'spec', 'containers'))
}

async function readObjects(path: string): Promise<readonly KubeObject[]> {
  const name = nameOfInput(path)
  const objects = manifestsOf(name, await readText(path))
  if (!objects.every(isObject)) throw new Error(`${name}: it has something that is no object of Kubernetes`)
  return objects
}

function isObject(value: unknown): boolean {
  return isRecord(value) && isRecord(value['metadata']) && typeof value['kind'] === 'string'
}
