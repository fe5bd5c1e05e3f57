// The pod webhook in the simulator: two replicas, ServiceAccounts that come, get their role late, lose it and come back under the same
// name, and pods that arrive in the same instant. The webhook writes nothing: what it is judged by is what it lets in (S20).
import { given } from '#base'
import { applyJsonPatch, type KubeObject } from '#kube'
import { createKubeClient } from '#kube/client'
import { configMapName, createPodWebhook, defaultWebhookSettings, type PodWebhook } from '#operators/pods'
import type { Deed, ProcessContext, Subject, World } from '#simulator'
import { edits, puts, removes } from './deeds.ts'

export const cluster: string = 'cluster'
export const namespace: string = 'apps'
export const prefix: string = 'eks.amazonaws.com'
const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`
const configMap = `/api/v1/namespaces/${namespace}/configmaps/${configMapName}`
/** The API server waits as long for a webhook. */
const callTimeoutMs = 10_000
const retryMs = 1_000
/** So short that most pods of this script are answered by the watch alone, and confirmed behind the answer. */
const steadyAfterMs = 1_500
/** After so many seconds awake whatever was found behind an answer has been told: a turn comes within four, and no read takes longer than five. */
const tellWithinSeconds = 10

/** Names of ServiceAccounts whose owner says that a role is coming: their pods are never let in without. */
const required = new Set(['both', 'slow'])
/** What `isPromised` of the process that binds roles says. */
const promised = new Set(['bound'])

export interface Running {
  readonly epoch: number
  readonly webhook: PodWebhook
}

/** The webhook of each process of the run under way: runs follow each other, and each starts its processes anew. */
const running = new Map<string, Running>()

export const podWebhookSubject: Subject = {
  name: 'pod-webhook',
  servers: [cluster],
  objects: () => [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace }, spec: { finalizers: ['kubernetes'] } } as KubeObject,
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name: configMapName }, data: { config: '{}' } } as KubeObject,
  ],
  replicas: 2,
  start,
  script: [
    // One `kubectl apply`: the ServiceAccount, its pod, and the role seconds later.
    { ...createAccount('both', 2_000), creates: true },
    pod('both', 2_000),
    annotate('both', 'first', 7_000),
    { ...createAccount('bound', 2_000), creates: true },
    pod('bound', 2_500),
    annotate('bound', 'first', 4_000),
    // No promise: whoever asks after the role is readable gets it, however late the watch is.
    { ...createAccount('plain', 3_000), creates: true },
    pod('plain', 3_000),
    annotate('plain', 'first', 5_000),
    pod('plain', 5_001),
    pod('plain', 5_500),
    // All at once.
    createAccount('born', 6_000, 'first'),
    pod('born', 6_001),
    pod('nobody', 6_500),
    // Longer than any pod waits: refused, tried again, let in at last.
    createAccount('slow', 8_000),
    pod('slow', 8_000),
    annotate('slow', 'first', 29_000),
    // The same name again, with another role.
    remove('born', 10_000),
    createAccount('born', 12_000, 'second'),
    pod('born', 12_001),
    annotate('plain', 'second', 14_000),
    pod('plain', 15_000),
    // A role that the ConfigMap names, for a ServiceAccount that is known without.
    createAccount('mapped', 15_000),
    pod('mapped', 15_500),
    map({ [`${namespace}/mapped`]: 'first' }, 16_000),
    pod('mapped', 16_001),
    pod('mapped', 16_500),
    map({ '*/mapped': 'second', '*/nobody': 'second' }, 18_000),
    pod('mapped', 18_001),
    pod('nobody', 18_001),
  ],
  disturbances: [
    { ...annotate('both', 'other', undefined), fault: 'F18' },
    { ...remove('born', undefined), fault: 'F19' },
    { ...createAccount('born', undefined, 'third'), fault: 'F19' },
    { ...pod('plain', undefined), fault: 'F18' },
    { ...pod('bound', undefined), fault: 'F18' },
    { ...map({ '*/mapped': 'third' }, undefined), fault: 'F18' },
    { ...pod('mapped', undefined), fault: 'F18' },
  ],
  roleOf: ({ kind }) => (kind === 'ServiceAccount' ? 'claim' : 'other'),
  ownerUidOf: () => undefined,
  purposeOf: () => '',
  isWanted: () => true,
  // Each replica lists afresh every hour or two, in case lines were lost without a trace, and after a watch that fell silent.
  readsAtRestPerMinute: 1,
  finalizer: 'none.example.com/none',
  reasons: [],
  invariants: [],
  unfinished,
  settleMs: 600_000,
  settleStreamsMs: 400_000,
}

async function start({ name, epoch, seams, connect, signal, probe }: ProcessContext): Promise<void> {
  const client = createKubeClient({ clock: seams.clock, address: cluster, exchange: connect(cluster) })
  const isPromised = (key: { name: string }): boolean => promised.has(key.name)
  const lookup = { ...defaultWebhookSettings.lookup, confirmation: { kind: 'read', steadyAfterMs } } as const
  const webhook = createPodWebhook({ client, seams, isPromised, settings: { watchConfigMap: true, namespace, lookup } })
  running.set(name, { epoch, webhook })
  probe.atRest(() => undefined)
  await webhook.run(signal)
  await client.close()
}

/** Pods of this run that are not in yet. */
const waiting = new WeakMap<World, Set<string>>()

function waitingOf(world: World): Set<string> {
  let pods = waiting.get(world)
  if (pods === undefined) waiting.set(world, (pods = new Set()))
  return pods
}

function unfinished(world: World): string | undefined {
  const [first] = waitingOf(world)
  return first === undefined ? undefined : `the pod ${first} is not let in`
}

function pod(account: string, afterMs: number | undefined): Deed {
  const label = `pod of ${account} at ${afterMs ?? 'any time'}`
  return {
    label,
    ...given({ afterMs }),
    run: async world => {
      waitingOf(world).add(label)
      await arrive(world, label, account)
    },
  }
}

/** The API server asks a replica that is ready; without an answer the pod is refused, and whoever wants it tries again (policy Fail). */
async function arrive(world: World, label: string, account: string): Promise<void> {
  const again = (): void =>
    world.parkDeed({ label: `${label} again`, afterMs: retryMs, run: () => arrive(world, label, account) })
  const replica = readyReplica(world)
  if (replica === undefined) return again()
  const readable = roleIn(world, account)
  const toldBefore = toldOf(replica.webhook)
  const answer = await Promise.race([ask(replica.webhook, account), timeOut(world)])
  if (answer === undefined || !isAlive(world, replica) || answer.kind === 'refused') return again()
  waitingOf(world).delete(label)
  world.counts.checked('S20')
  const isRequired = required.has(account) || promised.has(account)
  if (answer.role === arn(evilRole)) return world.fail('S25', `${label} is given the role of a stranger`)
  if (answer.role !== undefined) return
  const hasAccount = world.find(cluster, `${accounts}/${account}`) !== undefined
  if (isRequired && hasAccount) return world.fail('S20', `${label} is let in without the role that its owner requires`)
  if (readable === undefined || readable !== roleIn(world, account) || toldOf(replica.webhook) > toldBefore) return
  // Whoever dies on the way tells nobody, and whoever is stopped tells later.
  const judgeIn = (seconds: number): void => {
    if (!isAlive(world, replica) || toldOf(replica.webhook) > toldBefore) return
    if (seconds === 0)
      return world.fail('S20', `${label} is let in silently without ${readable}, which was readable when it arrived`)
    const isAwake = world.processes.get(replica.name)?.paused === false
    world.scheduler.timer('world', 1_000, () => judgeIn(isAwake ? seconds - 1 : seconds))
  }
  judgeIn(tellWithinSeconds)
}

export interface Replica extends Running {
  readonly name: string
}

export function readyReplica(world: World): Replica | undefined {
  for (const [name, one] of running) {
    const replica = { name, ...one }
    if (isAlive(world, replica) && world.processes.get(name)?.paused === false && one.webhook.isReady) return replica
  }
  return undefined
}

export function isAlive(world: World, { name, epoch }: Replica): boolean {
  const process = world.processes.get(name)
  return process?.alive === true && process.epoch === epoch
}

/** What only a stranger says; see hostile/pods.ts. */
export const evilRole: string = 'evil'

export type Answer = { readonly kind: 'let-in'; readonly role: string | undefined } | { readonly kind: 'refused' }

function ask(webhook: PodWebhook, account: string): Promise<Answer | undefined> {
  const annotations = required.has(account) ? { [`${prefix}/require-role`]: 'true' } : {}
  return askFor(webhook, namespace, { metadata: { name: 'p', annotations }, account })
}

/** A pod as the API server shows it: the namespace of the request is where it is made, whatever it says of itself. */
export async function askFor(
  webhook: PodWebhook,
  at: string,
  { metadata, account }: { readonly metadata: object; readonly account: string },
): Promise<Answer | undefined> {
  const object = { metadata, spec: { serviceAccountName: account, containers: [{ name: 'a' }] } }
  const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request: { uid: 'u', namespace: at, object } }
  const response = await webhook.exchange({
    method: 'POST',
    target: `/mutate?timeout=${callTimeoutMs / 1_000}s`,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(review)),
  })
  if (response.status !== 200) return undefined
  const { response: said } = JSON.parse(Buffer.from(response.body as Uint8Array).toString()) as {
    response: { allowed: boolean; patch?: string }
  }
  if (!said.allowed) return { kind: 'refused' }
  const patch = said.patch === undefined ? [] : (JSON.parse(Buffer.from(said.patch, 'base64').toString()) as unknown[])
  const after = applyJsonPatch(object, patch) as { spec: { containers: { env?: { name: string; value: string }[] }[] } }
  return { kind: 'let-in', role: after.spec.containers[0]?.env?.find(({ name }) => name === 'AWS_ROLE_ARN')?.value }
}

/** What it could not find out in time is told, and so is what it found out too late: both are not silent. */
function toldOf({ metrics }: PodWebhook): number {
  const lookups = metrics.counter('identity_webhook_sa_lookup_total', '')
  const lateRoles = metrics.counter('identity_webhook_late_role_total', '')
  return (
    ['timeout', 'error'].reduce((sum, outcome) => sum + lookups.value({ provider: 'aws', outcome }), 0) +
    ['read', 'watch', 'promise'].reduce((sum, by) => sum + lateRoles.value({ provider: 'aws', brought_by: by }), 0) +
    metrics.counter('identity_webhook_unconfirmed_total', '').value({ provider: 'aws' })
  )
}

export function timeOut(world: World): Promise<undefined> {
  return new Promise(resolve => world.scheduler.timer('world', callTimeoutMs, () => resolve(undefined)))
}

/** What the webhook would find if it read everything in this moment. */
function roleIn(world: World, account: string): string | undefined {
  const annotated = world.find(cluster, `${accounts}/${account}`)?.metadata.annotations?.[`${prefix}/role-arn`]
  if (annotated !== undefined) return annotated
  // Before the first write to it there is nothing in it.
  const written = world.find(cluster, configMap) as (KubeObject & { readonly data: Readonly<Record<string, string>> }) | undefined
  const entries = JSON.parse(written?.data['config'] ?? '{}') as Readonly<Record<string, { readonly RoleARN: string }>>
  return (entries[`${namespace}/${account}`] ?? entries[`*/${account}`])?.RoleARN
}

export function arn(role: string): string {
  return `arn:aws:iam::111122223333:role/${role}`
}

function createAccount(name: string, afterMs: number | undefined, role?: string): Deed {
  const annotations = role === undefined ? {} : { [`${prefix}/role-arn`]: arn(role) }
  const object = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace, name, annotations } }
  return puts(`create ${name} ${role ?? 'without a role'}`, { server: cluster, path: accounts }, object, afterMs)
}

function annotate(name: string, role: string, afterMs: number | undefined): Deed {
  const patch = { metadata: { annotations: { [`${prefix}/role-arn`]: arn(role) } } }
  return edits(`annotate ${name} with ${role}`, { server: cluster, path: `${accounts}/${name}` }, patch, afterMs)
}

/** Replaces what the ConfigMap says. */
function map(roles: Readonly<Record<string, string>>, afterMs: number | undefined): Deed {
  const entries = Object.fromEntries(Object.entries(roles).map(([key, role]) => [key, { RoleARN: arn(role) }]))
  const patch = { data: { config: JSON.stringify(entries) } }
  return edits(`map ${JSON.stringify(roles)}`, { server: cluster, path: configMap }, patch, afterMs)
}

function remove(name: string, afterMs: number | undefined): Deed {
  return removes(`delete ${name}`, { server: cluster, path: `${accounts}/${name}` }, afterMs)
}
