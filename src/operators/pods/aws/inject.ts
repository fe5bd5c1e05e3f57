// Injection into a pod: environment, volume, mounts and the label, as additions only (§2.4-2.6, §6).
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

interface Layout {
  readonly volumeName: string
  readonly mountPath: string
  readonly mount: PatchObject
  readonly tokenPath: string
  /** As the container's environment names it: with backslashes on Windows. */
  readonly tokenFile: string
  /** The pair that this method sets: both or neither. */
  readonly pair: readonly [EnvVar, EnvVar]
}

type EnvVar = { readonly name: string; readonly value: string }

const regionNames = ['AWS_DEFAULT_REGION', 'AWS_REGION']
const regionalStsName = 'AWS_STS_REGIONAL_ENDPOINTS'

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
  const layout = layoutOf(injection, flags, isWindows(spec, flags))
  const annotations = isObject(metadata['annotations']) ? metadata['annotations'] : {}
  const listed = (name: string) => readSkipContainers(textOf(annotations[`${flags.annotationPrefix}/${name}`]))
  const skipped = listed('skip-containers')
  const included = flags.onlyIncludedContainers ? listed('include-containers') : undefined
  const isLeftAlone = (name: string): boolean => skipped.has(name) || included?.has(name) === false
  const containers = ['initContainers', 'containers'].flatMap(field =>
    readList(spec, '/spec', field).items.flatMap((container, index) => {
      const name = textOf(container['name']) ?? ''
      if (!isObject((spec[field] as readonly PatchValue[])[index])) return []
      if (!isLeftAlone(name)) return injectContainer(container, `/spec/${field}/${index}`, { injection, layout, flags, tell })
      tell.note('the annotations of the pod leave the container out', { container: name })
      return []
    }),
  )
  return [
    ...(injection.method === 'container-credentials' ? labelOperations(pod, metadata) : []),
    ...volumeOperations(spec, injection, layout, tell.warn),
    ...containers,
  ]
}

function labelOperations(pod: PatchObject, metadata: PatchObject): AddOperation[] {
  if (!isObject(pod['metadata'])) return [{ op: 'add', path: '/metadata', value: { labels: { [podIdentityLabel]: 'enabled' } } }]
  return setEntry(metadata, '/metadata', 'labels', podIdentityLabel, 'enabled')
}

function volumeOperations(spec: PatchObject, injection: Injection, layout: Layout, warn: Warn): AddOperation[] {
  const volumes = readList(spec, '/spec', 'volumes')
  const source: PatchObject = {
    ...(injection.audience === '' ? {} : { audience: injection.audience }),
    // At most 2^32, so that a number holds it exactly.
    expirationSeconds: Number(injection.expirationSeconds),
    path: layout.tokenPath,
  }
  const held = volumes.items.find(volume => volume['name'] === layout.volumeName)
  if (held === undefined)
    return [prepend(volumes, { name: layout.volumeName, projected: { sources: [{ serviceAccountToken: source }] } })]
  if (!isTokenVolume(held, source))
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
  readonly flags: AwsWebhookOptions
  readonly tell: Tell
}

function injectContainer(container: PatchObject, path: string, work: Work): AddOperation[] {
  const { injection, layout, flags, tell } = work
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
    ...(injection.regionalSts && !has.has(regionalStsName) ? [{ name: regionalStsName, value: 'regional' }] : []),
    ...(flags.defaultRegion !== '' && !hasRegion ? regionNames.map(name => ({ name, value: flags.defaultRegion })) : []),
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
  if (mounts.items.some(mount => cleanPath(textOf(mount['mountPath']) ?? '') === cleanPath(mountPath)))
    warn('something else is mounted where the token is mounted as well', where)
  return appendAll(mounts, [layout.mount])
}

function layoutOf(injection: Injection, flags: AwsWebhookOptions, windows: boolean): Layout {
  if (injection.method === 'container-credentials') {
    const { volumeName, mountPath, tokenPath, fullUri } = flags.containerCredentials
    const tokenFile = tokenFileOf(mountPath, tokenPath, windows)
    return {
      volumeName,
      mountPath,
      mount: mountOf(volumeName, mountPath),
      tokenPath,
      tokenFile,
      pair: [
        { name: 'AWS_CONTAINER_CREDENTIALS_FULL_URI', value: fullUri },
        { name: 'AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE', value: tokenFile },
      ],
    }
  }
  const tokenFile = tokenFileOf(flags.tokenMountPath, webIdentityTokenPath, windows)
  return {
    volumeName: webIdentityVolume,
    mountPath: flags.tokenMountPath,
    mount: mountOf(webIdentityVolume, flags.tokenMountPath),
    tokenPath: webIdentityTokenPath,
    tokenFile,
    pair: [
      { name: 'AWS_ROLE_ARN', value: injection.roleArn },
      { name: 'AWS_WEB_IDENTITY_TOKEN_FILE', value: tokenFile },
    ],
  }
}

function mountOf(name: string, mountPath: string): PatchObject {
  return { name, readOnly: true, mountPath }
}

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
