// What the upstream Azure webhook answered to recorded reviews, held against ours. The recordings are not part of this repository: they lie
// in ../shared beside the checkout, or where VOUCH_SHARED names them.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import {
  type AzureReply,
  type AzureSetting,
  openAzure,
  type PodShape,
  patched,
  post,
  settingsOf,
} from '../testing/azure-world.ts'

interface Setting extends AzureSetting {
  readonly release: 'v1.5.1' | 'v1.6.0'
  readonly serverVersion: string
}

interface Recorded {
  readonly id: string
  readonly why: string
  readonly settings: string
  readonly serviceAccounts: readonly { metadata: { namespace: string; name: string; annotations?: Record<string, string> } }[]
  readonly review?: { readonly apiVersion?: string; readonly request: { readonly namespace: string; readonly object: PodShape } }
  readonly body?: string
  readonly contentType?: string
  readonly answer: {
    readonly http: number
    readonly allowed: boolean
    readonly code: number
    readonly message?: string
    readonly reply: { readonly apiVersion: string | null; readonly kind: string | null; readonly uid: string }
    readonly additive?: PodShape
    readonly pod?: PodShape
    readonly again?: boolean
    readonly lost?: readonly string[]
    readonly replaced?: readonly string[]
    readonly zeros?: readonly string[]
    readonly rewritten?: readonly string[]
    readonly kas?: { readonly before: string | null; readonly after: string | null }
  }
}

interface Recording {
  readonly settings: Readonly<Record<string, Setting>>
  readonly vectors: readonly Recorded[]
  readonly upstreamTests: readonly Recorded[]
  readonly starts: readonly { id: string; why: string; setting: Setting; starts: boolean; message?: string }[]
}

const file = join(
  resolve(process.env['VOUCH_SHARED'] ?? join(import.meta.dirname, '..', '..', '..', '..', '..', 'shared')),
  'vectors/azure-webhook.json',
)
const isHere = existsSync(file)
const skip = isHere ? false : `skipped: the recorded answers are not here (${file}; VOUCH_SHARED names another folder)`
const recording = isHere
  ? (JSON.parse(readFileSync(file, 'utf8')) as Recording)
  : { settings: {}, vectors: [], upstreamTests: [], starts: [] }

describe('the Azure webhook gives the pod that its upstream gives [P1]', { skip }, () => {
  for (const recorded of [...recording.vectors, ...recording.upstreamTests])
    it(`as recorded under ${recorded.id}: ${recorded.why}`, t => holds(t, recorded))
})

describe('the Azure webhook starts where its upstream starts [§3.20]', { skip }, () => {
  for (const { id, why, setting, starts, message } of recording.starts)
    it(`as recorded under ${id}: ${why}`, async t => {
      const trouble = await startTrouble(t, setting)
      assert.equal(trouble === undefined, starts, trouble)
      if (message !== undefined) assert.equal(trouble, message)
    })
})

async function startTrouble(t: TestContext, setting: Setting): Promise<string | undefined> {
  try {
    settingsOf(laidOut(setting))
  } catch (error) {
    return (error as Error).message
  }
  return (await openAzure(t, laidOut(setting))).fatal[0]
}

function laidOut(setting: Setting): Setting {
  return { ...setting, flags: { ...setting.flags, 'volume-layout': setting.release === 'v1.5.1' ? 'classic' : 'reserved' } }
}

async function holds(t: TestContext, recorded: Recorded): Promise<void> {
  const { answer, review } = recorded
  const setting = laidOut(recording.settings[recorded.settings] as Setting)
  const accounts = Object.fromEntries(
    recorded.serviceAccounts.map(({ metadata }) => [`${metadata.namespace}/${metadata.name}`, metadata.annotations ?? {}]),
  )
  const world = await openAzure(t, { ...setting, accounts })
  const posted = recorded.contentType === undefined ? {} : { contentType: recorded.contentType }
  const reply = await post(world, { ...posted, body: recorded.body ?? JSON.stringify(review) })
  assert.equal(reply.http, answer.http)
  assertEnvelope(reply, recorded)
  // A mirror pod is let in as it is, whatever upstream finds wrong with it (F-26).
  if (recorded.why.includes('mirror pod') && review !== undefined) return assertCorrected(review.request.object, reply)
  if (!answer.allowed || review === undefined) return assertDenied(reply, answer.message ?? '')
  const { object } = review.request
  if (isCorrected(recorded)) return assertCorrected(object, reply)
  assert.equal(reply.response?.allowed, true, reply.response?.status?.message)
  assert.equal(reply.response?.status?.code, answer.code)
  const pod = patched(object, reply)
  assert.deepEqual(normal(pod), normal(answer.additive ?? object))
  // What upstream's types drop, or write in another form, is the user's and stays; what is empty stays unless it is ours to fill; what
  // upstream replaces on purpose is replaced.
  for (const pointer of [...(answer.lost ?? []), ...(answer.rewritten ?? [])])
    assert.ok(JSON.stringify(pod).includes(JSON.stringify(at(object, pointer))), `${pointer} is lost`)
  for (const pointer of answer.zeros ?? []) assert.deepEqual(at(pod, pointer), at(answer.additive, pointer), pointer)
  for (const pointer of answer.replaced ?? []) assert.notDeepEqual(at(pod, pointer), at(object, pointer), pointer)
  const { request, ...envelope } = review
  const second = await post(world, { body: JSON.stringify({ ...envelope, request: { ...request, object: pod } }) })
  assert.equal(second.response?.patch === undefined, answer.again ?? true, 'a second pass changes something')
}

/** The reply repeats what the request says it is; to what cannot be read upstream says nothing of itself, and we the version that is asked for. */
function assertEnvelope(reply: AzureReply, { answer }: Recorded): void {
  assert.deepEqual(
    [reply.apiVersion, reply.kind, reply.response?.uid],
    [answer.reply.apiVersion ?? 'admission.k8s.io/v1', answer.reply.kind ?? 'AdmissionReview', answer.reply.uid],
  )
}

/** What a decoder says of bad input is its own; all other sentences are the contract. */
function assertDenied({ response }: AzureReply, message: string): void {
  assert.deepEqual([response?.allowed, response?.status?.code, response?.patch], [false, 400, undefined])
  const said = response?.status?.message ?? ''
  const decoding = /^(json: cannot |couldn't get version\/kind; json parse error: )/
  if (decoding.test(message)) assert.match(said, decoding)
  else assert.equal(said, message)
}

/** Where upstream's pod is refused by the API server though the user's was good, the table of faults decides (§13). */
function isCorrected({ answer }: Recorded): boolean {
  return answer.kas?.before === null && answer.kas.after !== null
}

/** Let in as a pod that the API server takes, or refused with a sentence. */
function assertCorrected(object: PodShape, reply: AzureReply): void {
  if (reply.response?.allowed === false) {
    assert.match(
      reply.response.status?.message ?? '',
      /^proxy sidecar port -?\d+ not valid\. Expected value to be between 1 and 65535$/,
    )
    return
  }
  const pod = patched(object, reply)
  if (object.metadata?.annotations?.['kubernetes.io/config.mirror'] !== undefined) return assert.deepEqual(pod, object)
  const volumes = (pod.spec.volumes ?? []).map(({ name }) => name)
  const containers = [...(pod.spec.initContainers ?? []), ...pod.spec.containers]
  assertUnique('volumes', volumes)
  assertUnique(
    'containers',
    containers.map(({ name }) => name),
  )
  for (const { name, volumeMounts = [] } of containers) {
    assertUnique(
      `mounts of ${name}`,
      volumeMounts.map(({ mountPath }) => mountPath),
    )
    for (const mount of volumeMounts) assert.ok(volumes.includes(mount.name), `${name} mounts ${mount.name}, which is no volume`)
  }
}

function assertUnique(what: string, names: readonly string[]): void {
  assert.deepEqual([...new Set(names)], names, `${what} are there twice`)
}

/** What a JSON pointer leads to. */
function at(value: unknown, pointer: string): unknown {
  let found = value
  for (const token of pointer.split('/').slice(1))
    found = (found as Record<string, unknown> | undefined)?.[token.replaceAll('~1', '/').replaceAll('~0', '~')]
  return found
}

/** Lists that are empty, null or absent are the same thing (§0.3). */
function normal(pod: PodShape): unknown {
  const copy = structuredClone(pod) as { metadata?: Record<string, unknown>; spec?: Record<string, unknown> }
  for (const name of ['volumes', 'initContainers', 'containers'])
    if (copy.spec?.[name] === null || (copy.spec?.[name] as unknown[] | undefined)?.length === 0) delete copy.spec?.[name]
  return copy
}
