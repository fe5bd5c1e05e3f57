// `vouch render hosted`: what belongs to one hosted control plane, from the platform's own manifests.
import { readFile } from 'node:fs/promises'
import { loadAll } from 'js-yaml'
import { FlagError, isRecord, parseFlags } from '#base'
import type { KubeObject } from '#kube'
import { type HostedManifests, readHostedFlags, renderHosted } from '#operators/hosted'
import { hostedOperator } from '#operators/hosted/operator'

/** `args`: flags of the hosted operator. */
export async function hostedObjects(args: readonly string[], files: readonly string[]): Promise<readonly KubeObject[]> {
  const known = hostedOperator.flags.flatMap(({ flags }) => flags)
  const settings = readHostedFlags(parseFlags(known, args, new Map()), { workers: 1, env: {} })
  if (files.length === 0)
    throw new FlagError('-f is missing: a file with the HostedControlPlane, and what the platform has beside it')
  const objects = (await Promise.all(files.map(readObjects))).flat()
  const named = (kind: string, name?: string): KubeObject | undefined =>
    objects.find(object => object.kind === kind && (name === undefined || object.metadata.name === name))
  const plane = named('HostedControlPlane')
  if (plane === undefined) throw new Error(`${files.join(', ')}: there is no HostedControlPlane`)
  if (!isPlane(plane)) throw new Error(`HostedControlPlane ${plane.metadata.name ?? ''}: it has no name or no spec.platform.type`)
  const deployment = named('Deployment', 'kube-apiserver')
  if (deployment !== undefined && !isKubeApiserver(deployment)) throw new Error('Deployment kube-apiserver: it has no containers')
  return renderHosted(
    { plane, rootCa: named('Secret', 'root-ca'), images: named('ConfigMap', settings.imageMap), deployment },
    settings,
  )
}

type KubeApiserver = NonNullable<HostedManifests['deployment']>

function isPlane(object: KubeObject): object is KubeObject & HostedManifests['plane'] {
  const platform = at(object, 'spec', 'platform')
  return isRecord(platform) && typeof platform['type'] === 'string' && typeof object.metadata.name === 'string'
}

function isKubeApiserver(object: KubeObject): object is KubeApiserver {
  return Array.isArray(at(object, 'spec', 'template', 'spec', 'containers'))
}

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((found, name) => (isRecord(found) ? found[name] : undefined), value)
}

async function readObjects(path: string): Promise<readonly KubeObject[]> {
  const found: KubeObject[] = []
  for (const object of loadDocuments(path, await readFile(path, 'utf8')).flatMap(itemsOf)) {
    if (object === null || object === undefined) continue
    if (!isObject(object)) throw new Error(`${path}: it has something that is no object of Kubernetes`)
    found.push(object)
  }
  return found
}

function loadDocuments(path: string, text: string): readonly unknown[] {
  try {
    return loadAll(text)
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

/** `kubectl get` prints several objects as a list. */
function itemsOf(document: unknown): readonly unknown[] {
  const isList = isRecord(document) && document['kind'] === 'List' && Array.isArray(document['items'])
  return isList ? (document['items'] as readonly unknown[]) : [document]
}

function isObject(value: unknown): value is KubeObject {
  return isRecord(value) && isRecord(value['metadata']) && typeof value['kind'] === 'string'
}
