// The issuer of a self-hosted cluster: signing key, bucket, two documents, provider, in this order, each only when the one before stands
// (§4.2 "Issuer path"). Whoever trusts comes last: a provider is made when there is something true to trust.
import { given } from '#base'
import { type Condition, findCondition } from '#kube'
import { type Action, awaitChange, lookAgain, type Next, type OwnAction, sooner } from '#runtime'
import { type ConditionType, conditionTypes } from '../api/conditions.ts'
import type { ConfigStatus, Publication, WorkloadIdentityConfig } from '../api/kinds.ts'
import { annotations, audience, labels as labelNames, singletonName } from '../api/labels.ts'
import { documentsOverwritten } from '../api/own-events.ts'
import { bucketChild, oidcProviderChild } from '../children/build.ts'
import type { ChildParent } from '../children/child.ts'
import { upsertEntries } from '../children/entry.ts'
import { bucketKind, providerKind } from '../children/kinds.ts'
import { childCondition } from '../children/ready.ts'
import { type ChildState, isSynced } from '../children/state.ts'
import { otherBucketName } from '../children/trouble.ts'
import type { ChildWriter } from '../children/writer.ts'
import { configLabels } from '../documents/owner-labels.ts'
import { renderBucketPolicy } from '../documents/policies.ts'
import type { DocumentSet } from '../documents/publication.ts'
import { oidcProviderName, signingSecretName } from '../names.ts'
import { type IssuerAction, type ObjectSeen, type PublicationSeen, type PublicView, putIssuerObject } from './issuer-store.ts'
import { type KeyProof, type KeyRecord, nextRecord, renderForeign } from './key-proof.ts'
import type { KeyRing } from './key-ring.ts'
import { decideRotation, type RotationInput, type RotationTimes } from './rotation.ts'
import { rotationCondition } from './rotation-condition.ts'
import { maxAgeOf, rotationWish } from './rotation-wish.ts'
import type { SelfHostedSeen } from './seen.ts'
import { createSecret, updateSecret } from './signing-secret.ts'

export interface PathDecision {
  readonly actions: readonly Action<OwnAction>[]
  readonly conditions: readonly Condition[]
  readonly status: Partial<Record<keyof ConfigStatus, unknown>>
  readonly next: Next
}

export interface IssuerInput {
  readonly config: WorkloadIdentityConfig
  readonly seen: SelfHostedSeen
  readonly provider: ChildState
  readonly times: RotationTimes
  readonly now: number
  /** How bucket and provider come about. */
  readonly children: ChildWriter
}

/** A failure that no event tells of is looked at again after this long. */
const lookAgainMs = 30_000
/** What S3 takes up within seconds is looked at within one. */
const settlingLookMs = 1_000

export function decideIssuer(input: IssuerInput): PathDecision {
  const decision = decideSteps(input)
  const told = { ...decision, conditions: [...decision.conditions, ...provenAgain(input)] }
  return withRecord(told, input.seen.secret.record)
}

function decideSteps(input: IssuerInput): PathDecision {
  const { seen } = input
  const { secret } = seen
  if (secret.trouble !== undefined) return failed(input, secret.trouble, awaitChange)
  if (secret.ring.kind === 'unreadable') {
    const { name } = secret.ring
    return failed(
      input,
      `${name} of the signing Secret is no RSA public key in PEM: correct it, or delete the Secret for a new key`,
      awaitChange,
    )
  }
  if (secret.ring.kind === 'none') return decideFirstKey(input)
  if (secret.sharedWith !== undefined) return failed(input, sharedMessage(secret.sharedWith), awaitChange, 'SigningKeyShared')
  return decideProven(input, secret.ring.ring)
}

/** Nothing is published that is not on record, and nothing of what others wrote is taken away: a person has to see it. */
function decideProven(input: IssuerInput, ring: KeyRing): PathDecision {
  const { config, seen } = input
  const { proof } = seen.secret
  if (proof === undefined || proof.kind === 'ours') return decideWithKey(input, ring, turnOf(input, ring))
  if (proof.kind === 'foreign-beside') {
    return withCondition(decideWithKey(input, proof.ring, noTurn), foreignCondition(proof, config))
  }
  // What is public already need not be believed: it is trusted by everybody, and by whom if not by us. (An installation from before
  // there were records, whose status lost its publication while the bucket was out of step.)
  const isPublic = proof.kind === 'unrecorded' && seen.bucket.owned === 'ours' && isAllCurrent(seen)
  if (isPublic) return withRecord(decideWithKey(input, ring, noTurn), nextRecord({ planned: [] }, ring, undefined))
  const condition = foreignCondition(proof, config)
  return withCondition(failed(input, condition.message, awaitChange, condition.reason), condition)
}

export function configParent(config: WorkloadIdentityConfig, region?: string): ChildParent {
  return {
    object: config,
    labels: configLabels(config),
    uidLabel: labelNames.configUid,
    ...given({ region }),
  }
}

function decideFirstKey(input: IssuerInput): PathDecision {
  const { config, seen, now } = input
  const { object, candidate, isCandidateRecorded } = seen.secret
  // Only an observation draws a key, and the Secret vanished after this one was made.
  if (candidate === undefined) return waiting(input, [], { kind: 'look-again', afterMs: 1_000, why: 'a key is drawn' })
  // What comes into the Secret is on record before: a successor has to know it for ours (P2).
  if (isCandidateRecorded !== true) return waiting(input, bucketActions(input), awaitChange)
  const { request } = rotationWish(config, object)
  const ring: KeyRing = { current: candidate, sinceMs: now, ...given({ request }) }
  const write =
    object === undefined ? [createSecret(config, ring)] : updateSecret({ secret: object, config, ring, isNewKey: true })
  return waiting(input, [...write, ...bucketActions(input)], awaitChange)
}

/** What becomes of the Secret in this pass. */
interface KeyTurn {
  readonly actions: readonly Action[]
  readonly rotation: readonly Condition[]
  /** The keys are others after it: what belongs to those before is not published any more. */
  readonly isStep: boolean
  readonly next: Next
}

/** Of a Secret that somebody else wrote into: it stays as it is. */
const noTurn: KeyTurn = { actions: [], rotation: [], isStep: false, next: awaitChange }

function turnOf({ config, seen, times, now }: IssuerInput, ring: KeyRing): KeyTurn {
  const { object, candidate, isCandidateRecorded } = seen.secret
  const wish = rotationWish(config, object)
  // A key is written only once it is on record; the write of that record is the event that brings the next pass.
  const isDrawn = candidate !== undefined && isCandidateRecorded !== true
  const drawn = isDrawn ? undefined : candidate
  const step = decideRotation({ ring, now, ...wish, times, isPublished: isAllCurrent(seen), ...signedBy(seen), candidate: drawn })
  const told = isDrawn
    ? undefined
    : rotationCondition({ ring: step.ring ?? ring, step, wish, maxAge: maxAgeOf(config), signer: seen.signer?.keyId, times })
  return {
    actions: object === undefined ? [] : updateSecret({ secret: object, config, ring: step.ring ?? ring }),
    rotation: told === undefined ? [] : [told],
    isStep: step.ring !== undefined,
    next: lookAgain(step.ring === undefined ? step.lookAgainMs : undefined, 'the signing key is being rotated'),
  }
}

function decideWithKey(input: IssuerInput, ring: KeyRing, turn: KeyTurn): PathDecision {
  const { config, seen, provider } = input
  const { rotation } = turn
  const before = [...turn.actions, ...bucketActions(input)]
  const next = soonToSee(seen, turn.next)
  const { documents, publication } = seen
  if (!isSynced(seen.bucket) || documents === undefined || publication === undefined) {
    const decision = waiting(input, before, next)
    return { ...decision, conditions: [...decision.conditions, ...rotation] }
  }
  // What belongs to the ring before this step is not written any more; what belongs to the one after it is, at the next look.
  const puts = !turn.isStep ? putActions(input, documents, publication) : []
  const hidden = hiddenBy(input)
  if (hidden?.kind === 'settling') {
    const decision = waiting(input, before, next, hidden.message)
    return { ...decision, conditions: [...decision.conditions, ...rotation] }
  }
  const broken = firstFailure(publication) ?? hidden?.message
  if (broken !== undefined) {
    const status = statusOf(input, { publication: config.status?.selfHostedIssuer?.publication })
    const conditions = [bucketReady(input), ...publishFailed(broken), ...rotation]
    return { actions: [...before, ...puts], conditions, status, next: sooner(next, lookAgain(lookAgainMs, broken)) }
  }
  const providerActions = input.children.apply(providerOf(config, seen), provider)
  const published: Publication = {
    bucketName: seen.bucketName,
    issuerURL: documents.issuerUrl,
    signingKeyID: ring.current.public.keyId,
    objectSetDigest: documents.digest,
  }
  return {
    actions: [...before, ...puts, ...overwrittenEvents(input, documents, publication), ...providerActions],
    conditions: [bucketReady(input), objectsPublished(seen.bucketName), ...providerConditions(provider), ...rotation],
    status: statusOf(input, { publication: published, provider: true }),
    next,
  }
}

function signedBy({ signer }: SelfHostedSeen): Pick<RotationInput, 'signer' | 'signedAtMs'> {
  return { signer: signer?.keyId, ...(signer?.atMs === undefined ? {} : { signedAtMs: signer.atMs }) }
}

/** The region is stated for buckets of ours that state one already or are yet to be made; others stay where they are (14.1 L4). */
function bucketActions({ config, seen, children }: IssuerInput): readonly Action<OwnAction>[] {
  const { region } = config.spec
  const { object } = seen.bucket
  const states = object === undefined || object.metadata.annotations?.['services.k8s.aws/region'] !== undefined
  const parent = configParent(config, states ? region : undefined)
  const policy = renderBucketPolicy(seen.bucketName, region)
  return children.apply(bucketChild(parent, { name: seen.bucketName, policy }), seen.bucket, region)
}

function providerOf(config: WorkloadIdentityConfig, seen: SelfHostedSeen): ReturnType<typeof oidcProviderChild> {
  const name = oidcProviderName(config.metadata.namespace ?? '')
  return oidcProviderChild(configParent(config), { name, issuerUrl: seen.issuerUrl, audience })
}

function putActions(
  { config, seen }: IssuerInput,
  set: DocumentSet,
  publication: PublicationSeen,
): readonly Action<IssuerAction>[] {
  const place = { region: config.spec.region, bucket: seen.bucketName }
  const branches = set.objects
    .filter(({ key }) => needsPut(publication[key]))
    .map(object => [putIssuerObject(place, object, set)])
  return branches.length <= 1 ? branches.flat() : [{ kind: 'together', branches }]
}

/** What is on record as published, and is there and is not that, was written by somebody else: it is put right, and told. */
function overwrittenEvents({ config, seen }: IssuerInput, set: DocumentSet, publication: PublicationSeen): readonly Action[] {
  if (config.status?.selfHostedIssuer?.publication?.objectSetDigest !== set.digest) return []
  const keys = set.objects.flatMap(({ key }) => (publication[key]?.kind === 'differs' ? [key] : []))
  if (keys.length === 0) return []
  return [documentsOverwritten(config, keys, seen.bucketName)]
}

/** Forbidden may mean absent: without leave to list, S3 does not say (14.1 L2). Only the attempt to write tells. */
function needsPut(seen: ObjectSeen | undefined): boolean {
  return seen?.kind === 'absent' || seen?.kind === 'differs' || seen?.kind === 'hidden'
}

function firstFailure(publication: PublicationSeen): string | undefined {
  for (const seen of Object.values(publication)) if (seen.kind === 'failed') return seen.message
  return undefined
}

/** For us, and for those who are to trust it. */
function isAllCurrent({ documents, publication, publicView }: SelfHostedSeen): boolean {
  const isThere = documents !== undefined && documents.objects.every(({ key }) => publication?.[key]?.kind === 'current')
  return isThere && (publicView === undefined || publicView.kind === 'readable')
}

/**
 * What keeps others from reading the documents. Where an issuer was readable before, what is not known yet takes nothing back (M6): a
 * document that is replaced was readable a moment ago.
 */
function hiddenBy({ config, seen }: IssuerInput): Exclude<PublicView, { kind: 'readable' }> | undefined {
  const { publicView } = seen
  if (publicView === undefined || publicView.kind === 'readable') return undefined
  const wasReadable = findCondition(config.status?.conditions, conditionTypes.issuerReady)?.status === 'True'
  return publicView.kind !== 'refused' && wasReadable ? undefined : publicView
}

function bucketReady({ seen }: IssuerInput): Condition {
  const condition = childCondition(seen.bucket, { condition: conditionTypes.bucketReady, noun: bucketKind.noun, needsArn: false })
  if (seen.bucket.owned !== 'foreign') return condition
  return { ...condition, message: `${condition.message}; bucket ${seen.bucketName}: ${otherBucketName}` }
}

function objectsPublished(bucket: string): Condition {
  const message = `the issuer's documents are published in bucket ${bucket}`
  return { type: conditionTypes.oidcObjectsPublished, status: 'True', reason: 'OIDCObjectsPublished', message }
}

/** IAMProviderReady and what follows from it. */
export function providerConditions(provider: ChildState): readonly Condition[] {
  const ready = childCondition(provider, { condition: conditionTypes.iamProviderReady, noun: providerKind.noun, needsArn: true })
  const issuer: Condition =
    ready.status === 'True'
      ? { type: conditionTypes.issuerReady, status: 'True', reason: 'Ready', message: 'tokens of the cluster are trusted by IAM' }
      : { type: conditionTypes.issuerReady, status: 'False', reason: 'WaitingForACK', message: ready.message }
  return [ready, issuer]
}

export function publishFailed(message: string): readonly Condition[] {
  const said = { status: 'False', reason: 'OIDCObjectsPublishFailed', message } as const
  return [
    { type: conditionTypes.oidcObjectsPublished, ...said },
    { type: conditionTypes.issuerReady, ...said },
  ]
}

/** Told where it happens, beside what becomes of the issuer; `SigningKeysProven` is there from the first time on. */
function foreignCondition(
  { kind, foreign }: Exclude<KeyProof, { kind: 'ours' }>,
  { metadata }: WorkloadIdentityConfig,
): Condition {
  const where = `Secret ${metadata.namespace ?? ''}/${signingSecretName(singletonName)}`
  const which = `${renderForeign(foreign)} of ${where}`
  const ids = foreign.map(({ keyId }) => keyId).join(',')
  const accept = `if the key is yours, annotate the Config ${annotations.acceptSigningKeys}=${ids}`
  const message =
    kind === 'unrecorded'
      ? `${which} was not made here and is not published: ${accept}; otherwise delete the Secret for a new key`
      : `${which} is not ours: somebody else wrote it. It is not published, and the keys stay as they are until it is gone: find out who may write the Secret and take the entry out; ${accept}`
  return { type: conditionTypes.signingKeysProven, status: 'False', reason: 'SigningKeyForeign', message }
}

function provenAgain({ config, seen }: IssuerInput): readonly Condition[] {
  const held = findCondition(config.status?.conditions, conditionTypes.signingKeysProven)
  if (held === undefined || seen.secret.proof?.kind !== 'ours') return []
  const message = 'every key of the signing Secret is on record'
  return [{ type: conditionTypes.signingKeysProven, status: 'True', reason: 'SigningKeysProven', message }]
}

function withCondition(decision: PathDecision, condition: Condition): PathDecision {
  return { ...decision, conditions: [...decision.conditions, condition] }
}

function withRecord(decision: PathDecision, record: KeyRecord | undefined): PathDecision {
  return record === undefined ? decision : { ...decision, status: { ...decision.status, signingKeys: record } }
}

function sharedMessage(other: string): string {
  return `the signing key is also that of Config ${other}: give this cluster a key of its own (a new Secret), a shared key lets one cluster speak for the other`
}

/** Nothing of the issuer is touched; what was published stays so. */
function failed({ seen, config }: IssuerInput, message: string, next: Next, reason = 'IssuerReconcileFailed'): PathDecision {
  const conditions = issuerTypes.map((type): Condition => ({ type, status: 'False', reason, message }))
  return {
    actions: [],
    conditions,
    status: {
      issuerHostPath: seen.hostPath,
      selfHostedIssuer: { ...config.status?.selfHostedIssuer, bucketName: seen.bucketName },
    },
    next,
  }
}

const issuerTypes: readonly ConditionType[] = [
  conditionTypes.bucketReady,
  conditionTypes.oidcObjectsPublished,
  conditionTypes.iamProviderReady,
  conditionTypes.issuerReady,
]

/** Until the bucket stands. */
function waiting(input: IssuerInput, actions: readonly Action<OwnAction>[], next: Next, forWhat?: string): PathDecision {
  const bucket = bucketReady(input)
  const why = forWhat !== undefined ? forWhat : bucket.status === 'True' ? 'the signing key is being made' : bucket.message
  const said = { status: 'False', reason: 'WaitingForACK', message: why } as const
  return {
    actions,
    conditions: [
      bucket,
      { type: conditionTypes.oidcObjectsPublished, ...said },
      { type: conditionTypes.iamProviderReady, ...said },
      { type: conditionTypes.issuerReady, ...said },
    ],
    status: statusOf(input, { publication: undefined }),
    next,
  }
}

interface StatusParts {
  readonly publication: Publication | undefined
  readonly provider?: boolean
}

/** The provider's ARN stays while the bucket is out of step: what trusts it goes on working (case 74). */
function statusOf({ config, seen, provider }: IssuerInput, parts: StatusParts): PathDecision['status'] {
  const { publication } = parts
  const children = [seen.bucket, ...(parts.provider === true ? [provider] : [])]
  const entries = children.flatMap(({ entry }) => (entry === undefined ? [] : [entry]))
  const kinds: readonly string[] = [bucketKind.type.kind, ...(parts.provider === true ? [providerKind.type.kind] : [])]
  const kept = upsertEntries(config.status?.ackResources, entries, ({ kind }) => kinds.includes(kind))
  return {
    issuerHostPath: seen.hostPath,
    selfHostedIssuer: { bucketName: seen.bucketName, ...given({ publication }) },
    ackResources: kept.length === 0 ? undefined : kept,
    ...(parts.provider === true ? { oidcProviderARN: provider.arn } : {}),
  }
}

/** Nobody tells when what is published can be read. */
function soonToSee({ publicView }: SelfHostedSeen, next: Next): Next {
  if (publicView === undefined || publicView.kind === 'readable') return next
  return sooner(next, lookAgain(publicView.kind === 'settling' ? settlingLookMs : lookAgainMs, publicView.message))
}
