// What of a running pod the webhook has put there: the volume of the token, its mounts, and the pair of variables that points at it. What a
// pod sets by itself is told apart by its place: the webhook adds both variables side by side, and the file that they name is its own.
import { type AwsWebhookOptions, webIdentityVolume } from '../aws/api.ts'
import { isObject, type PatchObject, type PatchValue, readList } from '../patch.ts'

/** Of one container. */
export interface GivenIdentity {
  readonly method: 'web identity' | 'container credentials'
  /** Empty for container credentials, and where the pod names a role itself. */
  readonly roleArn: string
  /** Empty: the token carries none of its own. */
  readonly audience: string
  /** Empty where the container has the token mounted and sets the variables itself. */
  readonly tokenFile: string
}

interface Method {
  readonly method: GivenIdentity['method']
  readonly volume: string
  readonly first: string
  readonly second: string
}

function methodsOf({ containerCredentials }: AwsWebhookOptions): readonly Method[] {
  return [
    {
      method: 'web identity',
      volume: webIdentityVolume,
      first: 'AWS_ROLE_ARN',
      second: 'AWS_WEB_IDENTITY_TOKEN_FILE',
    },
    {
      method: 'container credentials',
      volume: containerCredentials.volumeName,
      first: 'AWS_CONTAINER_CREDENTIALS_FULL_URI',
      second: 'AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE',
    },
  ]
}

const containerLists = ['initContainers', 'containers']

/** By the name of the container. */
export function identityOf(pod: PatchObject, flags: AwsWebhookOptions): ReadonlyMap<string, GivenIdentity> {
  const spec = mapOf(pod['spec'])
  const found = new Map<string, GivenIdentity>()
  for (const method of methodsOf(flags)) {
    const token = tokenOf(spec, method)
    if (token === undefined) continue
    for (const container of containerLists.flatMap(list => readList(spec, '', list).items)) {
      const mountPath = mountPathOf(container, method)
      const at = pairAt(container, method)
      if (mountPath === undefined && at === undefined) continue
      const [first, second] = at === undefined ? ['', ''] : valuesAt(container, at)
      found.set(textOf(container['name']), {
        method: method.method,
        roleArn: method.method === 'web identity' ? first : '',
        audience: textOf(token['audience']),
        tokenFile: second,
      })
    }
  }
  return found
}

/** The pod as it was before: what the webhook would be asked about if the pod were made anew. */
export function withoutIdentity(pod: PatchObject, flags: AwsWebhookOptions): PatchObject {
  const spec = mapOf(pod['spec'])
  const given = methodsOf(flags).filter(method => tokenOf(spec, method) !== undefined)
  const isGiven = (name: PatchValue | undefined): boolean => given.some(({ volume }) => volume === name)
  const lists = containerLists.filter(list => Array.isArray(spec[list]))
  return {
    ...pod,
    spec: {
      ...spec,
      ...(Array.isArray(spec['volumes'])
        ? { volumes: readList(spec, '', 'volumes').items.filter(({ name }) => !isGiven(name)) }
        : {}),
      ...Object.fromEntries(
        lists.map(list => [list, readList(spec, '', list).items.map(container => bare(container, given, isGiven))]),
      ),
    },
  }
}

function bare(container: PatchObject, given: readonly Method[], isGiven: (name: PatchValue | undefined) => boolean): PatchObject {
  const pairs = given.flatMap(method => pairAt(container, method) ?? [])
  const env = readList(container, '', 'env').items.filter((_, index) => !pairs.some(at => index === at || index === at + 1))
  const mounts = readList(container, '', 'volumeMounts').items.filter(({ name }) => !isGiven(name))
  return { ...container, env, volumeMounts: mounts }
}

/** The token's source in the volume of this method; a volume of that name with anything else in it is the pod's own. */
function tokenOf(spec: PatchObject, { volume }: Method): PatchObject | undefined {
  const held = readList(spec, '', 'volumes').items.find(({ name }) => name === volume)
  const [source, ...others] = readList(mapOf(held?.['projected']), '', 'sources').items
  return others.length === 0 && isObject(source?.['serviceAccountToken']) ? source['serviceAccountToken'] : undefined
}

/** Where the pair stands that the webhook has added. */
function pairAt(container: PatchObject, { first, second }: Method): number | undefined {
  const env = readList(container, '', 'env').items
  const at = env.findIndex(({ name, value }) => name === first && typeof value === 'string')
  const next = env[at + 1]
  return at >= 0 && next?.['name'] === second && typeof next['value'] === 'string' ? at : undefined
}

function valuesAt(container: PatchObject, at: number): readonly [string, string] {
  const env = readList(container, '', 'env').items
  return [textOf(env[at]?.['value']), textOf(env[at + 1]?.['value'])]
}

function mountPathOf(container: PatchObject, { volume }: Method): string | undefined {
  const mount = readList(container, '', 'volumeMounts').items.find(({ name }) => name === volume)
  return mount === undefined ? undefined : textOf(mount['mountPath'])
}

export function mapOf(value: PatchValue | undefined): PatchObject {
  return isObject(value) ? value : {}
}

export function textOf(value: PatchValue | undefined): string {
  return typeof value === 'string' ? value : ''
}
