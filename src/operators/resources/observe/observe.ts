// Reads everything that a decision about one claim needs: the claim, its namespace, what it refers to, and the resource in AWS.

import { assertNever, given } from '#base'
import { type ObjectKey, secrets as secretType } from '#kube'
import type { ClaimKey, Reads } from '#runtime'
import { asTrouble, Trouble } from '#runtime'
import {
  annotations,
  type Fields,
  isAnnotatedTrue,
  namespaceAnnotations as namespaceKeys,
  ownerTag,
  type Resource,
} from '../api.ts'
import type { Equipment } from '../equipment.ts'
import { troubleOf } from '../errors.ts'
import type { ReadContext } from '../kinds/deviation.ts'
import type { Content } from '../model/request.ts'
import { defaultTags, ownMark, tagsIn, withTags } from '../model/tags.ts'
import { adoptionOf } from '../ownership/adoption.ts'
import { holderOf, type Looked, olderOwner } from '../ownership/duplicates.ts'
import { recordOf } from '../ownership/ownership-record.ts'
import { renamedFrom } from '../ownership/renamed.ts'
import { choosePlace } from '../place/choose-place.ts'
import type { Place } from '../place/select-place.ts'
import { findCycle, namingCycle } from '../references/cycles.ts'
import { type ReferenceTarget, resolveReferences } from '../references/references.ts'
import { mayNameSecrets } from '../secrets/named-secrets.ts'
import { readSecrets } from '../secrets/secrets.ts'
import type { Lookup } from '../seen/notes.ts'
import type { InAws, OutputSecret, Seen } from '../seen/seen.ts'
import { countAlike } from './count-alike.ts'
import { findMarked, mayBearMark } from './find-marked.ts'
import { glanceAt } from './glance.ts'
import { lookUp } from './lookup-search.ts'
import { readResource } from './read-aws.ts'
import { readOutput } from './read-output.ts'

const { defaultTags: tagsOfNamespace } = namespaceKeys

const nothing: Content = { spec: {}, status: {} }

/** Of a claim of which nothing is known yet. */
const unseen: Seen = {
  claim: undefined,
  place: { kind: 'no-role', message: '' },
  namespaceAnnotations: {},
  references: { kind: 'resolved', spec: {}, notices: [], hasReferences: false },
  secrets: { kind: 'read', spec: {}, hash: undefined },
  output: { kind: 'none' },
  adoption: { kind: 'none' },
  wanted: nothing,
  inAws: { kind: 'not-read' },
  notes: {},
  glance: undefined,
  olderOwner: undefined,
  markHolder: undefined,
}

interface Look {
  readonly equipment: Equipment
  readonly claim: Resource
  readonly reads: Reads
  readonly signal: AbortSignal
}

export async function observe(key: ClaimKey, equipment: Equipment, reads: Reads, signal: AbortSignal): Promise<Seen> {
  const claim = reads.find<Resource>(equipment.model.type, key)
  if (claim === undefined) return unseen
  const look = { equipment, claim, reads, signal }
  const seen = await seenInCluster(look)
  return seen.place.kind === 'chosen' ? seenInAws(look, seen, seen.place.place) : seen
}

/** What the cluster says: the claim's namespace and so its place, and the objects and Secrets that the claim refers to. */
async function seenInCluster({ equipment, claim, reads, signal }: Look): Promise<Seen> {
  const { model, deviation, settings } = equipment
  const namespaceAnnotations = equipment.namespaceAnnotations(reads, claim)
  const place = await choosePlace(equipment, { claim, namespaceAnnotations, reads, signal })
  const find = (target: ReferenceTarget): ReturnType<Equipment['findReferenced']> => equipment.findReferenced(reads, target)
  const resolved = resolveReferences(model, claim, { find, crossNamespace: settings.crossNamespace })
  const isWaiting = resolved.kind === 'unresolved' && resolved.how === 'wait'
  const references = isWaiting
    ? namingCycle(resolved, findCycle({ model, claim, find, modelOf: target => equipment.modelOf(target) }))
    : resolved
  const spec = references.kind === 'resolved' ? references.spec : (claim.spec ?? {})
  const read = (at: ObjectKey): Promise<OutputSecret | undefined> => reads.read<OutputSecret>(secretType, at, signal)
  const secrets = mayNameSecrets(model)
    ? await readSecrets(model, claim, spec, { read, crossNamespace: settings.crossNamespace, access: settings })
    : { kind: 'read' as const, spec, hash: undefined }
  const output =
    deviation.output === undefined ? unseen.output : await readOutput(deviation.output, claim, { read, rules: settings })
  const adoption = adoptionOf(model, claim, settings)
  const notes = equipment.memory.of(claim.metadata.uid)
  return { ...unseen, claim, secrets, output, namespaceAnnotations, place, references, adoption, notes }
}

/** What AWS says, where it has to be asked, and which other claims have the same resource. */
async function seenInAws({ equipment, claim, reads, signal }: Look, seen: Seen, place: Place): Promise<Seen> {
  const { model, deviation } = equipment
  const wanted = wantedContent(equipment, seen, claim)
  const owners = (content: Content): Pick<Seen, 'olderOwner' | 'markHolder'> =>
    ownersOf({ model, deviation, claim, place, content }, reads)
  const known = { ...seen, wanted, ...owners(wanted), markHolder: undefined }
  if (!mayRead(seen, claim)) return known
  const claims = (): number => reads.list(model.type).length
  const glances = equipment.settings.cheapReadSeconds > 0
  const glance = glances ? await glanceAt(equipment, known, { claim, place, claims, signal }) : undefined
  if (glance?.isUnchanged === true) return { ...known, glance, inAws: { kind: 'unchanged' } }
  const inAws = await look(equipment, known, claim, { signal, others: () => reads.list<Resource>(model.type) })
  const learnt = inAws.kind === 'absent' && inAws.extra !== undefined ? { ...wanted, extra: inAws.extra } : wanted
  return { ...known, wanted: learnt, inAws, glance, ...owners(inAws.kind === 'present' ? inAws.content : learnt) }
}

/** Who else has the resource: by record, or by the mark that it bears. */
function ownersOf(looked: Looked, reads: Reads): Pick<Seen, 'olderOwner' | 'markHolder'> {
  const { model, claim, content } = looked
  const mark = tagsIn(model, content.spec)[ownerTag]
  return {
    olderOwner: olderOwner(looked, reads),
    markHolder: mark === undefined ? undefined : holderOf(model, claim, mark, reads),
  }
}

/** What can be decided without a look at AWS is decided without one. */
function mayRead({ references, secrets, adoption }: Seen, claim: Resource): boolean {
  if (claim.metadata.deletionTimestamp !== undefined) return (claim.metadata.finalizers ?? []).length > 0
  if (isAnnotatedTrue(claim, annotations.paused) || adoption.kind === 'wrong') return false
  if (secrets.kind === 'unusable') return false
  return references.kind === 'resolved' || adoption.kind === 'adopt' || adoption.kind === 'read-only'
}

function wantedContent({ model, deviation, settings }: Equipment, seen: Seen, claim: Resource): Content {
  const { references, secrets, adoption, place, namespaceAnnotations } = seen
  const { conditions: _conditions, ackResourceMetadata: metadata, ...status } = claim.status ?? {}
  // What a reference could not give is not known; a deletion and an adoption go on without it.
  const resolved: Fields = references.kind === 'resolved' ? references.spec : (claim.spec ?? {})
  const spec = secrets.kind === 'read' ? secrets.spec : resolved
  const identifiers = 'identifiers' in adoption ? adoption.identifiers : undefined
  const ofNamespace = (namespaceAnnotations[tagsOfNamespace] ?? '').split(',').filter(each => each.trim() !== '')
  const tags = ownMark(claim, settings, {
    ...defaultTags(model, claim, {
      templates: [...settings.resourceTags, ...ofNamespace],
      version: settings.version,
    }),
    ...tagsIn(model, spec),
  })
  // A deletion is about the resource that was made, whatever name the manifest gives it by now.
  const made = claim.metadata.deletionTimestamp === undefined ? {} : asMade(model, claim, spec)
  const full: Content = {
    spec: { ...identifiers?.spec, ...withTags(model, spec, tags), ...made },
    status: { ...identifiers?.status, ...status },
    arn: metadata?.arn ?? identifiers?.arn,
  }
  if (full.arn !== undefined || place.kind !== 'chosen') return full
  return { ...full, arn: deviation.arnOf?.(full, place.place) }
}

function asMade(model: Equipment['model'], claim: Resource, spec: Fields): Fields {
  const record = recordOf(claim)
  if ('identity' in record && Object.keys(record.identity).length > 0) return record.identity
  const renamed = renamedFrom(model, claim, spec)
  return renamed === undefined ? {} : { [renamed.json]: renamed.was }
}

interface Around {
  readonly signal: AbortSignal
  /** The claims of the kind. */
  readonly others: () => readonly Resource[]
}

async function look(equipment: Equipment, seen: Seen, claim: Resource, { signal, others }: Around): Promise<InAws> {
  const { model, deviation } = equipment
  if (seen.place.kind !== 'chosen') return { kind: 'not-read' }
  const { place } = seen.place
  const { adoption, wanted, notes } = seen
  const adopting = 'identifiers' in adoption || adoption.kind === 'read-only'
  const isYoung = notes.createdMs !== undefined && equipment.nowMs() - notes.createdMs < justMadeMs
  // A manifest that changed since may have taken out what the first one asked for.
  const justMade = isYoung && notes.madeGeneration === claim.metadata.generation
  try {
    const caller = equipment.caller(place, signal)
    if (adoption.kind === 'read-only' && adoption.lookup !== undefined)
      return await lookFor(equipment, { model, deviation, claim, place, caller, adopting, justMade }, adoption.lookup)
    const context = { model, deviation, claim, wanted, place, caller, adopting, justMade, spoken: notes.given }
    const content = await readResource(context)
    if (content === undefined) return await countAlike(equipment, context, { seen, absent: { kind: 'absent' }, others })
    if (content.isAbsent !== true) return { kind: 'present', content }
    const isLost = content.isUnasked === true && mayBearMark(equipment, claim)
    const lost = isLost ? await findMarked(context) : 'not-searched'
    if (typeof lost !== 'string') return { kind: 'present', content: lost }
    const absent = {
      kind: 'absent',
      ...given({ extra: content.extra }),
      ...(content.isUnasked === true ? { isUnasked: true as const } : {}),
      ...(lost === 'not-there' ? { isSearched: true as const } : {}),
    } as const
    return await countAlike(equipment, context, { seen, absent, others })
  } catch (error) {
    if (signal.aborted) throw error
    return { kind: 'failed', trouble: asTrouble(troubleOf(error, equipment, equipment.dependency(place))) }
  }
}

async function lookFor(equipment: Equipment, context: Omit<ReadContext, 'wanted'>, lookup: Lookup): Promise<InAws> {
  const { uid } = context.claim.metadata
  const answer = await lookUp(context, lookup, equipment.memory.of(uid).lookedUp)
  switch (answer.kind) {
    case 'found':
      return { kind: 'present', content: answer.content, lookedUp: { text: lookup.text, identifiers: answer.identifiers } }
    case 'none':
      return { kind: 'absent' }
    case 'unclear':
      return { kind: 'failed', trouble: new Trouble({ kind: 'stop', reason: 'AdoptionFailed', message: answer.message }) }
    default:
      return assertNever(answer)
  }
}

/** While a resource is this young, what was not asked for at its creation is taken to be absent. */
const justMadeMs = 60_000
