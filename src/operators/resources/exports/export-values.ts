// What a FieldExport writes: the keys of its target with their texts, all of them or none, so that nobody reads half of a change.
import type { StoredObject } from '#kube'
import { own } from '../model/convert.ts'
import type { Holder } from '../secrets/protected-objects.ts'
import { type FieldExportSpec, isSecret } from './api.ts'
import { parseTemplate, type TemplatePart } from './export-template.ts'
import { PathError, type PathStep, parseFieldPath, valueAtPath } from './field-path.ts'

/**
 * `wait`: a change of the source, or of this object, tells us. `look`: for what nothing tells us of. `stop`: only its author can help.
 * `refuse`: only a person can help, who may change something else than this object.
 */
export interface Problem {
  readonly how: 'wait' | 'look' | 'stop' | 'refuse'
  readonly message: string
  /** Where another than the usual one says more. */
  readonly reason?: string
}

export type ExportValues = ReadonlyMap<string, string>

interface Wish {
  readonly key: string
  readonly parts: readonly TemplatePart[]
}

export interface Sources {
  readonly source: StoredObject | undefined
  /** By name. */
  readonly secrets: ReadonlyMap<string, Holder | undefined>
}

export function isProblem(found: ExportValues | Problem): found is Problem {
  return 'how' in found
}

/** Secrets that the manifest takes from, beside its source. */
export function secretsOf(spec: FieldExportSpec, defaultKey: string): readonly string[] {
  const wishes = wishesOf(spec, defaultKey)
  if (!Array.isArray(wishes)) return []
  return [
    ...new Set(
      (wishes as readonly Wish[]).flatMap(({ parts }) => parts.flatMap(part => (part.kind === 'secret' ? [part.name] : []))),
    ),
  ]
}

/** What only the author can put right. */
export function manifestProblem(spec: FieldExportSpec, defaultKey: string): Problem | undefined {
  const wishes = wishesOf(spec, defaultKey)
  if ('how' in wishes) return wishes
  const takesSecrets = isSecret(spec.from.resource) || secretsOf(spec, defaultKey).length > 0
  if (!takesSecrets) return undefined
  if (spec.to.kind !== 'secret') return stop('what stands in a Secret is exported into Secrets only')
  // Whoever may write FieldExports here must not carry Secrets of this namespace to where he may read them.
  return spec.to.namespace === undefined
    ? undefined
    : stop('what stands in a Secret is exported within its namespace only: leave out to.namespace')
}

/** The texts by key. */
export function exportValues(spec: FieldExportSpec, defaultKey: string, sources: Sources): ExportValues | Problem {
  const wishes = wishesOf(spec, defaultKey)
  if ('how' in wishes) return wishes
  const values = new Map<string, string>()
  for (const wish of wishes) {
    const text = textOf(wish, isSecret(spec.from.resource), sources)
    if (typeof text !== 'string') return text
    values.set(wish.key, text)
  }
  return values
}

function wishesOf({ from, to, exports = [] }: FieldExportSpec, defaultKey: string): readonly Wish[] | Problem {
  const asked = [...(from.path === undefined ? [] : [{ path: from.path, key: to.key ?? defaultKey }]), ...exports]
  if (asked.length === 0) return stop('nothing is exported: from.path or exports is needed')
  const wishes: Wish[] = []
  for (const { key, ...one } of asked) {
    if (wishes.some(other => other.key === key)) return stop(`the key ${key} is exported twice`)
    const { path, template } = { path: undefined, template: undefined, ...one }
    if ((path === undefined) === (template === undefined)) return stop(`the export of ${key} needs either a path or a template`)
    const steps = path === undefined ? undefined : parseFieldPath(path)
    if (path !== undefined && steps === undefined) return stop(`unable to parse path ${shown(path)}`)
    const parts = path === undefined ? parseTemplate(template ?? '') : [{ kind: 'field' as const, path, steps: steps ?? [] }]
    if (parts === undefined)
      return stop(`unable to parse template of ${key}: {{ .path }} and {{ secret "name" "key" }} are known`)
    wishes.push({ key, parts })
  }
  return wishes
}

function textOf({ parts }: Wish, fromSecret: boolean, { source, secrets }: Sources): string | Problem {
  let text = ''
  for (const part of parts) {
    const found =
      part.kind === 'text'
        ? part.text
        : part.kind === 'secret'
          ? secretValue(part, secrets)
          : fieldValue(part, fromSecret, source)
    if (typeof found !== 'string') return found
    text += found
  }
  return text
}

function secretValue(
  { name, key }: { readonly name: string; readonly key: string },
  secrets: Sources['secrets'],
): string | Problem {
  const found = secrets.get(name)
  if (found === undefined) return { how: 'look', message: `the secret ${name} does not exist` }
  const value = own(found.data ?? {}, key)
  return value === undefined ? { how: 'look', message: `the secret ${name} has no key ${key}` } : decoded(value)
}

function fieldValue(
  { path, steps }: { readonly path: string; readonly steps: readonly PathStep[] },
  fromSecret: boolean,
  source: StoredObject | undefined,
): string | Problem {
  const value = valueOrError(source, steps)
  if (value instanceof PathError) return stop(`unable to execute query ${path}: ${value.message}`)
  if (value === undefined) return { how: fromSecret ? 'look' : 'wait', message: 'path does not exist in this object' }
  const text = textOfValue(value)
  if (text === undefined) return stop(`${path} leads to no text, boolean or whole number`)
  return fromSecret && steps[0] === 'data' ? decoded(text) : text
}

function valueOrError(source: StoredObject | undefined, steps: readonly PathStep[]): unknown {
  try {
    return valueAtPath(source, steps)
  } catch (error) {
    if (error instanceof PathError) return error
    throw error
  }
}

function decoded(value: string): string {
  return Buffer.from(value, 'base64').toString('utf8')
}

/** What somebody wrote, as much of it as tells which it is. */
function shown(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}… (${text.length} characters)` : text
}

function stop(message: string): Problem {
  return { how: 'stop', message }
}

/** Text, truth and whole numbers can be exported. */
function textOfValue(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'boolean' || (typeof value === 'number' && Number.isInteger(value)) ? String(value) : undefined
}
