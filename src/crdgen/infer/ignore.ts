// Pass 9: what a config takes out of the model. A path walks into lists and maps by itself, but takes nothing from one that it ends at:
// published configs hold such paths, and they must go on doing nothing.
import { didYouMean } from '#base'
import type { LoadedConfig } from '../config/read-config.ts'
import { type Api, type ApiShape, memberIgnoringCase, structureOf } from './api.ts'
import type { Findings } from './findings.ts'

export function applyIgnoreRules(api: Api, loaded: LoadedConfig, findings: Findings): void {
  for (const name of loaded.config.ignore?.shape_names ?? []) {
    if (!api.shapes.has(name)) {
      const problem = `no shape "${name}"${didYouMean(name, api.shapes.keys())}`
      findings.missing({ name, candidates: api.shapes.keys(), message: at(loaded, 'shape_names', name, problem), fatal: false })
    }
    ignoreShape(api, name)
  }
  for (const path of loaded.config.ignore?.field_paths ?? []) ignorePath(api, loaded, { path, findings })
}

function ignoreShape(api: Api, name: string): void {
  const gone = new Set([name])
  // A list of what is gone is gone too, and so on.
  for (let grown = true; grown; ) {
    grown = false
    for (const [each, shape] of api.shapes) {
      if (shape.type === 'structure' || gone.has(each) || !refersTo(shape, gone)) continue
      gone.add(each)
      grown = true
    }
  }
  for (const shape of api.shapes.values()) {
    if (shape.type !== 'structure') continue
    for (const [member, { target }] of shape.members) if (gone.has(target)) shape.members.delete(member)
  }
  for (const each of gone) api.shapes.delete(each)
}

function refersTo(shape: ApiShape, names: ReadonlySet<string>): boolean {
  if (shape.type === 'list') return names.has(shape.element)
  return shape.type === 'map' && (names.has(shape.value) || names.has(shape.key))
}

function ignorePath(
  api: Api,
  loaded: LoadedConfig,
  { path, findings }: { readonly path: string; readonly findings: Findings },
): void {
  const [first = '', ...rest] = path.split('.')
  const complain = (problem: string): void => findings.warn(at(loaded, 'field_paths', path, problem))
  if (!api.shapes.has(first)) {
    const message = at(loaded, 'field_paths', path, `"${first}" is no shape${didYouMean(first, api.shapes.keys())}`)
    return findings.missing({ name: first, candidates: api.shapes.keys(), message, fatal: true })
  }
  const last = rest.pop()
  if (last === undefined) return complain('names a shape and no member; use ignore.shape_names to leave out a shape')
  let current = first
  for (const element of rest) {
    const next = step(api, current, element)
    if (next === undefined) return complain(`"${element}" is no member of ${current}; nothing is left out`)
    current = next
  }
  const parent = api.shapes.get(current)
  if (parent?.type !== 'structure') {
    const inside = parent?.type === 'list' ? parent.element : parent?.type === 'map' ? parent.value : undefined
    const fix = inside === undefined ? '' : `; to leave "${last}" out of its elements, put ".${inside}" before it`
    return complain(`${current} is a ${parent?.type ?? 'missing shape'}, so nothing is left out${fix}`)
  }
  if (!parent.members.delete(last)) {
    complain(`"${last}" is no member of ${current}${didYouMean(last, parent.members.keys())}; nothing is left out`)
  }
}

/** One element of a path, from a shape to the next; an element that only names what is in a list or map is used up there. */
function step(api: Api, from: string, element: string): string | undefined {
  let current = from
  for (const seen = new Set<string>(); !seen.has(current); ) {
    seen.add(current)
    const shape = api.shapes.get(current)
    if (shape?.type !== 'list' && shape?.type !== 'map') break
    current = shape.type === 'list' ? shape.element : shape.value
    if (current.toLowerCase() === element.toLowerCase()) return current
  }
  const structure = structureOf(api, current)
  return structure === undefined ? undefined : memberIgnoringCase(structure, element)?.[1].target
}

function at(loaded: LoadedConfig, key: string, value: string, problem: string): string {
  return `${loaded.placeOf('ignore', key, value)}: ${value}: ${problem}`
}
