// What a decision about one Role has, with nothing special about it; and a plan in one line, so that a table of decisions can be read.
import { parseAccountId } from '#aws'
import type { Action, Plan } from '#runtime'
import { conditions, ownerTag, type Resource } from '../api.ts'
import type { ResourceAction, ResourcePlan } from '../decide/actions.ts'
import type { Deviation } from '../kinds/deviation.ts'
import { deviationOf } from '../kinds/deviations.ts'
import type { KindModel } from '../model/kind-model.ts'
import type { Content } from '../model/request.ts'
import { type ResourcesOptions, settingsOf } from '../options.ts'
import type { InAws, Rules, Seen, Situation } from '../seen/seen.ts'
import { modelOf } from './parts.ts'
import { trust } from './world.ts'

export const uid = 'u1'
export const arn = 'arn:aws:iam::111122223333:role/one'
export const now = 1_700_000_000_000

/** Tags as AWS tells them. */
export function tagsOf(owner: string | undefined): object {
  return owner === undefined ? {} : { tags: [{ key: ownerTag, value: owner }] }
}

export interface Circumstances {
  readonly model?: KindModel
  readonly deviation?: Deviation
  readonly settings?: Partial<ResourcesOptions>
  readonly annotations?: Readonly<Record<string, string>>
  /** Of the claim, beside what every claim that has its resource says. */
  readonly metadata?: object
  readonly spec?: object
  readonly status?: object | undefined
  readonly seen?: Partial<Seen>
  readonly now?: number
}

const role = modelOf('iam', 'Role')
/** With what AWS would choose, so that there is nothing to fill in. */
const manifest = { name: 'one', assumeRolePolicyDocument: trust(), path: '/', maxSessionDuration: 3_600 }
const place = { account: parseAccountId('111122223333'), partition: 'aws', region: 'eu-west-1' }

/** A Role that was made, is on record and held. */
export function claimOf({ model = role, annotations = {}, metadata, spec, ...more }: Circumstances): Resource {
  const made = { ackResourceMetadata: { arn, ownerAccountID: place.account, region: place.region } }
  const status = 'status' in more ? more.status : made
  return {
    apiVersion: `${model.type.group}/${model.type.version}`,
    kind: model.type.kind,
    metadata: {
      namespace: 'default',
      name: 'one',
      uid,
      resourceVersion: '7',
      generation: 1,
      finalizers: [model.finalizer],
      annotations,
      ...metadata,
    },
    spec: { ...manifest, ...spec },
    ...(status === undefined ? {} : { status }),
  } as Resource
}

/** What AWS tells of it: as the manifest says, with our mark. */
export function present(spec: object = {}, more: Partial<Content> = {}): InAws {
  return { kind: 'present', content: { spec: { ...manifest, ...tagsOf(uid), ...spec }, status: {}, arn, ...more } }
}

export const absent: InAws = { kind: 'absent' }

export function rulesOf({ model = role, deviation = deviationOf(model.id), settings = {} }: Circumstances): Rules {
  const options = { services: [], home: place, aws: undefined as never, nowMs: () => now, ...settings }
  return { model, deviation, settings: settingsOf(options) }
}

export function seenOf(circumstances: Circumstances): Seen {
  const claim = claimOf(circumstances)
  return {
    claim,
    place: { kind: 'chosen', place },
    namespaceAnnotations: {},
    references: { kind: 'resolved', spec: {}, notices: [], hasReferences: false },
    secrets: { kind: 'read', spec: {}, hash: undefined },
    output: { kind: 'none' },
    adoption: { kind: 'none' },
    wanted: { spec: { ...claim.spec, ...tagsOf(uid) }, status: {}, arn: claim.status?.ackResourceMetadata?.arn },
    inAws: present(),
    notes: {},
    glance: undefined,
    olderOwner: undefined,
    markHolder: undefined,
    ...circumstances.seen,
  }
}

export function situationOf(circumstances: Circumstances): Situation {
  const seen = seenOf(circumstances)
  return { ...rulesOf(circumstances), seen, claim: claimOf(circumstances), place, now: circumstances.now ?? now }
}

/** `wait Reason in 5000`, `CreateRole, note createdMs, event Created; Synced=False Creating; again in 0`. */
export function inOneLine(plan: ResourcePlan): string {
  const said = plan.conditions.filter(({ type }) => type !== conditions.ready)
  return [
    plan.actions.map(does).join(', '),
    said.map(({ type, status, reason }) => `${type.replace('ACK.', '')}=${status} ${reason}`).join(', '),
    nextOf(plan),
  ]
    .filter(part => part !== '')
    .join('; ')
}

function does(action: Action<ResourceAction>): string {
  switch (action.kind) {
    case 'act:aws':
      return (action as Extract<ResourceAction, { kind: 'act:aws' }>).call.operation
    case 'act:trouble': {
      const { kind, reason, retryAfterMs } = (action as Extract<ResourceAction, { kind: 'act:trouble' }>).trouble
      return `${kind} ${reason}${retryAfterMs === undefined ? '' : ` in ${retryAfterMs}`}`
    }
    case 'act:note': {
      const { notes } = action as Extract<ResourceAction, { kind: 'act:note' }>
      return notes === 'forget' ? 'forget' : `note ${Object.keys(notes).join(' ')}`
    }
    case 'record-event':
      return `event ${(action as unknown as { readonly reason: string }).reason}`
    default:
      return action.kind
  }
}

function nextOf({ next }: Plan<ResourceAction>): string {
  return next.kind === 'look-again' ? `again in ${next.afterMs}` : ''
}
