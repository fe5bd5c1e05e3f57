// Tags of random kinds: what manifests wish, what strangers have, and when what an object says of its tags is so.
import type { Random } from '#base'
import type { Resource } from '#operators/resources'
import { isNamed } from '../../resources/small-truth.ts'
import type { Thing } from './cloud.ts'
import type { RandomKind, RandomKinds } from './kinds.ts'
import { type Tags, tagsFrom, tagsInManifest } from './tagging.ts'

/** The tags of manifests; what else a resource bears is the operator's. */
const keys = ['team', 'cost']

function hasWishes({ tagging }: RandomKind, { common }: Pick<RandomKinds, 'common'>): boolean {
  return tagging !== undefined && common !== undefined
}

/** For a new manifest, or for a merge patch, which has to take keys of a map out by name. */
export function tagWish(
  kind: RandomKind,
  drawn: Pick<RandomKinds, 'common'>,
  { random, isPatch }: { readonly random: Random; readonly isPatch: boolean },
): Record<string, unknown> {
  if (!hasWishes(kind, drawn)) return {}
  const form = kind.tagging?.form ?? 'map'
  const wish = Object.fromEntries(
    keys.filter(() => random.float() < 0.6).map(key => [key, `v${1 + Math.floor(random.float() * 3)}`] as const),
  )
  const isEmpty = Object.keys(wish).length === 0
  if (!isPatch) return isEmpty ? {} : { tags: tagsInManifest(form, wish) }
  if (isEmpty) return { tags: null }
  const gone = Object.fromEntries(keys.filter(key => wish[key] === undefined).map(key => [key, null]))
  return { tags: form === 'map' ? { ...gone, ...wish } : tagsInManifest(form, wish) }
}

/** What people had before anything started: under a name that a manifest takes too, or under a label, of which there may be many. */
export function strangersThings(drawn: RandomKinds): readonly Thing[] {
  return drawn.kinds
    .filter(kind => hasWishes(kind, drawn))
    .map(({ kind, identity }) => {
      const label = identity === 'named' ? strangersName : 'one'
      const key = identity === 'named' ? label : `id-of-their-${kind}`
      return { kind, key, label, values: { Tags: { team: 'theirs' } }, isForeign: true }
    })
}

export const strangersName = 'three'

/** Whether a look tells the tags, so that it shows what somebody changed by hand. */
export function tellsTags({ tagging }: RandomKind): boolean {
  return tagging !== undefined && tagging.toldBy !== 'nobody'
}

/** `held`: all tags that the resource bears. Each that the manifest has is there, and none that it had before. */
export function areTagsTrue({ tagging }: RandomKind, spec: Resource['spec'], held: Tags): boolean {
  if (tagging === undefined) return true
  const wanted = wantedTags(tagging.form, spec?.['tags'])
  return keys.every(key => wanted[key] === held[key])
}

function wantedTags(form: Parameters<typeof tagsFrom>[0], value: unknown): Tags {
  const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)
  if (form === 'map' || !Array.isArray(value)) return (value ?? {}) as Tags
  const spelled = (value as Tags[]).map(tag =>
    Object.fromEntries(Object.entries(tag).map(([name, text]) => [form === 'key' ? name : capital(name), text])),
  )
  return tagsFrom(form, spelled)
}

export function areTagsNamed(claim: Resource): boolean {
  return isNamed(claim, { name: 'Tags' })
}
