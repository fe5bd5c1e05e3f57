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
  const beside = {
    plane,
    rootCa: named('Secret', 'root-ca'),
    images: named('ConfigMap', settings.imageMap),
    deployment: named('Deployment', 'kube-apiserver'),
  }
  // The kinds say what the objects are; what of them does not hold is refused by whoever builds with it.
  return renderHosted(beside as unknown as HostedManifests, settings)
}

async function readObjects(path: string): Promise<readonly KubeObject[]> {
  const text = await readFile(path, 'utf8')
  const found: KubeObject[] = []
  for (const object of loadAll(text)) {
    if (object === null || object === undefined) continue
    if (!isRecord(object) || !isRecord(object['metadata']) || typeof object['kind'] !== 'string')
      throw new Error(`${path}: it has something that is no object of Kubernetes`)
    found.push(object as unknown as KubeObject)
  }
  return found
}
