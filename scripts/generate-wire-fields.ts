// Makes src/schema/builtin/wire-fields.gen.json: for each message of the kinds that we serve, which number on the wire belongs to which
// JSON name, and how its zero value reads. These are the public wire facts of the API, taken from the struct tags of the published Go
// modules (`go mod download k8s.io/api@v0.34.4` and siblings); nothing else of their text is kept.
//
//   node scripts/generate-wire-fields.ts MODULE_CACHE VERSION      e.g. ~/go/pkg/mod v0.34.4
//
// A line reads `name:number` followed by `*` (a pointer: zero is a value), `!` (always written) and `?` (a structure or time that is
// left out when it is zero); `@number:Message` is a message of its own on the wire whose fields JSON shows in place.
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

const messages: Record<string, string> = {}
for (const group of groups) readPackage(join(cache, `k8s.io/api@${version}`, group, 'v1'), `io.k8s.api.${group}.v1`)
readPackage(join(cache, `k8s.io/api@${version}`, 'autoscaling/v2'), 'io.k8s.api.autoscaling.v2')
readPackage(
  join(cache, `k8s.io/kube-aggregator@${version}`, 'pkg/apis/apiregistration/v1'),
  'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1',
)
const extensions = 'pkg/apis/apiextensions/v1'
readPackage(
  join(cache, `k8s.io/apiextensions-apiserver@${version}`, extensions),
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1',
)
readPackage(join(cache, `k8s.io/apimachinery@${version}`, 'pkg/apis/meta/v1'), 'io.k8s.apimachinery.pkg.apis.meta.v1')

const lines = Object.keys(messages)
  .sort()
  .map(name => `${JSON.stringify(name)}:${JSON.stringify(messages[name])}`)
const target = new URL('../src/schema/builtin/wire-fields.gen.json', import.meta.url)
writeFileSync(target, `{\n${lines.join(',\n')}\n}\n`)
console.log(`${lines.length} messages -> ${target.pathname}`)

function readPackage(directory: string, prefix: string): void {
  const files = readdirSync(directory).filter(
    file => file.startsWith('types') && file.endsWith('.go') && !file.endsWith('_test.go'),
  )
  for (const file of files) {
    const text = readFileSync(join(directory, file), 'utf8')
    for (const [, name, body] of text.matchAll(/^type (\w+) struct \{\n([\s\S]*?)^\}/gm)) {
      const fields = wireFields(body as string, prefix)
      if (fields !== '') messages[`${prefix}.${name}`] = fields
    }
  }
}

function wireFields(body: string, prefix: string): string {
  const fields: string[] = []
  for (const line of body.split('\n')) {
    const match = /^\s*(?:(\w+)\s+)?(\*?[\w.[\]*]+)\s+`json:"([^"]*)"(?:.*?protobuf:"([^"]*)")?/.exec(line)
    if (match === null || match[4] === undefined) continue
    const [, , goType, json, wire] = match as unknown as [string, string, string, string, string]
    const number = wire.split(',')[1]
    const [jsonName, ...options] = json.split(',')
    if (options.includes('inline'))
      fields.push(`@${number}:${prefix}.${goType.slice(goType.lastIndexOf('.') + 1).replace('*', '')}`)
    else fields.push(`${jsonName}:${number}${goType.startsWith('*') ? '*' : ''}${writtenFlag(options)}`)
  }
  return fields.join(' ')
}

function writtenFlag(options: readonly string[]): string {
  if (options.includes('omitzero')) return '?'
  return options.includes('omitempty') ? '' : '!'
}
