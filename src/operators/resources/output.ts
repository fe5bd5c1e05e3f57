// Secrets that AWS makes and that belong into a Secret: whether they are there, and the write that brings them there. The Secret carries a
// mark of the version that it has, so that a crash between the two only fetches them again.

import type { AwsClients } from '#aws/client'
import type { Random } from '#base'
import { type ObjectKey, renderKey, secrets } from '#kube'
import type { ActContext } from '#runtime'
import type { OutputAction, ResourcePlan } from './actions.ts'
import { annotations, type Resource } from './api.ts'
import { statusOf } from './at-rest.ts'
import type { Case } from './decide.ts'
import { tell } from './events.ts'
import { refusedTarget, refusedUnread, type WriteRules } from './exports/target.ts'
import type { Deviation, SecretKey, SecretOutput } from './kinds/deviation.ts'
import type { KindModel } from './model/kind-model.ts'
import type { Content } from './model/request.ts'
import type { Settings } from './options.ts'
import type { Holder } from './protected-objects.ts'
import { unusable } from './unusable.ts'
import { clientChoice, dependencyOf } from './world.ts'

export type SecretObject = Holder

/** What a decision knows of the Secret. */
export type Output =
  | { readonly kind: 'none' }
  | { readonly kind: 'unusable'; readonly message: string }
  | { readonly kind: 'found'; readonly target: SecretKey; readonly secret: SecretObject }

export interface OutputReads {
  read(key: ObjectKey): Promise<SecretObject | undefined>
  readonly rules: WriteRules
}

/** Those that programs which serve a certificate read. */
const secretTypes = ['Opaque', 'kubernetes.io/tls']

export async function readOutput({ output }: Deviation, claim: Resource, reads: OutputReads): Promise<Output> {
  const target = claim.metadata.deletionTimestamp === undefined ? output?.target(claim) : undefined
  if (target === undefined) return { kind: 'none' }
  const asked = { kind: 'Secret', key: target, from: claim.metadata.namespace ?? '', secretTypes } as const
  const unread = refusedUnread(asked, reads.rules)
  if (unread !== undefined) return { kind: 'unusable', message: unread.message }
  const secret = await reads.read(target)
  const refused = refusedTarget(asked, secret)
  if (refused !== undefined) return { kind: 'unusable', message: refused.message }
  if (secret === undefined) return { kind: 'unusable', message: `kubernetes secret not found: ${renderKey(target)}` }
  return { kind: 'found', target, secret }
}

/** What is still to be done; `undefined` when the Secret has what AWS has, or nobody asks for it. */
export function planOutput(one: Case, latest: Content): ResourcePlan | undefined {
  const { deviation, seen, model, place } = one
  const version = deviation.output?.version(latest)
  if (deviation.output === undefined || version === undefined || seen.output.kind === 'none') return undefined
  if (seen.output.kind === 'unusable') return { ...unusable(one, seen.output.message), status: statusOf(one, latest) }
  const { target, secret } = seen.output
  const mark = `${latest.arn ?? ''} ${version}`
  if (hasAll(deviation.output, target, secret) && secret.metadata.annotations?.[annotations.exported] === mark) return undefined
  const action: OutputAction = {
    kind: 'act:output',
    place,
    latest,
    target,
    secretUid: secret.metadata.uid,
    secretVersion: secret.metadata.resourceVersion,
    mark,
    summary: `export ${model.kind.kind} into Secret ${renderKey(target)}`,
    dependency: dependencyOf(model, place),
  }
  const next = { kind: 'look-again', afterMs: 0, why: 'see what was exported' } as const
  const exported = tell(one.claim, 'Exported', `into Secret ${renderKey(target)}`)
  return { actions: [action, exported], conditions: [], status: statusOf(one, latest), next }
}

function hasAll({ alsoKeys }: SecretOutput, { key }: SecretKey, { data = {} }: SecretObject): boolean {
  return [key, ...alsoKeys].every(name => data[name] !== undefined && data[name] !== '')
}

export interface OutputOptions {
  readonly model: KindModel
  readonly settings: Settings
  readonly aws: AwsClients
  readonly random: Random
  readonly output: SecretOutput
}

export async function carryOutOutput(action: OutputAction, context: ActContext, options: OutputOptions): Promise<void> {
  const { model, settings, aws, random, output } = options
  const client = aws.for(clientChoice({ model, settings, place: action.place }))
  const values = await output.fetch((operation, input) => client.call(operation, input, { signal: context.signal }), {
    latest: action.latest,
    key: action.target.key,
    random,
  })
  const data = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, Buffer.from(String(value), 'utf8').toString('base64')]),
  )
  const { namespace, name } = action.target
  const body = { metadata: { annotations: { [annotations.exported]: action.mark } }, data }
  context.checkFence()
  const { secretUid: uid, secretVersion: resourceVersion } = action
  // Of the very version that was judged: one that became somebody else's meanwhile is judged anew.
  await context.carryOut({ kind: 'patch', type: secrets, key: { namespace, name }, patch: 'merge', body, uid, resourceVersion })
}
