// What a kind does differently from what its representation says: the few things that only a person can know of an API, each in a small
// file of its own. Reads go through the caller; everything else is pure and returns the exact calls to make.

import type { AwsError, ServiceModel } from '#aws'
import type { Random } from '#base'
import type { Settled } from '#cloud'
import type { KubeObject } from '#kube'
import type { Resource } from '../api.ts'
import type { KindModel } from '../model/kind-model.ts'
import type { Content, Values } from '../model/request.ts'
import type { Intent } from '../ownership/intent-text.ts'
import type { Place } from '../place/select-place.ts'

export type OperationVerb = 'CREATE' | 'READ_ONE' | 'READ_MANY' | 'UPDATE' | 'DELETE' | 'GET_ATTRIBUTES' | 'SET_ATTRIBUTES'

/** One call, with nothing left to choose. */
export interface PlannedCall {
  readonly operation: string
  readonly input: Values
  readonly verb: OperationVerb
  /** Where the operation is one of another service than the kind's. */
  readonly service?: ServiceModel
  /** Error codes after which what was wanted is so. */
  readonly tolerates?: readonly string[]
  /** The answer tells what must not be lost: it goes into the status at once. */
  readonly records?: boolean
}

/** Reads in the claim's place. An absent resource is an error here; `read` and `readMore` let it pass. */
export interface Caller {
  call(operation: string, input: Values): Promise<Values>
  /** The same of another service. */
  of(service: ServiceModel): Pick<Caller, 'call'>
  /** All elements of a list, page by page. */
  list(operation: string, input: Values, member: string): Promise<readonly unknown[]>
  /** An answer that never changes, such as the name of a zone: asked for once. */
  once(operation: string, input: Values): Promise<Values>
  /** The pages as they come, for a search that may end early. */
  pages(operation: string, input: Values): AsyncIterable<Values>
  /** Asks together with the other claims in this place that ask about the same topic while one of them is being answered. */
  together<Q, A>(
    topic: string,
    question: Q,
    answer: (questions: readonly Q[], caller: Caller) => Promise<readonly Settled<A>[]>,
  ): Promise<A>
}

/** Calls of several claims that AWS takes as one. */
export interface Joining {
  readonly operation: string
  /** Calls of the same topic may become one. */
  topic(input: Values): string
  join(inputs: readonly Values[]): Values
  /** Whether what was refused may be the fault of one of them: then they are sent apart. */
  splits(error: AwsError): boolean
  readonly max: number
}

/** A kind, with what it does differently. */
export interface DeviatingKind {
  readonly model: KindModel
  readonly deviation: Deviation
}

export interface ReadContext extends DeviatingKind {
  readonly claim: Resource
  readonly wanted: Content
  readonly place: Place
  readonly caller: Caller
  /** The manifest asks for a resource that is there already. */
  readonly adopting: boolean
  /** Its own creation of a moment ago is known: what was not asked for then is not there. */
  readonly justMade: boolean
  /** What the manifest spoke of when it was in step last, where that is known. */
  readonly spoken?: readonly string[] | undefined
}

export interface SyncContext {
  readonly model: KindModel
  readonly claim: Resource
  readonly wanted: Content
  /** For a resource that is about to be made: nothing beside its identifiers. */
  readonly latest: Content
  readonly place: Place
  /** Camel paths that differ, `Spec.…`. */
  readonly delta: readonly string[]
  readonly isNew: boolean
}

export interface CreateContext {
  readonly model: KindModel
  readonly claim: Resource
  readonly wanted: Content
  readonly place: Place
  readonly token: string
}

export interface Deviation {
  /** What is wrong with the manifest: only its author can help. */
  refuse?(context: Pick<CreateContext, 'model' | 'claim' | 'wanted' | 'place'>): string | undefined
  /** The ARN where it follows from the manifest. */
  arnOf?(wanted: Content, place: Place): string | undefined
  /** What an adopted resource's manifest is to say, where it is not what a read says. */
  adoptedSpec?(spec: Values, found: Content): Values
  /** Instead of the operation that the representation names. `undefined`: not there. */
  read?(context: ReadContext): Promise<Content | undefined>
  /** Whether it is looked for in a list, since nothing is known by which AWS could be asked for it alone. */
  findsByList?(wanted: Content): boolean
  /** Reads what the read operation of the kind does not answer. */
  readMore?(context: ReadContext, found: Content): Promise<Content>
  /** What tells a resource from all others where it has no ARN: fields of the spec in one spelling; empty while one is not known. */
  identity?(content: Content): Readonly<Record<string, string>>
  /** Equality of fields that the general rules get wrong, by Camel name. */
  readonly same?: Readonly<
    Record<
      string,
      (
        wanted: unknown,
        latest: unknown,
        context: { readonly model: KindModel; readonly wanted: Content; readonly latest: Content },
      ) => boolean
    >
  >
  create?(input: Values, context: CreateContext): PlannedCall | Values
  /** Where nothing marks what was made: whether what stands there is what our create call made. */
  proves?(latest: Content, context: { readonly wanted: Content; readonly intent: Intent }): boolean
  /**
   * Where nothing at all marks what was made: all that it says, the same text for a manifest and for what was made of it. It is noted before
   * the create call, so that a lost answer and a manifest that changed meanwhile do not make a stranger of it.
   */
  print?(content: Content): string
  /** Codes that stop a claim of this kind by its config, and in this case do not. */
  passes?(error: { readonly code: string; readonly message: string }): boolean
  /** A second create call cannot make a second resource, or can. */
  readonly repeatable?: boolean
  /** The tags go with the create call, although its input has no member of that name. */
  readonly tagsAtCreate?: boolean
  /** What the answer to the create call tells beside what the general rules read of it. */
  created?(output: Values, found: Content, context: Omit<CreateContext, 'token'>): Content
  /** Camel names of fields that AWS fills and that are copied into the manifest, beside those of the config. */
  late?(claim: Resource): readonly string[]
  /** Whether a field that the config fills late is left alone for this claim. */
  neverLate?(claim: Resource, camel: string): boolean
  /** Camel names of the fields that `sync` looks after. */
  readonly own?: readonly string[]
  /** The calls that make the own fields so, in order. */
  sync?(context: SyncContext): readonly PlannedCall[]
  /** Camel names of fields that no API can change. */
  readonly unchangeable?: readonly string[]
  /** The same, where it depends on how the resource was made. */
  unchangeableOf?(claim: Resource): readonly string[]
  update?(input: Values, context: SyncContext): Values
  readonly joining?: Joining
  /** How what is there already is listed, where the kind's own list tells too much. */
  readonly exported?: { readonly operation?: string; readonly input?: Values; skips?(element: Values): boolean }
  /** What an event of AWS that is about the claim mentions, where it is not what the kind's read takes. */
  eventNames?(claim: Resource): readonly string[]
  /** Claims worked on at once, where that many share their calls. */
  readonly workers?: number
  readonly output?: SecretOutput
  /** Objects of other kinds that the claim's annotations ask for. `undefined`: AWS must still say something. */
  companions?(claim: Resource, latest: Content): readonly KubeObject[] | undefined
  beforeDelete?(context: SyncContext): readonly PlannedCall[]
  /** What must be taken out first, a part at a time: while this says something, the resource itself stays. */
  emptying?(context: SyncContext): readonly PlannedCall[]
  delete?(context: SyncContext): PlannedCall
  /** Whether what AWS has is usable yet; by the settings of the config where it says nothing. */
  state?(
    latest: Content,
    options: { readonly strictSync: boolean },
  ):
    | { readonly synced: boolean; readonly message: string; readonly terminal?: boolean; readonly lookAfterMs?: number }
    | undefined
}

/** A key of a Secret. */
export interface SecretKey {
  readonly namespace: string
  readonly name: string
  readonly key: string
}

/** Secrets of a resource that are written into a Secret, which must be there. */
export interface SecretOutput {
  /** Where to; absent when the manifest does not ask for it. */
  target(claim: Resource): SecretKey | undefined
  /** Which secrets AWS has now, in a word that changes with them; absent while there are none. */
  version(latest: Content): string | undefined
  /** The keys of the Secret that are written beside the one that is named. */
  readonly alsoKeys: readonly string[]
  /** Gets them while a plan is carried out: they stand in no plan, no log and no status. */
  fetch(
    call: Caller['call'],
    context: { readonly latest: Content; readonly key: string; readonly random: Random },
  ): Promise<Values>
}

export const noDeviation: Deviation = {}

/** Whether a kind's own code looks after a field: the general rules leave it to that. */
export function isLookedAfter({ own = [], same = {} }: Deviation, camel: string): boolean {
  return own.includes(camel) || Object.hasOwn(same, camel)
}
