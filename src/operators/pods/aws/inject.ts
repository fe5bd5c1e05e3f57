// Injection into a pod: environment, volume, mounts and the label, as additions only (§2.4-2.6, §6).
import { BoundedCache } from '#base'
import {
  type AddOperation,
  appendAll,
  isObject,
  type PatchObject,
  type PatchValue,
  prepend,
  readList,
  setEntry,
} from '../patch.ts'
import { readSkipContainers, type Warn } from './annotations.ts'
import { type AwsWebhookOptions, podIdentityLabel, webIdentityTokenPath, webIdentityVolume } from './api.ts'
import type { Injection } from './decide.ts'

/** What a pod is given, whatever is in it: the same for all pods of a ServiceAccount. */
interface Layout {
  readonly volumeName: string
  readonly token: PatchObject
  readonly volume: PatchObject
  readonly mountPath: string
  readonly cleanMountPath: string
  readonly mount: PatchObject
  /** The pair that this method sets: both or neither. */
  readonly pair: readonly [EnvVar, EnvVar]
  readonly regions: readonly EnvVar[]
}

type EnvVar = { readonly name: string; readonly value: string }

const regionNames = ['AWS_DEFAULT_REGION', 'AWS_REGION']
const regionalStsName = 'AWS_STS_REGIONAL_ENDPOINTS'
const regionalSts: EnvVar = Object.freeze({ name: regionalStsName, value: 'regional' })

export interface Tell {
  /** The pod will not work as it is. */
  readonly broken: Warn
  /** Something odd. */
  readonly warn: Warn
  /** Something left out by rule. */
  readonly note: Warn
}

/** The operations that give the pod its identity; none when all is there already. */
export function inject(pod: PatchObject, injection: Injection, flags: AwsWebhookOptions, tell: Tell): AddOperation[] {
  const spec = isObject(pod['spec']) ? pod['spec'] : {}
  const metadata = isObject(pod['metadata']) ? pod['metadata'] : {}
  const layout = heldLayout(injection, flags, isWindows(spec, flags))
  const annotations = isObject(metadata['annotations']) ? metadata['annotations'] : {}
  const listed = (name: string) => readSkipContainers(textOf(annotations[`${flags.annotationPrefix}/${name}`]))
  const skipped = listed('skip-containers')
  const included = flags.onlyIncludedContainers ? listed('include-containers') : undefined
  const isLeftAlone = (name: string): boolean => skipped.has(name) || included?.has(name) === false
  const containers = ['initContainers', 'containers'].flatMap(field =>
    readList(spec, '/spec', field).items.flatMap((container, index) => {
      const name = textOf(container['name']) ?? ''
      if (!isObject((spec[field] as readonly PatchValue[])[index])) return []
      if (!isLeftAlone(name)) return injectContainer(container, `/spec/${field}/${index}`, { injection, layout, tell })
      tell.note('the annotations of the pod leave the container out', { container: name })
      return []
    }),
  )
  return [
    ...(injection.method === 'container-credentials' ? labelOperations(pod, metadata) : []),
    ...volumeOperations(spec, layout, tell.warn),
    ...containers,
  ]
}

function labelOperations(pod: PatchObject, metadata: PatchObject): AddOperation[] {
  if (!isObject(pod['metadata'])) return [{ op: 'add', path: '/metadata', value: { labels: { [podIdentityLabel]: 'enabled' } } }]
  return setEntry(metadata, '/metadata', 'labels', podIdentityLabel, 'enabled')
}

function volumeOperations(spec: PatchObject, layout: Layout, warn: Warn): AddOperation[] {
  const volumes = readList(spec, '/spec', 'volumes')
  const held = volumes.items.find(volume => volume['name'] === layout.volumeName)
  if (held === undefined) return [prepend(volumes, layout.volume)]
  if (!isTokenVolume(held, layout.token))
    warn('a volume of this name is there already and holds no such token; it is left as it is', { volume: layout.volumeName })
  return []
}

function isTokenVolume(volume: PatchObject, { audience, path }: PatchObject): boolean {
  const projected = isObject(volume['projected']) ? volume['projected'] : {}
  return readList(projected, '', 'sources').items.some(source => {
    const token = source['serviceAccountToken']
    return isObject(token) && token['path'] === path && (token['audience'] ?? '') === (audience ?? '')
  })
}

interface Work {
  readonly injection: Injection
  readonly layout: Layout
  readonly tell: Tell
}

function injectContainer(container: PatchObject, path: string, work: Work): AddOperation[] {
  const { injection, layout, tell } = work
  const env = readList(container, path, 'env')
  const has = new Set(env.items.map(entry => entry['name']))
  const hasPair = layout.pair.some(({ name }) => has.has(name))
  const hasRegion = regionNames.some(name => has.has(name))
  // Whoever has set all three groups by hand wants to be left alone (2.4.3).
  const isComplete = hasPair && hasRegion && has.has(regionalStsName)
  if (hasPair)
    tell.note('the variables are there already', { container: textOf(container['name']) ?? '', leftAlone: String(isComplete) })
  if (isComplete) return []
  const added: EnvVar[] = [
    ...(injection.regionalSts && !has.has(regionalStsName) ? [regionalSts] : []),
    ...(hasRegion ? [] : layout.regions),
    ...(hasPair ? [] : layout.pair),
  ]
  return [
    ...appendAll(env, added),
    // Whoever sets the variables knows what is mounted where they point.
    ...mountOperations(container, path, layout, hasPair ? { ...tell, broken: tell.warn } : tell),
  ]
}

function mountOperations(container: PatchObject, path: string, layout: Layout, { warn, broken }: Tell): AddOperation[] {
  const { volumeName, mountPath } = layout
  const mounts = readList(container, path, 'volumeMounts')
  if (mounts.items.some(mount => mount['name'] === volumeName)) return []
  const where = { container: textOf(container['name']) ?? '', path: mountPath }
  // The API server compares paths letter by letter (F-04), and takes no device and mount of one volume or at one path.
  const devices = readList(container, path, 'volumeDevices').items
  if (
    mounts.items.some(mount => mount['mountPath'] === mountPath) ||
    devices.some(device => device['devicePath'] === mountPath || device['name'] === volumeName)
  ) {
    broken('something else is mounted where the token belongs: the container is given the role and no token for it', where)
    return []
  }
  // Spelled otherwise it is the same place in the container, and a pod that the API server takes: as upstream has it.
  if (mounts.items.some(mount => cleanPath(textOf(mount['mountPath']) ?? '') === layout.cleanMountPath))
    warn('something else is mounted where the token is mounted as well', where)
  return appendAll(mounts, [layout.mount])
}

/** Of each set of flags, the layouts that pods were given last. */
const layouts = new WeakMap<AwsWebhookOptions, BoundedCache<string, Layout>>()
const layoutsMax = 1_000

/** The life of container credentials differs from pod to pod. Lengths stand before texts: no two identities have one key. */
function heldLayout(injection: Injection, flags: AwsWebhookOptions, windows: boolean): Layout {
  const { method, expirationSeconds, roleArn, audience } = injection
  if (method === 'container-credentials') return layoutOf(injection, flags, windows)
  let held = layouts.get(flags)
  if (held === undefined) layouts.set(flags, (held = new BoundedCache(layoutsMax)))
  const key = `${windows ? 'w' : 'l'}${expirationSeconds}:${roleArn.length}:${roleArn}${audience}`
  return held.getOrMake(
    key,
    () => layoutOf(injection, flags, windows),
    () => 1,
  )
}

function layoutOf(injection: Injection, flags: AwsWebhookOptions, windows: boolean): Layout {
  const { volumeName, mountPath, tokenPath, names, value } = placeOf(injection, flags)
  const tokenFile = tokenFileOf(mountPath, tokenPath, windows)
  const token: PatchObject = {
    ...(injection.audience === '' ? {} : { audience: injection.audience }),
    // At most 2^32, so that a number holds it exactly.
    expirationSeconds: Number(injection.expirationSeconds),
    path: tokenPath,
  }
  const regions = flags.defaultRegion === '' ? [] : regionNames.map(name => variable(name, flags.defaultRegion))
  return {
    volumeName,
    token,
    volume: Object.freeze({ name: volumeName, projected: { sources: [{ serviceAccountToken: token }] } }),
    mountPath,
    cleanMountPath: cleanPath(mountPath),
    mount: Object.freeze({ name: volumeName, readOnly: true, mountPath }),
    pair: [variable(names[0], value), variable(names[1], tokenFile)],
    regions,
  }
}

interface Place {
  readonly volumeName: string
  readonly mountPath: string
  readonly tokenPath: string
  /** Of the pair: of the value, and of where the token lies. */
  readonly names: readonly [string, string]
  readonly value: string
}

function placeOf({ method, roleArn }: Injection, flags: AwsWebhookOptions): Place {
  if (method === 'container-credentials') {
    const { fullUri, ...place } = flags.containerCredentials
    const names = ['AWS_CONTAINER_CREDENTIALS_FULL_URI', 'AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE'] as const
    return { ...place, names, value: fullUri }
  }
  const names = ['AWS_ROLE_ARN', 'AWS_WEB_IDENTITY_TOKEN_FILE'] as const
  return {
    volumeName: webIdentityVolume,
    mountPath: flags.tokenMountPath,
    tokenPath: webIdentityTokenPath,
    names,
    value: roleArn,
  }
}

function variable(name: string, value: string): EnvVar {
  return Object.freeze({ name, value })
}

/** As the container's environment names it: with backslashes on Windows. */
function tokenFileOf(mountPath: string, tokenPath: string, windows: boolean): string {
  // What is empty is no part of a path.
  const file = cleanPath([mountPath, tokenPath].filter(part => part !== '').join('/'))
  return windows ? `C:${file.replaceAll('/', '\\')}` : file
}

function isWindows(spec: PatchObject, flags: AwsWebhookOptions): boolean {
  const selector = isObject(spec['nodeSelector']) ? spec['nodeSelector'] : {}
  if (selector['kubernetes.io/os'] === 'windows' || selector['beta.kubernetes.io/os'] === 'windows') return true
  return flags.windowsFromPodOs && isObject(spec['os']) && spec['os']['name'] === 'windows'
}

const isClean = /^(?:\/[^/.][^/]*)+$/

/** A slash path without empty and `.` parts, `..` resolved, no slash at the end. */
function cleanPath(path: string): string {
  // Nearly all are.
  if (isClean.test(path)) return path
  const rooted = path.startsWith('/')
  const kept: string[] = []
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (part === '..' && (rooted || (kept.length > 0 && kept.at(-1) !== '..'))) kept.pop()
    else kept.push(part)
  }
  return `${rooted ? '/' : ''}${kept.join('/')}` || '.'
}

function textOf(value: PatchValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}
