// Makes src/schema/builtin/wire-fields.gen.json: for each message of the kinds that we serve, which number on the wire belongs to which
// JSON name, and how its zero value reads. These are the public wire facts of the API, taken from the struct tags of the published Go
// modules (`go mod download k8s.io/api@v0.34.4` and siblings); nothing else of their text is kept.
//
//   node scripts/generate-wire-fields.ts MODULE_CACHE VERSION      e.g. ~/go/pkg/mod v0.34.4
//
// A line reads `name:number` followed by `*` (a pointer: zero is a value), `!` (always written) and `?` (a structure or time that is
// left out when it is zero), and `=v1.Phase` where the type has a name of its own that the schemas do not know: a decoder says it;
// `@number:Message` is a message of its own on the wire whose fields JSON shows in place.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const groups = [
  'core',
  'apps',
  'batch',
  'authentication',
  'authorization',
  'rbac',
  'coordination',
  'events',
  'discovery',
  'policy',
]
groups.push(
  'admissionregistration',
  'networking',
  'autoscaling',
  'certificates',
  'scheduling',
  'storage',
  'node',
  'flowcontrol',
  'resource',
)

const [cache, version] = process.argv.slice(2)
if (cache === undefined || version === undefined) throw new Error('usage: generate-wire-fields.ts MODULE_CACHE VERSION')

/** Path of a package within the cache, and what schemas call it. */
const packages = new Map(groups.map(group => [`k8s.io/api/${group}/v1`, `io.k8s.api.${group}.v1`]))
packages.set('k8s.io/api/autoscaling/v2', 'io.k8s.api.autoscaling.v2')
packages.set('k8s.io/kube-aggregator/pkg/apis/apiregistration/v1', 'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1')
packages.set(
  'k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1',
)
packages.set('k8s.io/apimachinery/pkg/apis/meta/v1', 'io.k8s.apimachinery.pkg.apis.meta.v1')

/** `k8s.io/api/core/v1.PodPhase`: texts, lists and maps with a name of their own. */
const ownNames = new Set<string>()
for (const path of [...packages.keys(), 'k8s.io/apimachinery/pkg/types'])
  for (const text of textsOf(path))
    for (const [, name] of text.matchAll(/^type (\w+) (?:string|\[\]\S+|map\[\S+)$/gm)) ownNames.add(`${path}.${name}`)

const messages: Record<string, string> = {}
for (const [path, prefix] of packages) readPackage(path, prefix)

const lines = Object.keys(messages)
  .sort()
  .map(name => `${JSON.stringify(name)}:${JSON.stringify(messages[name])}`)
const target = new URL('../src/schema/builtin/wire-fields.gen.json', import.meta.url)
writeFileSync(target, `{\n${lines.join(',\n')}\n}\n`)
console.log(`${lines.length} messages -> ${target.pathname}`)

function textsOf(path: string): readonly string[] {
  const [, module, inner] = /^(k8s\.io\/[^/]+)\/(.*)$/.exec(path) as unknown as [string, string, string]
  const directory = join(cache as string, `${module}@${version}`, inner)
  return readdirSync(directory)
    .filter(file => file.endsWith('.go') && !file.endsWith('_test.go') && (file.startsWith('types') || path.endsWith('/types')))
    .map(file => readFileSync(join(directory, file), 'utf8'))
}

function readPackage(path: string, prefix: string): void {
  for (const text of textsOf(path)) {
    const places = importsOf(text)
    for (const [, name, body] of text.matchAll(/^type (\w+) struct \{\n([\s\S]*?)^\}/gm)) {
      const fields = wireFields(body as string, prefix, goType => ownName(goType, path, places))
      if (fields !== '') messages[`${prefix}.${name}`] = fields
    }
  }
}

/** Paths of packages by what this file calls them. */
function importsOf(text: string): ReadonlyMap<string, string> {
  const block = /^import \(\n([\s\S]*?)^\)/m.exec(text)?.[1] ?? ''
  return new Map(
    [...block.matchAll(/(\w+)?\s*"([^"]+)"/g)].map(([, alias, path]) => [alias ?? lastOf(path as string), path as string]),
  )
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** `[]v1.Phase` of `[]Phase`; undefined where nothing in it has a name that a schema would not know. */
function ownName(goType: string, path: string, places: ReadonlyMap<string, string>): string | undefined {
  const [, outside, place, name] = /^\*?((?:\[\]|map\[string\])*)\*?(?:(\w+)\.)?(\w+)$/.exec(goType) ?? []
  if (name === undefined) return undefined
  const home = place === undefined ? path : places.get(place)
  return home !== undefined && ownNames.has(`${home}.${name}`) ? `${outside}${lastOf(home)}.${name}` : undefined
}

function wireFields(body: string, prefix: string, nameOf: (goType: string) => string | undefined): string {
  const fields: string[] = []
  for (const line of body.split('\n')) {
    const match = /^\s*(?:(\w+)\s+)?(\*?[\w.[\]*]+)\s+`json:"([^"]*)"(?:.*?protobuf:"([^"]*)")?/.exec(line)
    if (match === null || match[4] === undefined) continue
    const [, , goType, json, wire] = match as unknown as [string, string, string, string, string]
    const number = wire.split(',')[1]
    const [jsonName, ...options] = json.split(',')
    const name = nameOf(goType)
    if (options.includes('inline'))
      fields.push(`@${number}:${prefix}.${goType.slice(goType.lastIndexOf('.') + 1).replace('*', '')}`)
    else
      fields.push(
        `${jsonName}:${number}${goType.startsWith('*') ? '*' : ''}${writtenFlag(options)}${name === undefined ? '' : `=${name}`}`,
      )
  }
  return fields.join(' ')
}

function writtenFlag(options: readonly string[]): string {
  if (options.includes('omitzero')) return '?'
  return options.includes('omitempty') ? '' : '!'
}
