// Which labelled pods run with another Azure identity than they would get if they were made now. What a pod has is read off its variables and
// its token; what it would get is the webhook's own decision on the same pod without what it has.
import { applyJsonPatch, type KubeObject } from '#kube'
import { type AzureWebhookOptions, classicVolume, layoutPaths, mirrorPodAnnotation, reservedPrefix } from '../azure/api.ts'
import { hasUseLabel } from '../azure/decide-review.ts'
import { identityVariableNames } from '../azure/environment.ts'
import { isObject, type PatchObject, type PatchValue, readList } from '../patch.ts'
import { textOf } from '../review.ts'
import { type AccountAnnotations, annotationsOfAccounts, azureVerdict } from './mutate-azure.ts'
import { type Audit, audited, differencesByContainer, isRunning } from './outdated.ts'

export interface AzureAuditOptions {
  readonly pods: readonly KubeObject[]
  readonly accounts: readonly KubeObject[]
  readonly flags: AzureWebhookOptions
}

export function auditAzurePods({ pods, accounts, flags }: AzureAuditOptions): Audit {
  const known = annotationsOfAccounts(accounts.map(account => ({ ...account, kind: 'ServiceAccount' })))
  return audited(pods.filter(isAsked), pod => differencesOf(pod, known, flags))
}

function isAsked(pod: KubeObject): boolean {
  return isRunning(pod) && hasUseLabel({ metadata: { labels: pod.metadata.labels ?? {} } }) && !isMirror(pod)
}

function isMirror({ metadata }: KubeObject): boolean {
  return metadata.annotations?.[mirrorPodAnnotation] !== undefined
}

function differencesOf(pod: PatchObject, accounts: AccountAnnotations, flags: AzureWebhookOptions): readonly string[] {
  const metadata = isObject(pod['metadata']) ? pod['metadata'] : {}
  const bare = withoutAzure(pod)
  const verdict = azureVerdict(
    { namespace: textOf(metadata['namespace']), object: bare },
    // A proxy that is there is left as it is, whatever the API server knows.
    { accounts, flags, hasNativeSidecars: true, warn: () => {} },
  )
  if (verdict.kind !== 'allow') return [`would be refused today: ${verdict.message}`]
  const today: PatchValue = JSON.parse(JSON.stringify(applyJsonPatch(bare, verdict.operations)))
  return differencesByContainer(identitiesOf(pod), isObject(today) ? identitiesOf(today) : new Map(), differenceOf)
}

/** Of one container: its variables by name, and whom its token is for. */
type AzureGiven = Readonly<Record<string, string>>

const containerLists = ['initContainers', 'containers']
const tokenFiles: ReadonlySet<string> = new Set(
  Object.values(layoutPaths).map(({ mountPath, tokenPath }) => `${mountPath}/${tokenPath}`),
)
const tokenFileName = 'AZURE_FEDERATED_TOKEN_FILE'

function identitiesOf(pod: PatchObject): ReadonlyMap<string, AzureGiven> {
  const spec = isObject(pod['spec']) ? pod['spec'] : {}
  const audience = readList(spec, '', 'volumes').items.flatMap(audienceIn)[0] ?? ''
  return new Map(
    containerLists.flatMap(list =>
      readList(spec, '', list).items.flatMap(container => {
        const values = Object.fromEntries(
          readList(container, '', 'env')
            .items.filter(({ name }) => identityVariableNames.has(textOf(name)))
            .map(({ name, value }) => [textOf(name), textOf(value)]),
        )
        return Object.keys(values).length === 0 ? [] : [[textOf(container['name']), { ...values, audience }] as const]
      }),
    ),
  )
}

function audienceIn(volume: PatchObject): readonly string[] {
  if (!isTokenVolume(volume['name'])) return []
  const projected = isObject(volume['projected']) ? volume['projected'] : {}
  return readList(projected, '', 'sources').items.flatMap(({ serviceAccountToken }) =>
    isObject(serviceAccountToken) ? [textOf(serviceAccountToken['audience'])] : [],
  )
}

function isTokenVolume(name: PatchValue | undefined): boolean {
  const text = textOf(name)
  return text === classicVolume || text.startsWith(`${classicVolume}-`) || text.startsWith(reservedPrefix)
}

/** The pod as it was before, as far as it is compared: mounts of the token stay, since variables are given whatever is mounted. */
function withoutAzure(pod: PatchObject): PatchObject {
  const spec = isObject(pod['spec']) ? pod['spec'] : {}
  const lists = ['volumes', ...containerLists].filter(list => Array.isArray(spec[list]))
  const kept = (list: string): readonly PatchObject[] => {
    const { items } = readList(spec, '', list)
    return list === 'volumes' ? items.filter(({ name }) => !isTokenVolume(name)) : items.map(bareContainer)
  }
  return { ...pod, spec: { ...spec, ...Object.fromEntries(lists.map(list => [list, kept(list)])) } }
}

function bareContainer(container: PatchObject): PatchObject {
  const env = readList(container, '', 'env').items
  const [from, to] = addedRun(env)
  return { ...container, env: [...env.slice(0, from), ...env.slice(to)] }
}

/** Where the variables stand that the webhook has added: side by side, around the one that names its own file. */
function addedRun(env: readonly PatchObject[]): readonly [number, number] {
  const at = env.findIndex(({ name, value }) => name === tokenFileName && tokenFiles.has(textOf(value)))
  if (at < 0) return [env.length, env.length]
  const isOurs = (index: number): boolean => identityVariableNames.has(textOf(env[index]?.['name']))
  let [from, to] = [at, at]
  while (isOurs(from - 1)) from--
  while (isOurs(to)) to++
  return [from, to]
}

const words: Readonly<Record<string, string>> = {
  AZURE_CLIENT_ID: 'client id',
  AZURE_TENANT_ID: 'tenant',
  AZURE_AUTHORITY_HOST: 'authority',
  [tokenFileName]: 'token file',
  audience: 'audience of the token',
}

function differenceOf(has: AzureGiven | undefined, wouldGet: AzureGiven | undefined): readonly string[] {
  if (has === undefined) return ['has no identity and would get one']
  if (wouldGet === undefined) return ['has an identity and would get none']
  return Object.entries(words)
    .filter(([name]) => (has[name] ?? '') !== (wouldGet[name] ?? ''))
    .map(([name, what]) => `has the ${what} ${quoted(has[name])} and would get ${quoted(wouldGet[name])}`)
}

function quoted(value: string | undefined): string {
  return value === undefined || value === '' ? 'none' : value
}
