// Custom resources between their versions. Rows are stored at the definition's storage version; what a definition with a webhook
// looks like at another version only that webhook knows. Every version of a row is converted once per kind that is asked for,
// however many readers and watchers want it.

import { invariant, isRecord, type Maybe, type Random } from '#base'
import { builtinKind, convertBuiltin, type JsonObject, type KindSchema, type StoredForm } from '#schema'
import type { Callouts, WebhookClient } from '../callouts/callouts.ts'

import { asCommitted, asDraft, asJson, type Draft, draftFrom } from '../draft.ts'
import { refusal } from '../refusals.ts'
import type { CustomResource, ServedKind } from '../registry/resource.ts'
import type { Version } from '../store/version.ts'
import { checkConverted, readReview, renderReview } from './review.ts'

/** One call carries no more objects than this, so that a list of any length has bounded bodies. */
const batchMax = 500
const timeoutMs = 30_000

export class Converter {
  readonly #random: Random
  readonly #callouts: Callouts
  readonly #underWay = new WeakMap<Version, Map<ServedKind, Promise<void>>>()

  constructor(random: Random, callouts: Callouts) {
    this.#random = random
    this.#callouts = callouts
  }

  /** Makes the versions known as the kind shows them; undefined when they are already, which is all there is without webhooks. */
  prepare(versions: readonly Version[], kind: ServedKind): Maybe<void> {
    if (!usesWebhook(kind)) return undefined
    const missing = versions.filter(({ object }) => object.apiVersion !== kind.apiVersion).filter(each => !each.hasView(kind))
    if (missing.length === 0) return undefined
    const waits = new Set<Promise<void>>()
    const fresh: Version[] = []
    for (const version of missing) {
      const wait = this.#underWay.get(version)?.get(kind)
      if (wait === undefined) fresh.push(version)
      else waits.add(wait)
    }
    for (let from = 0; from < fresh.length; from += batchMax) waits.add(this.#begin(fresh.slice(from, from + batchMax), kind))
    return Promise.all(waits).then(() => undefined)
  }

  /** The objects at the kind's version, in the same order. Throws the refusal that the request is answered with. */
  async convert(objects: readonly Readonly<Draft>[], kind: ServedKind): Promise<Draft[]> {
    const from = `${objects[0]?.apiVersion}, Kind=${kind.resource.kind}`
    const wholes = objects.map(object => wholeOf(object, kind))
    const name = `conversion webhook for ${from}`
    let converted: readonly unknown[]
    try {
      converted = await this.#ask(wholes, kind)
    } catch (error) {
      throw refusal(500, '', `${name} failed: ${error instanceof Error ? error.message : String(error)}`)
    }
    if (converted.length !== objects.length) {
      throw refusal(500, '', `${name} returned ${converted.length} objects, expected ${objects.length}`)
    }
    return wholes.map((whole, index) => {
      const result = checkConverted(asDraft(whole), converted[index], kind.apiVersion)
      if (typeof result === 'string') {
        throw refusal(500, '', `${name} returned invalid ${what(result, objects.length === 1 ? undefined : index)}: ${result}`)
      }
      return draftFrom(asDraft(kind.schema.prune(asJson(result))))
    })
  }

  #begin(versions: readonly Version[], kind: ServedKind): Promise<void> {
    const run = this.#show(versions, kind).finally(() => {
      for (const version of versions) this.#underWay.get(version)?.delete(kind)
    })
    for (const version of versions) {
      let byKind = this.#underWay.get(version)
      if (byKind === undefined) this.#underWay.set(version, (byKind = new Map()))
      byKind.set(kind, run)
    }
    return run
  }

  async #show(versions: readonly Version[], kind: ServedKind): Promise<void> {
    const shown = await this.convert(
      versions.map(({ object }) => object),
      kind,
    )
    for (const [index, version] of versions.entries()) version.viewAs(kind, () => asCommitted(shown[index] as Draft))
  }

  async #ask(objects: readonly JsonObject[], kind: ServedKind): Promise<readonly unknown[]> {
    const { conversion } = kind.resource.custom as CustomResource
    const webhook = (isRecord(conversion.webhook) ? conversion.webhook : {}) as ConversionWebhook
    const reviewVersion = (webhook.conversionReviewVersions ?? []).find(version => version === 'v1' || version === 'v1beta1')
    if (reviewVersion === undefined) throw new Error('the definition accepts no version of ConversionReview that is known here')
    const uid = this.#random.uuid()
    const reply = await this.#callouts.post({
      client: webhook.clientConfig ?? {},
      query: '',
      body: renderReview(reviewVersion, uid, kind.apiVersion, objects),
      timeoutMs,
    })
    return readReview(reviewVersion, uid, reply)
  }
}

/** A real server has other words for a list than for one object, and for metadata than for the rest. */
function what(problem: string, index: number | undefined): string {
  const isMetadata = /^(invalid|missing) metadata/.test(problem)
  if (index !== undefined) return isMetadata ? `metadata in object at index ${index}` : `converted object at index ${index}`
  if (isMetadata) return 'metadata'
  return /^invalid (groupVersion|kind)/.test(problem) ? 'object at index 0' : 'object'
}

interface ConversionWebhook {
  readonly clientConfig?: WebhookClient
  readonly conversionReviewVersions?: readonly string[]
}

export function usesWebhook(kind: ServedKind): boolean {
  return kind.resource.custom?.conversion.strategy === 'Webhook'
}

/** What is stored at a version, as that version's schema of today shows it: this is what gets converted. */
export function wholeOf(object: Readonly<Draft>, kind: ServedKind): JsonObject {
  const stored = kind.resource.custom?.all.find(candidate => candidate.apiVersion === object.apiVersion)?.schema
  return stored === undefined ? asJson(object) : stored.applyDefaults(stored.prune(asJson(object)))
}

/** The row to store for an object at the kind's version: at the storage version, whatever was written. */
export function rowOf({ converter }: { readonly converter: Converter }, kind: ServedKind, object: Draft): Maybe<Draft> {
  const storage = kind.resource.custom?.storage
  if (storage === undefined) return asDraft(builtinRow(kind, asJson(object)))
  if (storage.version === kind.version) return object
  if (!usesWebhook(kind)) return draftFrom(asDraft(storage.schema.prune({ ...asJson(object), apiVersion: storage.apiVersion })))
  return converter.convert([object], storage).then(([row]) => row as Draft)
}

function builtinRow({ schema, storedForm }: ServedKind, object: JsonObject): JsonObject {
  if (storedForm === undefined) return schema.atRest?.(object) ?? object
  const stored = storedKind(storedForm, object)
  const row = stored.applyDefaults(convertBuiltin(object, storedForm.apiVersion))
  return stored.atRest?.(row) ?? row
}

function storedKind({ apiVersion }: StoredForm, { kind }: JsonObject): KindSchema {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion]
  const stored = typeof kind === 'string' ? builtinKind(group ?? '', version ?? '', kind) : undefined
  invariant(stored !== undefined, 'a form in which objects are stored is a built-in kind', { apiVersion, kind })
  return stored
}
